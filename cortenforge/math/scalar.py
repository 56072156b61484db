"""Single reals."""

from __future__ import annotations

from cortenforge.kernel import floor_real, kernel, select

#: MuJoCo rounds to integers of 32 bits
LARGEST_INT = 2147483647.0


@kernel(lanes=True)
def clip(x, low, high):
    """The number, or the bound that it is beyond; nan stays.  Mirrors mju_clip."""
    return select(x < low, low, select(x > high, high, x))


@kernel(lanes=True)
def nearest(x):
    """The nearest whole number, away from zero if there are two.  Mirrors mju_round."""
    size = abs(x)
    lower = floor_real(size)
    whole = min(select(size - lower < 0.5, lower, lower + 1.0), LARGEST_INT)
    return select(x < 0.0, -whole, whole)


@kernel(lanes=True)
def sigmoid(x):
    """A smooth step from 0 at 0 to 1 at 1, of fifth order.  Mirrors mju_sigmoid."""
    inside = clip(x, 0.0, 1.0)
    return inside * inside * inside * (3.0 * inside * (2.0 * inside - 5.0) + 10.0)


@kernel(lanes=True)
def sigmoid_slope(x):
    """How steep that is."""
    inside = clip(x, 0.0, 1.0)
    return 30.0 * inside * inside * (1.0 - inside) * (1.0 - inside)
