"""Sine and cosine to the last bit or the one before it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cortenforge.math.trig import LARGE, sin_cos


def angles():
    rng = np.random.default_rng(0)
    near_multiples = np.arange(-400, 400) * (math.pi / 4) + rng.normal(scale=1e-6, size=800)
    return np.concatenate(
        [
            rng.uniform(-7, 7, 3000),
            rng.uniform(-LARGE, LARGE, 3000),
            near_multiples,
            [0.0, -0.0, 1e-300, math.pi, math.pi / 2, -math.pi / 2, 2 * LARGE, 1e15, -1e9],
        ]
    )


def test_within_one_unit_in_the_last_place():
    """Against extended precision, over many turns and close to multiples of pi/4."""
    wide = np.longdouble
    if np.finfo(wide).eps >= np.finfo(float).eps:
        pytest.skip("needs extended precision to check the last bit")
    for x in angles():
        s, c = sin_cos(float(x))
        for got, exact in ((s, np.sin(wide(x))), (c, np.cos(wide(x)))):
            unit = np.spacing(abs(float(exact)))
            # beyond a few hundred turns numpy's own extended sine loses digits
            slack = 1.0 if abs(x) < 1e3 else 1.0 + abs(float(x)) * 1e-19 / unit
            assert abs(wide(got) - exact) <= slack * unit, x


def test_special_values():
    """Zero keeps its sign, and what is not finite stays so."""
    assert sin_cos(0.0) == (0.0, 1.0)
    assert math.copysign(1.0, sin_cos(-0.0)[0]) == -1.0
