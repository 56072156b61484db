"""Dense LU factors in place and solving for many right-hand sides, row by row.

    matrix = (1 + U) L      eliminated from the last row to the first, without pivoting

In this order, the zeros of kinematic trees stay zeros, and are skipped.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 6.5 (sparsity from branches).
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel
def factor_dense(matrix, n: int):
    """Factor (1 + U) L of a matrix (n, n), in place."""
    for j in range(n - 1, -1, -1):
        inverse = 1.0 / matrix[j * n + j]
        for i in range(j):
            if matrix[i * n + j] != 0.0:
                share = matrix[i * n + j] * inverse
                matrix[i * n + j] = share
                subtract_row(matrix, i * n, matrix, j * n, j, share)


@kernel
def subtract_row(to, i: int, of, j: int, count: int, share):
    """to[i...] -= share * of[j...], for `count` numbers."""
    for k in range(count):
        to[i + k] -= share * of[j + k]


@kernel
def solve_dense(matrix, n: int, x, columns: int):
    """x = matrix^-1 x for all columns of x (n, columns), from the factor."""
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if matrix[i * n + j] != 0.0:
                subtract_row(x, i * columns, x, j * columns, columns, matrix[i * n + j])
    for i in range(n):
        for j in range(i):
            if matrix[i * n + j] != 0.0:
                subtract_row(x, i * columns, x, j * columns, columns, matrix[i * n + j])
        inverse = 1.0 / matrix[i * n + i]
        for k in range(columns):
            x[i * columns + k] *= inverse


@kernel
def add_matrix_product(m, matrix, result, x, columns: int):
    """result += matrix x, for a symmetric matrix in M's pattern and all columns of x."""
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        subtract_row(result, i * columns, x, i * columns, columns, -matrix[last])
        for at in range(start, last):
            j = m.M_colind[at]
            subtract_row(result, i * columns, x, j * columns, columns, -matrix[at])
            subtract_row(result, j * columns, x, i * columns, columns, -matrix[at])


@kernel
def scatter_symmetric(m, matrix, result, scale):
    """result += scale matrix, for a symmetric matrix in M's pattern; result is dense."""
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        result[i * m.nv + i] += scale * matrix[last]
        for at in range(start, last):
            j = m.M_colind[at]
            result[i * m.nv + j] += scale * matrix[at]
            result[j * m.nv + i] += scale * matrix[at]


@kernel
def clear_array(x, count: int):
    """Set the first `count` numbers to zero."""
    for k in range(count):
        x[k] = 0.0
