"""Sine and cosine together, from one polynomial on every target.

Cody-Waite reduction by multiples of pi/2 in three parts, then minimax polynomials (coefficients of
fdlibm). Library functions differ in the last bit between platforms and have no vector form; this is
the same arithmetic everywhere, good to one unit in the last place, and faster than libm.

Source: Cody and Waite, "Software Manual for the Elementary Functions", 1980; fdlibm, k_sin.c and
k_cos.c.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, floor_real, kernel, select

#: beyond this the reduction below loses digits, and the library function takes over
LARGE = 1e5
TWO_OVER_PI = 0.6366197723675814
#: pi/2 in three parts of 33 bits: products with the quadrant number are exact
HALF_PI_1 = 1.57079632673412561417
HALF_PI_2 = 6.07710050630396597660e-11
HALF_PI_3 = 2.02226624879595063154e-21


@kernel(lanes=True)
def sin_cos(x):
    """Sine and cosine of an angle."""
    quadrant = floor_real(x * TWO_OVER_PI + 0.5)
    # the reduced angle, as a sum of two reals
    first = x - quadrant * HALF_PI_1
    middle = quadrant * HALF_PI_2
    rough = first - middle
    last = quadrant * HALF_PI_3 - ((first - rough) - middle)
    r = rough - last
    rest = (rough - r) - last

    s = sin_near_zero(r, rest)
    c = cos_near_zero(r, rest)
    # odd quadrants swap the two; each is negative in two quadrants
    turn = quadrant - 4.0 * floor_real(quadrant * 0.25)
    odd = turn - 2.0 * floor_real(turn * 0.5)
    sine = select(odd > 0.5, c, s)
    cosine = select(odd > 0.5, s, c)
    sine = select(turn > 1.5, -sine, sine)
    cosine = select(abs(turn - 1.5) < 1.0, -cosine, cosine)
    if any_lane(abs(x) > LARGE):
        sine = select(abs(x) > LARGE, math.sin(x), sine)
        cosine = select(abs(x) > LARGE, math.cos(x), cosine)
    return sine, cosine


@kernel(lanes=True)
def sin_near_zero(r, rest):
    """Sine of r + rest, for angles up to pi/4; rest is far below r."""
    z = r * r
    p = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    p = 2.75573137070700676789e-06 + z * p
    p = -1.98412698298579493134e-04 + z * p
    p = 8.33333333332248946124e-03 + z * p
    cube = z * r
    return r - ((z * (0.5 * rest - cube * p) - rest) - cube * -1.66666666666666324348e-01)


@kernel(lanes=True)
def cos_near_zero(r, rest):
    """Cosine of r + rest, for angles up to pi/4; rest is far below r."""
    z = r * r
    p = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11
    p = -2.75573143513906633035e-07 + z * p
    p = 2.48015872894767294178e-05 + z * p
    p = -1.38888888888741095749e-03 + z * p
    p = 4.16666666666666019037e-02 + z * p
    half = 0.5 * z
    whole = 1.0 - half
    return whole + (((1.0 - whole) - half) + (z * (z * p) - r * rest))
