"""Dense solves in place, for NumPy matrices: the kernels of `dense`, compiled.

Nothing is allocated but for the answer to a failure: matrices are overwritten by their factors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import CholeskyFailed, LuSingular, ShapeError
from cortenforge.kernel import Kernel, kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on
from cortenforge.math.dense import cholesky_factor, cholesky_solve, lu_factor, lu_solve

SIZES = StructLayout("DenseSizes", [("n", "size", (), True)], constant=True)
DESK = StructLayout(
    "DenseDesk",
    [("a", "real", (), False), ("x", "real", (), False), ("pivot", "int", (), False)],
    constant=False,
)


@kernel(entry=True)
def run_cholesky_factor(m, d, count: int):
    """Entry of `cholesky_factor`."""
    return cholesky_factor(d.a, m.n)


@kernel(entry=True)
def run_cholesky_solve(m, d, count: int):
    """Entry of `cholesky_solve`."""
    cholesky_solve(d.a, d.x, m.n)
    return -1


@kernel(entry=True)
def run_lu_factor(m, d, count: int):
    """Entry of `lu_factor`."""
    return lu_factor(d.a, d.pivot, m.n)


@kernel(entry=True)
def run_lu_solve(m, d, count: int):
    """Entry of `lu_solve`."""
    lu_solve(d.a, d.pivot, d.x, m.n)
    return -1


@registered(lambda: [run_cholesky_factor, run_cholesky_solve, run_lu_factor, run_lu_solve])
def dense_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(SIZES, DESK)


def cholesky_in_place(a: np.ndarray) -> None:
    """Overwrite the lower triangle of a positive definite matrix with L, where L L' = a.

    Raises CholeskyFailed, with the row, if it is not positive definite.
    """
    row = _run(run_cholesky_factor, a)
    if row >= 0:
        raise CholeskyFailed(
            f"the matrix is not positive definite: the pivot of row {row} is not positive", dof=row
        )


def cholesky_solve_in_place(factor: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of L L' x = b, where L is from `cholesky_in_place`."""
    _run(run_cholesky_solve, factor, x)


def lu_in_place(a: np.ndarray, pivot: np.ndarray) -> None:
    """Overwrite a matrix with its LU factors, and pivot (int32) with the row exchanges.

    Raises LuSingular, with the column, if it has no inverse.
    """
    column = _run(run_lu_factor, a, pivot=pivot)
    if column >= 0:
        raise LuSingular(f"the matrix is singular: column {column} has no pivot", dof=column)


def lu_solve_in_place(factors: np.ndarray, pivot: np.ndarray, x: np.ndarray) -> None:
    """Overwrite x with the solution of a x = b, where a went through `lu_in_place`."""
    _run(run_lu_solve, factors, x, pivot)


def _run(
    unit: Kernel, a: np.ndarray, x: np.ndarray | None = None, pivot: np.ndarray | None = None
) -> int:
    n = len(a)
    _check("matrix", a, (n, n), np.float64)
    if x is not None:
        _check("right-hand side", x, (n,), np.float64)
    if pivot is not None:
        _check("pivot", pivot, (n,), np.int32)
    return run_on(unit, dense_linker, {"n": n}, {"a": a, "x": x, "pivot": pivot}, small=False)


def _check(what: str, array: Any, shape: tuple[int, ...], dtype: type) -> None:
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not fits or not array.flags.c_contiguous or not array.flags.writeable:
        raise ShapeError(
            f"{what}: expected a writeable C-contiguous {np.dtype(dtype)} array of shape {shape}"
        )
