"""Checks of derivatives: bad states, results that are not finite, too small eps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.errors import ArgumentError, StepError
from cortenforge.model import Data
from cortenforge.model.calls.failure import CallReport, step_error
from cortenforge.step.statuses import BAD_ACCELERATION, BAD_POSITION, BAD_VELOCITY, MAXVAL

#: the status that a step reports for bad values of a field
BAD_STATUS = {"qpos": BAD_POSITION, "qvel": BAD_VELOCITY, "qacc": BAD_ACCELERATION}
#: the largest rounding of a perturbed number, relative to eps
MAX_ROUNDING_SHARE = 1e-3


def refuse_bad_state(data: Data, *names: str) -> None:
    """Raise what a step would raise for numbers that are not finite or too large."""
    for name in names:
        values = getattr(data, name)
        wrong = np.flatnonzero(~(np.abs(values) <= MAXVAL))
        if len(wrong):
            first = int(wrong[0])
            report = CallReport(BAD_STATUS[name], first, float(values[first]), data.time, 0)
            raise step_error(data.model, report)


def check_derivatives_finite(data: Data, *found: np.ndarray) -> None:
    """Raise StepError if results are not finite."""
    if not all(np.isfinite(array).all() for array in found):
        raise StepError(
            f"derivatives are not finite at t = {data.time:.6g} s: check act, mocap_pos, "
            "qfrc_applied and xfrc_applied for values that are not finite, or very large",
            time=data.time,
        )


def check_eps(eps: float, moved: Mapping[str, np.ndarray]) -> None:
    """Raise ArgumentError if `eps` is too small beside the rounding of numbers that it perturbs."""
    for name, values in moved.items():
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        if np.spacing(largest) > MAX_ROUNDING_SHARE * eps:
            raise ArgumentError(
                f"eps: {eps:g} is too small beside the rounding of {name} = {largest:g}: "
                f"use at least {np.spacing(largest) / MAX_ROUNDING_SHARE:.1g}"
            )
