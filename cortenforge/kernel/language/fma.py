"""A fused multiply-add for plain Python: a * b + c, rounded once, with the bits of processors.

Python has `math.fma` from 3.13 on. Before, the product is split into two reals whose sum is exact
(Veltkamp and Dekker), and `math.fsum` adds the three terms with one rounding. Where a term would
not be exact, since numbers are very large or very small, fractions are used.
"""

from __future__ import annotations

import math
from math import fsum

__all__ = ["fma"]

#: factor that splits a real into two halves of 26 bits (Veltkamp)
SPLIT = 134217729.0
#: above this, the rounding error of a product is a real: nothing underflows
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
        # nan if a factor is too large to split
        if result == result:
            return result
    elif p == 0.0 and (a == 0.0 or b == 0.0):
        return p + c
    return _exact(a, b, c)


def _exact(a: float, b: float, c: float) -> float:
    """The same in exact fractions, for any reals."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    # imported here, since few models need it and its import is slow
    from fractions import Fraction

    total = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        rounded = abs(float(total))
    except OverflowError:
        rounded = math.inf
    # terms that cancel give +0, a result that underflows keeps its sign
    return -rounded if total < 0 else rounded


def library_fma(a: float, b: float, c: float) -> float:
    """`math.fma`, with inf and nan where it would raise."""
    try:
        return math.fma(a, b, c)  # type: ignore[attr-defined, no-any-return, unused-ignore]
    except (OverflowError, ValueError):
        return _exact(a, b, c)


fma = library_fma if hasattr(math, "fma") else software_fma
