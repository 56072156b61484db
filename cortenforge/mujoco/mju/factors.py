"""Cholesky factors: dense, of band matrices with dense rows, and their updates.

    A = L L^T,   L_jj = sqrt(A_jj - sum of L_jk^2),   L_ij = (A_ij - sum of L_ik L_jk) / L_jj

A band matrix of `ntotal` rows has `ntotal - ndense` rows of `nband` entries, the last of them on
the diagonal, and then `ndense` rows of `ntotal` entries: the lower triangle, row by row.
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.math.vector import MINVAL
from cortenforge.mujoco.mju.shapes import as_matrix, check_same_size, check_shape, checked_square
from cortenforge.mujoco.registry import function


def factor_in_place(mat: np.ndarray, mindiag: float) -> int:
    """Cholesky factor in the lower triangle; pivots are at least mindiag.  Returns the rank."""
    n = len(mat)
    rank = n
    for j in range(n):
        pivot = float(mat[j, j] - mat[j, :j] @ mat[j, :j])
        if pivot < mindiag:
            pivot = mindiag
            rank -= 1
        mat[j, j] = math.sqrt(pivot)
        mat[j + 1 :, j] -= mat[j + 1 :, :j] @ mat[j, :j]
        mat[j + 1 :, j] *= 1.0 / mat[j, j]
    return rank


def solve_factored(factor: np.ndarray, vec: np.ndarray) -> np.ndarray:
    """x of L L^T x = vec; only the lower triangle counts, and zeros on its diagonal give inf."""
    x = vec.copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(len(x)):
            x[i] = (x[i] - factor[i, :i] @ x[:i]) / factor[i, i]
        for i in range(len(x) - 1, -1, -1):
            x[i] = (x[i] - factor[i + 1 :, i] @ x[i + 1 :]) / factor[i, i]
    return x


@function
def mju_cholFactor(mat: np.ndarray, mindiag: float) -> int:
    """Cholesky factor in the lower triangle, in place.  Returns the rank."""
    mat = checked_square("mat", mat)
    return factor_in_place(mat, mindiag)


@function
def mju_cholSolve(res: np.ndarray, mat: np.ndarray, vec: np.ndarray) -> None:
    """res of L L^T res = vec, L from `mju_cholFactor`."""
    mat = checked_square("mat", mat)
    check_shape("res", res, mat.shape[0])
    check_shape("vec", vec, mat.shape[0])
    res[:] = solve_factored(mat, vec)


@function
def mju_cholUpdate(mat: np.ndarray, x: np.ndarray, flg_plus: int) -> int:
    """Factor of L L^T + x x^T, or of L L^T - x x^T; x is overwritten.  Returns the rank.

    Source: Gill, Golub, Murray and Saunders, "Methods for modifying matrix factorizations",
    Mathematics of Computation 28 (1974).
    """
    mat = checked_square("mat", mat)
    check_shape("x", x, mat.shape[0])
    sign = 1.0 if flg_plus else -1.0
    rank = len(mat)
    for k in range(len(mat)):
        if x[k] == 0.0:
            continue
        old = mat[k, k]
        square = float(old * old + sign * x[k] * x[k])
        if square < MINVAL:
            square = MINVAL
            rank -= 1
        mat[k, k] = math.sqrt(square)
        with np.errstate(divide="ignore", invalid="ignore"):
            c, s = mat[k, k] / old, x[k] / old
            mat[k + 1 :, k] = (mat[k + 1 :, k] + sign * s * x[k + 1 :]) / c
            x[k + 1 :] = c * x[k + 1 :] - s * mat[k + 1 :, k]
    return rank


def diagonal_address(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Address of the entry on the diagonal of row i of a band matrix."""
    sparse = ntotal - ndense
    if i < sparse:
        return i * nband + nband - 1
    return sparse * nband + (i - sparse) * ntotal + i


def check_band(mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> None:
    """Raise TypeError unless the sizes are those of a band matrix that `mat` is."""
    if not (0 <= ndense <= ntotal and nband >= 0):
        raise TypeError(f"expected 0 <= ndense <= ntotal and nband >= 0, got {ndense}, {ntotal}")
    wanted = (ntotal - ndense) * nband + ndense * ntotal
    if mat.size != wanted:
        raise TypeError(f"mat: expected {wanted} entries, got {mat.size}")


def band_rows(mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> list[np.ndarray]:
    """Views of the rows of the lower triangle, each from its first column to the diagonal."""
    rows = []
    for i in range(ntotal):
        at = diagonal_address(i, ntotal, nband, ndense)
        count = min(nband - 1, i) if i < ntotal - ndense else i
        rows.append(mat[at - count : at + 1])
    return rows


def dense_of_band(mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> np.ndarray:
    """The lower triangle of a band matrix as a dense one."""
    made = np.zeros((ntotal, ntotal))
    for i, row in enumerate(band_rows(mat, ntotal, nband, ndense)):
        made[i, i + 1 - len(row) : i + 1] = row
    return made


def symmetric_of(lower: np.ndarray) -> np.ndarray:
    """The symmetric matrix of a lower triangle."""
    return np.asarray(lower + np.tril(lower, -1).T)


@function
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Address of the entry on the diagonal of row i of a band matrix."""
    return diagonal_address(i, ntotal, nband, ndense)


@function
def mju_band2Dense(
    res: np.ndarray, mat: np.ndarray, ntotal: int, nband: int, ndense: int, flg_sym: bool
) -> None:
    """Dense matrix of a band matrix: symmetric, or the lower triangle only."""
    check_band(mat, ntotal, nband, ndense)
    res = as_matrix(res)
    check_shape("res", res, ntotal, ntotal)
    lower = dense_of_band(mat, ntotal, nband, ndense)
    res[:] = symmetric_of(lower) if flg_sym else lower


@function
def mju_dense2Band(res: np.ndarray, mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> None:
    """Band matrix of the lower triangle of a dense matrix; other entries are left out."""
    check_band(res, ntotal, nband, ndense)
    mat = as_matrix(mat)
    check_shape("mat", mat, ntotal, ntotal)
    for i, row in enumerate(band_rows(res, ntotal, nband, ndense)):
        row[:] = mat[i, i + 1 - len(row) : i + 1]


@function
def mju_bandMulMatVec(
    res: np.ndarray,
    mat: np.ndarray,
    vec: np.ndarray,
    ntotal: int,
    nband: int,
    ndense: int,
    nvec: int,
    flg_sym: bool,
) -> None:
    """Product of a band matrix and a vector; res is a vector, so nvec has to be 1."""
    check_band(mat.ravel(), ntotal, nband, ndense)
    if nvec != 1:
        raise TypeError(f"nvec: expected 1, since res is one vector, got {nvec}")
    if res.size != ntotal or vec.size != ntotal:
        raise TypeError(f"res, vec: expected {ntotal} entries, got {res.size} and {vec.size}")
    lower = dense_of_band(mat.ravel(), ntotal, nband, ndense)
    res[:] = (symmetric_of(lower) if flg_sym else lower) @ vec.ravel()


@function
def mju_cholFactorBand(
    mat: np.ndarray,
    ntotal: int,
    nband: int,
    ndense: int,
    diagadd: float,
    diagmul: float,
) -> float:
    """Cholesky factor of A + diagadd + diagmul diag(A), in place, in the same band.

    Returns the smallest entry on the factor's diagonal; 0 if a pivot is too small, and the factor
    is then incomplete.
    """
    check_band(mat, ntotal, nband, ndense)
    rows = band_rows(mat, ntotal, nband, ndense)
    smallest = math.inf
    for j, own in enumerate(rows):
        pivot = float(own[-1] + diagadd + diagmul * own[-1] - own[:-1] @ own[:-1])
        if pivot < MINVAL:
            return 0.0
        own[-1] = math.sqrt(pivot)
        smallest = min(smallest, float(own[-1]))
        for i in range(j + 1, ntotal):
            row = rows[i]
            at = j - (i + 1 - len(row))
            if at < 0:
                continue
            both = min(at, len(own) - 1)
            product = row[at - both : at] @ own[len(own) - 1 - both : -1]
            row[at] = (row[at] - product) / own[-1]
    return smallest


@function
def mju_cholSolveBand(
    res: np.ndarray, mat: np.ndarray, vec: np.ndarray, ntotal: int, nband: int, ndense: int
) -> None:
    """res of L L^T res = vec, L from `mju_cholFactorBand`."""
    check_band(mat, ntotal, nband, ndense)
    check_same_size(res=res, vec=vec)
    check_shape("vec", vec, ntotal)
    res[:] = solve_factored(dense_of_band(mat, ntotal, nband, ndense), vec)
