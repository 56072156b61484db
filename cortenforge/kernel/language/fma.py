"""A fused multiply-add for plain Python: a * b + c, rounded once, bit for bit as processors do it.

Python has one from 3.13 on. Before that, the product is split into two reals whose sum it is
(Veltkamp's and Dekker's way), and `math.fsum` adds the three parts with one rounding; numbers so
large or so small that a part would not be exact go through fractions.
"""

from __future__ import annotations

import math
from math import fsum

__all__ = ["fma"]

#: splits a real into two halves of 26 bits
SPLIT = 134217729.0
#: a product above this has an error that is a real itself, and no part of it is lost
LOW = 2.0**-960
#: below this no sum of three overflows
HIGH = 2.0**1000


def software_fma(a: float, b: float, c: float) -> float:
    """a * b + c with one rounding."""
    p = a * b
    if (LOW < p < HIGH or -HIGH < p < -LOW) and -HIGH < c < HIGH:
        t = SPLIT * a
        a_high = t - (t - a)
        a_low = a - a_high
        t = SPLIT * b
        b_high = t - (t - b)
        b_low = b - b_high
        error = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low
        result = fsum((p, error, c))
        # a factor too large to split leaves nan
        if result == result:
            return result
    elif p == 0.0 and (a == 0.0 or b == 0.0):
        return p + c
    return _exact(a, b, c)


def _exact(a: float, b: float, c: float) -> float:
    """The same by fractions, for any reals."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    # imported here because few models need it, and it imports much itself
    from fractions import Fraction

    total = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        rounded = abs(float(total))
    except OverflowError:
        rounded = math.inf
    # terms that cancel leave plus zero, a result too small for a real keeps its sign
    return -rounded if total < 0 else rounded


def library_fma(a: float, b: float, c: float) -> float:
    """Python's own, which raises where arithmetic gives inf or nan."""
    try:
        return math.fma(a, b, c)  # type: ignore[attr-defined, no-any-return, unused-ignore]
    except (OverflowError, ValueError):
        return _exact(a, b, c)


fma = library_fma if hasattr(math, "fma") else software_fma
