"""Functions run in a forked process."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable

import pytest


def run_forked(work: Callable[[], None], *, seconds: float = 60.0) -> None:
    """Run a function in a forked process; fails if it raises there, or does not end."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork on this system")
    child = multiprocessing.get_context("fork").Process(target=work)
    with warnings.catch_warnings():
        # newer versions of Python warn of a fork beside threads, which is what is tested
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    child.join(seconds)
    hangs = child.is_alive()
    if hangs:
        child.kill()
        child.join()
    assert not hangs, "the forked process hangs"
    assert child.exitcode == 0, "the forked process failed: its traceback is in stderr"
