"""Accuracy of derivatives: methods against each other, and two sizes of finite differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cortenforge.derive.config import MAX_EPS, DerivativeConfig, checked_config
from cortenforge.derive.transition import transition_derivatives
from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.model import Data

#: entries below this share of a matrix's largest are compared as if they had that size
SMALL_ENTRY = 1e-4


@dataclass(frozen=True)
class DerivativeErrors:
    """Largest relative errors of A, B, C and D; 0 for those that are empty or absent."""

    A: float
    B: float
    C: float
    D: float

    @property
    def largest(self) -> float:
        """The largest of all."""
        return max(self.A, self.B, self.C, self.D)


class RelativeError(NamedTuple):
    """Largest relative error of a matrix, and the index of its entry; () if there are none."""

    error: float
    place: tuple[int, ...]


def max_relative_error(a: Any, b: Any, floor: float | None = None) -> RelativeError:
    """Largest difference of two matrices' entries, relative to the larger of the two entries.

    a, b:  matrices of one shape.
    floor: smallest magnitude that entries are compared with; default: 1e-4 times the largest entry.
    Where one of two entries is NaN, so is the error.

    >>> error, (row, column) = cf.max_relative_error(one, other)
    """
    one, other = np.asarray(a, float), np.asarray(b, float)
    if one.shape != other.shape:
        raise ShapeError(f"matrices of shapes {one.shape} and {other.shape} cannot be compared")
    if not one.size:
        return RelativeError(0.0, ())
    with np.errstate(invalid="ignore"):
        difference = np.abs(one - other)
        size = np.maximum(np.abs(one), np.abs(other))
        least = (
            SMALL_ENTRY * size.max(initial=0.0, where=np.isfinite(size)) if floor is None else floor
        )
        scale = np.maximum(size, least)
        # NaN for NaN entries, which argmax finds first
        start = np.where(np.isnan(difference), np.nan, 0.0)
        error = np.divide(difference, scale, out=start, where=scale > 0)
    place = np.unravel_index(error.argmax(), error.shape)
    return RelativeError(float(error[place]), tuple(int(i) for i in place))


def validate_derivatives(data: Data, config: DerivativeConfig | None = None) -> DerivativeErrors:
    """Compare derivatives by the requested method with finite differences of whole steps.

    config: the method that is checked, and its eps.

    >>> cf.validate_derivatives(data).largest < 1e-3
    """
    wanted = checked_config(config)
    found = transition_derivatives(data, wanted)
    steps = transition_derivatives(data, replace(wanted, method="fd"))
    pairs = [(getattr(found, name), getattr(steps, name)) for name in "ABCD"]
    return DerivativeErrors(
        *(0.0 if one is None else max_relative_error(one, other).error for one, other in pairs)
    )


def fd_convergence_check(data: Data, eps: float = 1e-6, tolerance: float = 1e-3) -> bool:
    """Whether finite differences with eps and eps / 10 agree to a tolerance.

    data: the world at whose state they are computed.

    If not, eps is too large, or so small that rounding shows, or the step is not smooth.
    """
    if not tolerance > 0:
        raise ArgumentError(f"tolerance: expected a number above 0, got {tolerance!r}")
    config = DerivativeConfig(eps=eps, method="fd", sensors=False)
    far = transition_derivatives(data, config)
    near = transition_derivatives(data, replace(config, eps=min(eps / 10.0, MAX_EPS)))
    return max_relative_error(far.A, near.A).error < tolerance
