"""Python's cyclic garbage collection, deferred while a model is read or compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_deferred() -> Iterator[None]:
    """Make many objects with garbage collection switched off; also a decorator.

    A description is thousands of objects that stay until it is compiled: looking for garbage among
    them again and again finds none, and takes a fifth of the time of a large model.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
