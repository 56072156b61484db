"""Rewards that are one inside an interval and fall off outside of it, as in dm_control's suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

#: what is left at the margin, by default
AT_MARGIN = 0.1


def _gaussian(x: np.ndarray, left: float) -> np.ndarray:
    return left ** (x * x)


def _linear(x: np.ndarray, left: float) -> np.ndarray:
    return _where_positive(1 - (1 - left) * x)


def _quadratic(x: np.ndarray, left: float) -> np.ndarray:
    return _where_positive(1 - (1 - left) * x * x)


def _long_tail(x: np.ndarray, left: float) -> np.ndarray:
    return 1 / (1 + (1 / left - 1) * x * x)


def _reciprocal(x: np.ndarray, left: float) -> np.ndarray:
    return 1 / (1 + (1 / left - 1) * x)


def _where_positive(value: np.ndarray) -> np.ndarray:
    return np.maximum(value, 0.0)


FALLOFFS: dict[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "gaussian": _gaussian,
    "linear": _linear,
    "quadratic": _quadratic,
    "long_tail": _long_tail,
    "reciprocal": _reciprocal,
}


def tolerance(
    x: Any,
    lower: Any = 0.0,
    upper: Any = None,
    *,
    margin: Any = 0.0,
    falloff: str = "gaussian",
    at_margin: float = AT_MARGIN,
) -> np.ndarray:
    """One where lower <= x <= upper; outside, `at_margin` at a distance of `margin`.

    upper:   `lower`, if it is not given.
    falloff: gaussian a^(x^2), linear 1 - (1 - a) x, quadratic 1 - (1 - a) x^2, long_tail
             1 / (1 + (1/a - 1) x^2), reciprocal 1 / (1 + (1/a - 1) x), where a is `at_margin` and
             x the distance in margins.
    """
    upper = lower if upper is None else upper
    outside = np.maximum(np.subtract(lower, x), np.subtract(x, upper))
    inside = outside <= 0
    if np.all(margin == 0):
        return np.where(inside, 1.0, 0.0)
    far = np.where(inside, 0.0, outside) / margin
    return np.where(inside, 1.0, FALLOFFS[falloff](far, at_margin))


def at_least(x: Any, bound: Any, **options: Any) -> np.ndarray:
    """One where x >= bound."""
    return tolerance(x, bound, np.inf, **options)


def small_control(ctrl: np.ndarray) -> np.ndarray:
    """Between 0.8 and one for each world: small controls are better."""
    quiet = tolerance(ctrl, margin=1.0, falloff="quadratic", at_margin=0.0)
    mean: np.ndarray = (4 + quiet.mean(axis=1)) / 5
    return mean
