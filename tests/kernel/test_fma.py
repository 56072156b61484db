"""The fused multiply-add of plain Python rounds once, as exact arithmetic says."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cortenforge.kernel.language.fma import fma, library_fma, software_fma

SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.1, 3.0, 1 + 2**-52, 1 - 2**-53, 2.0**-1074, -(2.0**-1074), 2.0**-1022,
    2.0**-538, 2.0**-480, 2.0**511, 2.0**512, 2.0**1000, -(2.0**1023), 1.7976931348623157e308,
    math.inf, -math.inf, math.nan,
]  # fmt: skip
REAL = st.floats(width=64)


def bits(x: float) -> bytes:
    """The bits of a real; all nans are one."""
    return b"nan" if x != x else struct.pack("<d", x)


def once_rounded(a: float, b: float, c: float) -> float:
    """a * b + c in exact arithmetic, rounded to the nearest real, ties to even."""
    if not all(map(math.isfinite, (a, b, c))):
        # a finite product is too small to matter beside infinity, however it rounds
        product = a * b if not (math.isfinite(a) and math.isfinite(b)) else 0.0
        return product + c
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return a * b + c if 0.0 in (a, b) else 0.0
    # numpy's longdouble is no help: a real of n bits is found by integers
    exponent = max(total.numerator.bit_length() - total.denominator.bit_length() - 54, -1074)
    scaled = abs(total) / Fraction(2) ** exponent
    while scaled >= 2**53:
        exponent, scaled = exponent + 1, scaled / 2
    whole, rest = divmod(scaled, 1)
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)
    try:
        size = math.ldexp(float(whole), exponent)
    except OverflowError:
        size = math.inf
    return -size if total < 0 else size


@settings(max_examples=3000, deadline=None)
@given(REAL, REAL, REAL)
@example(1 + 2**-30, 1 + 2**-30, -(1 + 2**-29))
@example(2.0**600, 2.0**500, -math.inf)
def test_any_three_reals(a: float, b: float, c: float) -> None:
    """Whatever the numbers, the result is the exact one, rounded once."""
    assert bits(software_fma(a, b, c)) == bits(once_rounded(a, b, c))


def test_special_numbers() -> None:
    """Zeros of both signs, the smallest and the largest reals, infinities and nan."""
    for a in SPECIAL:
        for b in SPECIAL:
            for c in SPECIAL:
                assert bits(software_fma(a, b, c)) == bits(once_rounded(a, b, c)), (a, b, c)


@pytest.mark.parametrize("spread", [0, 2, 60, 300])
def test_random_numbers(spread: int) -> None:
    """Numbers of similar and of very different size, with sums that cancel among them."""
    chance = np.random.default_rng(spread)
    rows = chance.normal(size=(4000, 3)) * 2.0 ** chance.integers(-spread, spread + 1, (4000, 3))
    rows[::2, 2] = -rows[::2, 0] * rows[::2, 1]
    for a, b, c in rows.tolist():
        assert bits(software_fma(a, b, c)) == bits(once_rounded(a, b, c))


@pytest.mark.skipif(not hasattr(math, "fma"), reason="Python has fma from 3.13 on")
def test_library_agrees() -> None:
    """Python's own gives the same bits, and nothing is raised."""
    assert fma is library_fma
    for a in SPECIAL:
        for b in SPECIAL:
            for c in SPECIAL:
                assert bits(library_fma(a, b, c)) == bits(software_fma(a, b, c))
