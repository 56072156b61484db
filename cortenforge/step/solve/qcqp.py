"""QCQP: least value of a quadratic function on a ball, in at most five dimensions.

    min x' A x / 2 + b' x   subject to |x| <= r           (x: scaled friction of one contact)
    outside:  (A + s I) x = -b with |x| = r for one s > 0
    Newton on 1 / |x(s)| = 1 / r:   s <- s + (|x| - r) / r * |x|^2 / (x' (A + s I)^-1 x)

Source: J. Nocedal, S. Wright, Numerical Optimization, section 4.3 (trust-region subproblem).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel

#: limit of Newton steps on the multiplier s; relative tolerance of |x| = r
QCQP_MAX_STEPS = 40
QCQP_BOUNDARY_TOLERANCE = 1e-13
#: least pivot, relative to the trace and absolute (it can still be squared twice)
MIN_PIVOT_SHARE, MIN_PIVOT = 1e-15, 1e-75
#: MuJoCo's: limit of steps, singular below, tolerance of |x|^2 - r^2, least step of s
MUJOCO_STEPS, MUJOCO_SINGULAR, MUJOCO_OUTSIDE, MUJOCO_SHORTEST_STEP = 20, 1e-10, 1e-10, 1e-10
#: least |x|^2 that can be scaled to the rim
MIN_SQUARED_LENGTH = 1e-15


@kernel
def factor_qcqp(d, k: int, shift):
    """disc_L: Cholesky factor of A + shift I, with pivots bounded from below against rounding."""
    least = MIN_PIVOT
    for i in range(k):
        least += MIN_PIVOT_SHARE * d.disc_A[6 * i]
    for i in range(k):
        for j in range(i + 1):
            total = d.disc_A[5 * i + j]
            if i == j:
                total += shift
            for p in range(j):
                total -= d.disc_L[5 * i + p] * d.disc_L[5 * j + p]
            if i == j:
                d.disc_L[6 * i] = math.sqrt(max(total, least))
            else:
                d.disc_L[5 * i + j] = total / d.disc_L[6 * j]


@kernel
def backsolve_qcqp(d, k: int, x):
    """x <- (A + shift I)^-1 x, by the factor in disc_L."""
    for i in range(k):
        total = x[i]
        for j in range(i):
            total -= d.disc_L[5 * i + j] * x[j]
        x[i] = total / d.disc_L[6 * i]
    for i in range(k - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, k):
            total -= d.disc_L[5 * j + i] * x[j]
        x[i] = total / d.disc_L[6 * i]


@kernel
def is_qcqp_singular(d, k: int):
    """Whether MuJoCo takes the factored block to be singular.

    In two and three dimensions by its determinant, in more by its least pivot.
    """
    product, least = 1.0, 1.0
    for i in range(k):
        pivot = d.disc_L[6 * i] * d.disc_L[6 * i]
        product *= pivot
        least = min(least, pivot)
    return (product if k <= 3 else least) < MUJOCO_SINGULAR


@kernel
def qcqp_point(d, k: int):
    """disc_x = -(A + shift I)^-1 b by the factor in disc_L; returns |disc_x|^2."""
    square = 0.0
    for i in range(k):
        d.disc_x[i] = -d.disc_b[i]
    backsolve_qcqp(d, k, d.disc_x)
    for i in range(k):
        square += d.disc_x[i] * d.disc_x[i]
    return square


@kernel
def qcqp_length_derivative(d, k: int):
    """-1/2 d|x|^2 / dshift = x' (A + shift I)^-1 x."""
    slope = 0.0
    for i in range(k):
        d.disc_y[i] = d.disc_x[i]
    backsolve_qcqp(d, k, d.disc_y)
    for i in range(k):
        slope += d.disc_x[i] * d.disc_y[i]
    return slope


@kernel
def scale_qcqp_point(d, k: int, factor):
    """disc_x *= factor."""
    for i in range(k):
        d.disc_x[i] = d.disc_x[i] * factor


@kernel
def solve_qcqp_as_mujoco(d, k: int, radius):
    """disc_x by MuJoCo's iteration and tolerances.  Mirrors mju_QCQP.

    Newton's method on |x(s)|^2 = radius^2; zero where the block is singular, and scaled to the rim
    if the minimum without the constraint was outside.
    """
    shift, square = 0.0, 0.0
    for _step in range(MUJOCO_STEPS):
        factor_qcqp(d, k, shift)
        if shift == 0.0 and is_qcqp_singular(d, k):
            for i in range(k):
                d.disc_x[i] = 0.0
            break
        square = qcqp_point(d, k)
        beyond = square - radius * radius
        if beyond < MUJOCO_OUTSIDE:
            break
        step = 0.5 * beyond / qcqp_length_derivative(d, k)
        if step < MUJOCO_SHORTEST_STEP:
            break
        shift += step
    if shift > 0.0:
        scale_qcqp_point(d, k, radius / math.sqrt(max(square, MIN_SQUARED_LENGTH)))


@kernel
def solve_qcqp(d, k: int, radius):
    """disc_x: minimum of x' A x / 2 + b' x with |x| <= radius, for disc_A and disc_b.

    1 / |x(s)| is nearly linear in s, so Newton's method on it approaches from below.
    """
    shift, length = 0.0, 0.0
    for _step in range(QCQP_MAX_STEPS):
        factor_qcqp(d, k, shift)
        square = qcqp_point(d, k)
        length = math.sqrt(square)
        if length <= radius * (1.0 + QCQP_BOUNDARY_TOLERANCE):
            break
        shift += (length - radius) / radius * square / qcqp_length_derivative(d, k)
    # rounding may leave it outside by a hair
    if length > radius:
        scale_qcqp_point(d, k, radius / length)
