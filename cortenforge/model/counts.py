"""How many steps one call can be asked for."""

from __future__ import annotations

from typing import Any

from cortenforge.errors import ArgumentError

#: kernels count in 64 bits
MOST_STEPS = 2**63 - 1


def wrong_count(nstep: Any) -> ArgumentError:
    """The error for a number of steps that is out of range."""
    return ArgumentError(f"nstep: expected 0 to {MOST_STEPS} steps, got {nstep}")
