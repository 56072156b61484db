"""Functions of one real."""

from __future__ import annotations

from cortenforge.kernel import floor_real, kernel, select

#: MuJoCo rounds to integers of 32 bits
LARGEST_INT = 2147483647.0


@kernel(lanes=True)
def clip(x, low, high):
    """The number limited to [low, high]; nan stays.  Mirrors mju_clip."""
    return select(x < low, low, select(x > high, high, x))


@kernel(lanes=True)
def round_half_away(x):
    """The nearest integer as a real, halves away from zero.  Mirrors mju_round."""
    size = abs(x)
    lower = floor_real(size)
    whole = min(select(size - lower < 0.5, lower, lower + 1.0), LARGEST_INT)
    return select(x < 0.0, -whole, whole)


@kernel(lanes=True)
def sigmoid(x):
    """Smooth step 6 x^5 - 15 x^4 + 10 x^3 on [0, 1], constant outside.  Mirrors mju_sigmoid."""
    inside = clip(x, 0.0, 1.0)
    return inside * inside * inside * (3.0 * inside * (2.0 * inside - 5.0) + 10.0)


@kernel(lanes=True)
def sigmoid_derivative(x):
    """Derivative of the smooth step: 30 x^2 (1 - x)^2."""
    inside = clip(x, 0.0, 1.0)
    return 30.0 * inside * inside * (1.0 - inside) * (1.0 - inside)
