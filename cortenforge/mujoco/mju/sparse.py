"""Sparse matrices in compressed rows: number, address and columns of the entries of each row."""

from __future__ import annotations

import numpy as np

from cortenforge.mujoco.mju.shapes import as_matrix, check_shape, checked_square
from cortenforge.mujoco.registry import function


def entries(
    rows: int, columns: int, mat: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray,
    colind: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Row, column and address of each entry.  Raises TypeError for indices out of range."""
    check_shape("rownnz", rownnz, rows)
    check_shape("rowadr", rowadr, rows)
    if rows and (rownnz.min() < 0 or rowadr.min() < 0):
        raise TypeError("rownnz, rowadr: expected no negative numbers")
    row = np.repeat(np.arange(rows), rownnz)
    first = np.repeat(rowadr - np.concatenate([[0], np.cumsum(rownnz)[:-1]]), rownnz)
    at = first + np.arange(len(row))
    if len(at) and at.max() >= min(mat.size, colind.size):
        raise TypeError("rownnz, rowadr: they point behind the end of mat or colind")
    column = colind[at]
    if len(at) and not (column.min() >= 0 and column.max() < columns):
        raise TypeError(f"colind: expected columns from 0 to {columns - 1}")
    return row, column, at


@function
def mju_sparse2dense(
    res: np.ndarray, mat: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray
) -> None:
    """Dense matrix of a sparse one."""
    res = as_matrix(res)
    row, column, at = entries(res.shape[0], res.shape[1], mat, rownnz, rowadr, colind)
    values = mat[at]
    res[:] = 0.0
    res[row, column] = values


@function
def mju_sym2dense(
    res: np.ndarray, mat: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray
) -> None:
    """Dense matrix of a symmetric sparse one, of which the lower triangle is given."""
    res = checked_square("res", res)
    row, column, at = entries(len(res), len(res), mat, rownnz, rowadr, colind)
    values = mat[at]
    res[:] = 0.0
    res[row, column] = values
    res[column, row] = values


@function
def mju_dense2sparse(
    res: np.ndarray, mat: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray
) -> int:
    """Sparse matrix of a dense one.  Returns 0, or 1 if there is not enough room for it."""
    mat = as_matrix(mat)
    rows = len(mat)
    check_shape("rownnz", rownnz, rows)
    check_shape("rowadr", rowadr, rows)
    check_shape("colind", colind, res.size)
    row, column = np.nonzero(mat)
    if len(row) > res.size:
        return 1
    counts = np.bincount(row, minlength=rows)
    rownnz[:] = counts
    rowadr[:] = np.cumsum(counts) - counts
    res[: len(row)] = mat[row, column]
    colind[: len(row)] = column
    return 0
