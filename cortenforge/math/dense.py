"""Dense factorizations in place: Cholesky and LU, factor and solve apart.

Matrices are fields of plain numbers, row by row, with a given row length. A factorization returns
-1, or the row at which it failed; the matrix is then left half done.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL


@kernel
def cholesky_factor(a, n: int):
    """Lower triangle becomes L with L L' = A; the upper is not read or written.

    Returns the first row whose pivot is not positive, or -1.
    """
    for j in range(n):
        pivot = a[j * n + j]
        for k in range(j):
            pivot -= a[j * n + k] * a[j * n + k]
        # a comparison that is false for nan, too
        if not pivot > 0.0:
            return j
        root = math.sqrt(pivot)
        a[j * n + j] = root
        for i in range(j + 1, n):
            value = a[i * n + j]
            for k in range(j):
                value -= a[i * n + k] * a[j * n + k]
            a[i * n + j] = value / root
    return -1


@kernel(lanes=True)
def cholesky_solve(a, x, n: int):
    """Solve L L' x = b in place, with L from `cholesky_factor`."""
    for j in range(n):
        value = x[j]
        for k in range(j):
            value -= a[j * n + k] * x[k]
        x[j] = value / a[j * n + j]
    for j in range(n - 1, -1, -1):
        value = x[j]
        for k in range(j + 1, n):
            value -= a[k * n + j] * x[k]
        x[j] = value / a[j * n + j]


@kernel
def lu_factor(a, pivot, n: int):
    """A becomes L (unit diagonal) and U with rows exchanged; `pivot` says which.

    Partial pivoting. Returns the first column without a usable pivot, or -1.
    """
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i * n + j]) > abs(a[best * n + j]):
                best = i
        pivot[j] = best
        # a comparison that is false for nan, too
        if not abs(a[best * n + j]) > MINVAL:
            return j
        if best != j:
            for k in range(n):
                kept = a[j * n + k]
                a[j * n + k] = a[best * n + k]
                a[best * n + k] = kept
        for i in range(j + 1, n):
            factor = a[i * n + j] / a[j * n + j]
            a[i * n + j] = factor
            for k in range(j + 1, n):
                a[i * n + k] -= factor * a[j * n + k]
    return -1


@kernel
def lu_solve(a, pivot, x, n: int):
    """Solve A x = b in place, with the factors of `lu_factor`."""
    for j in range(n):
        other = pivot[j]
        kept = x[j]
        x[j] = x[other]
        x[other] = kept
    for j in range(n):
        value = x[j]
        for k in range(j):
            value -= a[j * n + k] * x[k]
        x[j] = value
    for j in range(n - 1, -1, -1):
        value = x[j]
        for k in range(j + 1, n):
            value -= a[j * n + k] * x[k]
        x[j] = value / a[j * n + j]
