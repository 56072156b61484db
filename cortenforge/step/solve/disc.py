"""The least value of a quadratic function on a disc, in at most five dimensions."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel

#: Newton steps on the multiplier, and how near they come to the rim
MOST_STEPS = 40
NEAR = 1e-13


@kernel
def factor_disc(d, k: int, shift):
    """Cholesky factor of disc_A + shift."""
    for i in range(k):
        for j in range(i + 1):
            total = d.disc_A[5 * i + j]
            if i == j:
                total += shift
            for p in range(j):
                total -= d.disc_L[5 * i + p] * d.disc_L[5 * j + p]
            if i == j:
                d.disc_L[6 * i] = math.sqrt(max(total, 1e-300))
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
def least_on_disc(d, k: int, radius):
    """disc_x: least x' A x / 2 + b' x with |x| <= radius, for A and b in disc_A and disc_b.

    Outside of the disc the answer is on its rim, where (A + s) x = -b for some s > 0. 1 / |x| is
    nearly linear in s, and Newton's method for it comes from below without overshooting.
    """
    shift = 0.0
    for _step in range(MOST_STEPS):
        factor_disc(d, k, shift)
        for i in range(k):
            d.disc_x[i] = -d.disc_b[i]
        solve_disc(d, k, d.disc_x)
        square = 0.0
        for i in range(k):
            square += d.disc_x[i] * d.disc_x[i]
            d.disc_y[i] = d.disc_x[i]
        length = math.sqrt(square)
        if length <= radius * (1.0 + NEAR):
            break
        solve_disc(d, k, d.disc_y)
        slope = 0.0
        for i in range(k):
            slope += d.disc_x[i] * d.disc_y[i]
        shift += (length - radius) / radius * square / slope
    # rounding may leave it outside by a hair
    if length > radius:
        for i in range(k):
            d.disc_x[i] = d.disc_x[i] * (radius / length)
