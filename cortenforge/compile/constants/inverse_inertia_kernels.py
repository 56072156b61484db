"""M^-1 J' for sparse rows J: kernels around the factor M = L' D L of the engine."""

from __future__ import annotations

from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.math.ldl import solve_lower_one, solve_upper_one

FORCE_LAYOUT = StructLayout(
    "Forces",
    [
        ("nrow", "size", (), True),
        ("row_start", "int", (), False),
        ("row_dof", "int", (), False),
        ("row_value", "real", (), False),
        ("row_low", "int", (), False),
        ("row_high", "int", (), False),
        ("qLD", "real", (), False),
        ("qLDiagInv", "real", (), False),
        ("moved", "real", (), False),
        ("square", "real", (), False),
        ("product", "real", (), False),
    ],
    constant=False,
)


@kernel(unit=True)
def apply_inverse_inertia(m, d):
    """Compute |M^-1 J'|^2 (square) and J M^-1 J' (product) of each row J."""
    for row in range(d.nrow):
        for i in range(d.row_low[row], d.row_high[row]):
            d.moved[i] = 0.0
        for at in range(d.row_start[row], d.row_start[row + 1]):
            d.moved[d.row_dof[at]] = d.row_value[at]
        solve_dof_range(m, d, d.row_low[row], d.row_high[row])
        for i in range(d.row_low[row], d.row_high[row]):
            d.square[row] += d.moved[i] * d.moved[i]
        for at in range(d.row_start[row], d.row_start[row + 1]):
            d.product[row] += d.row_value[at] * d.moved[d.row_dof[at]]


@kernel
def solve_dof_range(m, d, low: int, high: int):
    """Solve M x = b in place (d.moved), for the dofs low <= i < high of whole trees."""
    for i in range(high - 1, low - 1, -1):
        # most dofs of a tree are not above those of a row
        if d.moved[i] != 0.0:
            solve_upper_one(m, d.qLD, d.moved, i)
    for i in range(low, high):
        d.moved[i] *= d.qLDiagInv[i]
        solve_lower_one(m, d.qLD, d.moved, i)


@registered(lambda: [apply_inverse_inertia])
def inverse_inertia_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(MODEL_LAYOUT, FORCE_LAYOUT)
