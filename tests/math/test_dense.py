"""Dense Cholesky and LU in place, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.math.solve import (
    cholesky_in_place,
    cholesky_solve_in_place,
    lu_in_place,
    lu_solve_in_place,
)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_cholesky_matches_numpy(n):
    """000.1-AC3: the factor and the solution, for sizes up to 40."""
    rng = np.random.default_rng(n)
    root = rng.normal(size=(n, n))
    a, b = root @ root.T + n * np.eye(n), rng.normal(size=n)
    factor, x = a.copy(), b.copy()
    cholesky_in_place(factor)
    cholesky_solve_in_place(factor, x)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(a), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-12, atol=1e-13)
    # the upper triangle is neither read nor written
    np.testing.assert_array_equal(np.triu(factor, 1), np.triu(a, 1))


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_lu_matches_numpy(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=n)
    factors, x, pivot = a.copy(), b.copy(), np.zeros(n, np.int32)
    lu_in_place(factors, pivot)
    lu_solve_in_place(factors, pivot, x)
    expected = np.linalg.solve(a, b)
    # the matrix may be ill-conditioned: compare residuals on its own scale
    np.testing.assert_allclose(a @ x, b, atol=1e-11 * max(1, np.abs(expected).max()))


def test_lu_needs_pivoting():
    """A zero on the diagonal is not a singular matrix."""
    a, pivot, x = np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2, np.int32), np.array([3.0, 4.0])
    lu_in_place(a, pivot)
    lu_solve_in_place(a, pivot, x)
    np.testing.assert_array_equal(x, [4.0, 3.0])


@pytest.mark.parametrize(
    "a", [-np.eye(3), np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 1.0]]), np.full((2, 2), np.nan)]
)
def test_not_positive_definite_names_the_row(a):
    """000.1-S1: a pivot that is not positive is an error with its row."""
    with pytest.raises(cf.CholeskyFailed, match="row"):
        cholesky_in_place(a.copy())


@pytest.mark.parametrize("a", [np.zeros((2, 2)), np.ones((3, 3)), np.full((2, 2), np.nan)])
def test_singular_names_the_column(a):
    """13-AC15: a pivot of nothing is an error with its column."""
    with pytest.raises(cf.LuSingular, match="column"):
        lu_in_place(a.copy(), np.zeros(len(a), np.int32))


def test_wrong_arrays_are_refused():
    """A shape, type or order that the kernel would misread never reaches it."""
    with pytest.raises(cf.ShapeError):
        cholesky_in_place(np.zeros((2, 3)))
    with pytest.raises(cf.ShapeError):
        cholesky_in_place(np.eye(4)[::2, ::2])
    with pytest.raises(cf.ShapeError):
        cholesky_in_place(np.eye(3, dtype=np.float32))
    with pytest.raises(cf.ShapeError):
        lu_in_place(np.eye(3), np.zeros(3, np.int64))
    with pytest.raises(cf.ShapeError):
        cholesky_solve_in_place(np.eye(3), np.zeros(2))
