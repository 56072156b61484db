"""The least value of a quadratic function on a disc, in at most five dimensions."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel

#: Newton steps on the multiplier, and how near they come to the rim
MOST_STEPS = 40
NEAR = 1e-13
#: pivots are no less than this part of all diagonal entries, nor than what can be squared twice
LEAST_PART, LEAST_PIVOT = 1e-15, 1e-75
#: MuJoCo's: steps, what is singular, outside by how little (squared), and the shortest step
STEPS, SINGULAR, OUTSIDE, SHORTEST = 20, 1e-10, 1e-10, 1e-10
#: the square of a length that can be scaled
LEAST_SQUARE = 1e-15


@kernel
def factor_disc(d, k: int, shift):
    """Cholesky factor of disc_A + shift; rounding takes no pivot below zero."""
    least = LEAST_PIVOT
    for i in range(k):
        least += LEAST_PART * d.disc_A[6 * i]
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
def solve_disc(d, k: int, x):
    """Solve with the factor, in place."""
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
def is_singular(d, k: int):
    """Whether MuJoCo takes the factored block to be singular.

    In two and three dimensions it is the determinant that decides, in more the least pivot.
    """
    product, least = 1.0, 1.0
    for i in range(k):
        pivot = d.disc_L[6 * i] * d.disc_L[6 * i]
        product *= pivot
        least = min(least, pivot)
    return (product if k <= 3 else least) < SINGULAR


@kernel
def solve_for_disc(d, k: int):
    """disc_x: where the function is least for the factor there is; the square of its length."""
    square = 0.0
    for i in range(k):
        d.disc_x[i] = -d.disc_b[i]
    solve_disc(d, k, d.disc_x)
    for i in range(k):
        square += d.disc_x[i] * d.disc_x[i]
    return square


@kernel
def shorten(d, k: int):
    """How fast the square of the solution's length falls, halved, as the shift grows."""
    slope = 0.0
    for i in range(k):
        d.disc_y[i] = d.disc_x[i]
    solve_disc(d, k, d.disc_y)
    for i in range(k):
        slope += d.disc_x[i] * d.disc_y[i]
    return slope


@kernel
def scale_disc(d, k: int, factor):
    """The solution, longer or shorter."""
    for i in range(k):
        d.disc_x[i] = d.disc_x[i] * factor


@kernel
def find_on_disc(d, k: int, radius):
    """disc_x as MuJoCo finds it, for what is to equal MuJoCo's.  Mirrors mju_QCQP.

    None where the block is singular; else to MuJoCo's tolerances, and on the rim if it was outside.
    """
    shift, square = 0.0, 0.0
    for _step in range(STEPS):
        factor_disc(d, k, shift)
        if shift == 0.0 and is_singular(d, k):
            for i in range(k):
                d.disc_x[i] = 0.0
            break
        square = solve_for_disc(d, k)
        beyond = square - radius * radius
        if beyond < OUTSIDE:
            break
        step = 0.5 * beyond / shorten(d, k)
        if step < SHORTEST:
            break
        shift += step
    if shift > 0.0:
        scale_disc(d, k, radius / math.sqrt(max(square, LEAST_SQUARE)))


@kernel
def least_on_disc(d, k: int, radius):
    """disc_x: least x' A x / 2 + b' x with |x| <= radius, for A and b in disc_A and disc_b.

    Outside of the disc the answer is on its rim, where (A + s) x = -b for some s > 0. 1 / |x| is
    nearly linear in s, and Newton's method for it comes from below without overshooting.
    """
    shift, length = 0.0, 0.0
    for _step in range(MOST_STEPS):
        factor_disc(d, k, shift)
        square = solve_for_disc(d, k)
        length = math.sqrt(square)
        if length <= radius * (1.0 + NEAR):
            break
        shift += (length - radius) / radius * square / shorten(d, k)
    # rounding may leave it outside by a hair
    if length > radius:
        scale_disc(d, k, radius / length)
