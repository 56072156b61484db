"""Checks of the number of steps in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError

#: kernels count in 64 bits
MAX_STEPS = 2**63 - 1


def is_integer(value: Any) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def checked_step_count(nstep: Any) -> int:
    """A number of steps that can be taken."""
    if not is_integer(nstep) or not 0 <= nstep <= MAX_STEPS:
        raise step_count_error(nstep)
    return int(nstep)


def step_count_error(nstep: Any) -> ArgumentError:
    """The error for a number of steps that is out of range."""
    return ArgumentError(f"nstep: expected 0 to {MAX_STEPS} steps, got {nstep!r}"[:300])
