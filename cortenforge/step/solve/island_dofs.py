"""The smooth part of an island's cost: products with M, Gauss cost and gradient.

    gauss(a) = (a - a_s)' M (a - a_s) / 2,   gradient M a - f_smooth,   M a_s = f_smooth

In lockstep these work on the dofs of all worlds at once.

Source: MuJoCo: Computation, "Constraint solver", "Reduced primal problem".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.step.solve.island_problem import ITERATING


@kernel(lanes=True)
def mul_m(d, n: int, x, out):
    """out = M x.  Mirrors mj_mulM."""
    for i in range(n):
        start = d.iM_rowadr[i]
        last = start + d.iM_rownnz[i] - 1
        value = x[i]
        total = d.iM[last] * value
        for at in range(start, last):
            j = d.iM_colind[at]
            total += d.iM[at] * x[j]
            out[j] += d.iM[at] * value
        out[i] = total


@kernel(lanes=True)
def cost_scale(d, n: int):
    """Scale of costs and gradients: 1 / trace(M)."""
    total = zero_like(d.iM[0])
    for i in range(n):
        total += d.iM[d.iM_rowadr[i] + d.iM_rownnz[i] - 1]
    return 1.0 / total


@kernel(lanes=True)
def warmstart_gauss_cost(d, n: int):
    """iMa = M a at last step's acceleration a; returns its Gauss cost."""
    mul_m(d, n, d.iacc_warm, d.iMa)
    cost = zero_like(d.iM[0])
    for i in range(n):
        cost += (d.iMa[i] - d.ifrc_smooth[i]) * (d.iacc_warm[i] - d.iacc_smooth[i])
    return 0.5 * cost


@kernel(lanes=True)
def start_from_better(d, n: int):
    """Set the chosen start (istart), M a, and the gradient of the Gauss cost there."""
    warm = d.istart == 1
    for i in range(n):
        d.iacc[i] = select(warm, d.iacc_warm[i], d.iacc_smooth[i])
        product = select(warm, d.iMa[i], d.ifrc_smooth[i])
        d.iMa[i] = product
        d.igrad[i] = product - d.ifrc_smooth[i]


@kernel(lanes=True)
def squared_norm(n: int, x):
    """|x|^2."""
    s0, s1, s2, s3 = zero_like(x[0]), zero_like(x[0]), zero_like(x[0]), zero_like(x[0])
    whole = n & -4
    for i in range(0, whole, 4):
        s0 += x[i] * x[i]
        s1 += x[i + 1] * x[i + 1]
        s2 += x[i + 2] * x[i + 2]
        s3 += x[i + 3] * x[i + 3]
    for i in range(whole, n):
        s0 += x[i] * x[i]
    return (s0 + s1) + (s2 + s3)


@kernel(lanes=True)
def gauss_cost_derivatives(d, n: int):
    """iMv = M search; (first, second) derivative of the Gauss cost along the search."""
    mul_m(d, n, d.isearch, d.iMv)
    slope, curve = zero_like(d.iM[0]), zero_like(d.iM[0])
    for i in range(n):
        v = d.isearch[i]
        slope += v * (d.iMa[i] - d.ifrc_smooth[i])
        curve += v * d.iMv[i]
    return slope, curve


@kernel(lanes=True)
def move_along_search(d, n: int, alpha):
    """acc += alpha search, with M a and the Gauss gradient, in worlds that iterate."""
    going = d.solving == ITERATING
    for i in range(n):
        d.iacc[i] = select(going, d.iacc[i] + alpha * d.isearch[i], d.iacc[i])
        product = select(going, d.iMa[i] + alpha * d.iMv[i], d.iMa[i])
        d.iMa[i] = product
        d.igrad[i] = product - d.ifrc_smooth[i]


@kernel(lanes=True)
def array_dot(n: int, x, y):
    """x' y."""
    total = zero_like(x[0])
    for i in range(n):
        total += x[i] * y[i]
    return total


@kernel
def solve_m(d, n: int, x):
    """x <- M^-1 x, by the L'DL factor.  Mirrors mj_solveM."""
    for i in range(n - 1, -1, -1):
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i] - 1):
            x[d.iM_colind[at]] -= d.iLD[at] * x[i]
    for i in range(n):
        total = x[i] * d.iDinv[i]
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i] - 1):
            total -= d.iLD[at] * x[d.iM_colind[at]]
        x[i] = total
