"""Dense matrices, a row after another: factors, and solving for many columns at once."""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel
def factor(matrix, n: int):
    """(1 + U) L in place, from the last row to the first, without a change of rows.

    In this order, trees of dofs fill nothing in: their zeros are left out.
    """
    for j in range(n - 1, -1, -1):
        inverse = 1.0 / matrix[j * n + j]
        for i in range(j):
            if matrix[i * n + j] != 0.0:
                share = matrix[i * n + j] * inverse
                matrix[i * n + j] = share
                take_row(matrix, i * n, matrix, j * n, j, share)


@kernel
def take_row(to, i: int, of, j: int, count: int, share):
    """Take a multiple of a row out of another."""
    for k in range(count):
        to[i + k] -= share * of[j + k]


@kernel
def solve(matrix, n: int, x, columns: int):
    """x = matrix^-1 x for a factor and all columns of x."""
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if matrix[i * n + j] != 0.0:
                take_row(x, i * columns, x, j * columns, columns, matrix[i * n + j])
    for i in range(n):
        for j in range(i):
            if matrix[i * n + j] != 0.0:
                take_row(x, i * columns, x, j * columns, columns, matrix[i * n + j])
        inverse = 1.0 / matrix[i * n + i]
        for k in range(columns):
            x[i * columns + k] *= inverse


@kernel
def add_product(m, matrix, result, x, columns: int):
    """result += matrix x, for a symmetric matrix in M's pattern and all columns of x."""
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        take_row(result, i * columns, x, i * columns, columns, -matrix[last])
        for at in range(start, last):
            j = m.M_colind[at]
            take_row(result, i * columns, x, j * columns, columns, -matrix[at])
            take_row(result, j * columns, x, i * columns, columns, -matrix[at])


@kernel
def spread(m, matrix, result, scale):
    """result += scale matrix, for a symmetric matrix in M's pattern."""
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        result[i * m.nv + i] += scale * matrix[last]
        for at in range(start, last):
            j = m.M_colind[at]
            result[i * m.nv + j] += scale * matrix[at]
            result[j * m.nv + i] += scale * matrix[at]


@kernel
def clear(x, count: int):
    """Zeros."""
    for k in range(count):
        x[k] = 0.0
