"""Derivatives of what is no number, or beside what is too large: refused, not worked out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.errors import ArgumentError, StepError
from cortenforge.model import Data
from cortenforge.model.failure import Report, step_error
from cortenforge.step.statuses import BAD_ACCELERATION, BAD_POSITION, BAD_VELOCITY, MAXVAL

#: what a step would say of numbers like these
SAID = {"qpos": BAD_POSITION, "qvel": BAD_VELOCITY, "qacc": BAD_ACCELERATION}
#: the part of a difference that may be rounding of the number that is moved
ROUNDING = 1e-3


def refuse_lost(data: Data, *names: str) -> None:
    """Raise what a step would raise, if numbers of a state are not finite or beyond all bounds."""
    for name in names:
        values = data._store.arrays[name]
        wrong = np.flatnonzero(~(np.abs(values) <= MAXVAL))
        if len(wrong):
            first = int(wrong[0])
            report = Report(SAID[name], first, float(values[first]), data.time, 0)
            raise step_error(data.model, report)


def finite(data: Data, *found: np.ndarray) -> None:
    """Raise StepError if what was worked out is not finite."""
    if not all(np.isfinite(array).all() for array in found):
        raise StepError(
            f"derivatives are not finite at t = {data.time:.6g} s: look for numbers that are not "
            "(act, mocap_pos, qfrc_applied, xfrc_applied), or that are very large",
            time=data.time,
        )


def check_difference(eps: float, moved: Mapping[str, np.ndarray]) -> None:
    """Raise ArgumentError if numbers that are moved by `eps` would not know it from rounding."""
    for name, values in moved.items():
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        if np.spacing(largest) > ROUNDING * eps:
            raise ArgumentError(
                f"eps: {eps:g} is lost beside {name} = {largest:g}; at least "
                f"{np.spacing(largest) / ROUNDING:.1g} is needed there"
            )
