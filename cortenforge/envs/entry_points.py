"""What entry points in Gymnasium's registry lead to: an environment's id is an attribute here."""

from __future__ import annotations

import functools
from collections.abc import Callable

from cortenforge.envs.registry import make, tasks
from cortenforge.envs.vector import VectorEnvironment


def __getattr__(name: str) -> Callable[..., VectorEnvironment]:
    """What makes the vector environment of an id."""
    if name not in tasks():
        raise AttributeError(f"there is no environment {name!r}")
    return functools.partial(make, name)
