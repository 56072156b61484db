"""Checks of the number of steps in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError

#: kernels count in 64 bits
MOST_STEPS = 2**63 - 1


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def checked_count(nstep: Any) -> int:
    """A number of steps that can be taken."""
    if not is_whole(nstep) or not 0 <= nstep <= MOST_STEPS:
        raise wrong_count(nstep)
    return int(nstep)


def wrong_count(nstep: Any) -> ArgumentError:
    """The error for a number of steps that is out of range."""
    return ArgumentError(f"nstep: expected 0 to {MOST_STEPS} steps, got {nstep!r}"[:300])
