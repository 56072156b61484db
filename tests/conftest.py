"""Settings of all tests, and what every test file does at its end."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

import pytest

# tests of reading and compiling are to read and compile; those of the cache switch it on
os.environ["CORTENFORGE_MODEL_CACHE"] = "off"


@pytest.fixture(autouse=True, scope="module")
def give_memory_back() -> Iterator[None]:
    """Return memory that was freed to the system.

    glibc keeps it for the next allocation, in each thread's arena: 100 to 300 MB a model once a
    software driver has compiled shaders, of which nothing is in use. A worker runs thousands of
    tests, and would grow to 3 GB.
    """
    yield
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
