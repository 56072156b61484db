"""Regularisation and reference of rows in the metric of a step (integrator `discrete`).

    diagA = invweight * (J diag(Mhat)^-1 J') / (J diag(M)^-1 J'),   Mhat = M + hD + h^2 K
    or exactly J Mhat^-1 J' with the flag `diagexact`; Mhat without its couplings

Source: MuJoCo: Computation, "Constraint solver", section "Parameters".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL
from cortenforge.step.constants import WITH_DIAGEXACT
from cortenforge.step.constraint.exact_diagonal import exact_row_diagonal
from cortenforge.step.constraint.impedance import set_all_regularisation
from cortenforge.step.constraint.reference_acceleration import set_reference_accelerations
from cortenforge.step.constraint.row_list import pad_row_list


@kernel(unit=True)
def regularise_in_metric(m, d):
    """diagA, R, D and aref of all rows in the metric.  Mirrors mj_regularizeConstraint."""
    if m.opt_enableflags & WITH_DIAGEXACT != 0:
        for i in range(m.nv):
            d.row_solve[i] = 0.0
    for row in range(d.nefc):
        if m.opt_enableflags & WITH_DIAGEXACT != 0:
            d.efc_diagA[row] = exact_row_diagonal(m, d, d.qH, d.qHDiagInv, row)
        else:
            d.efc_diagA[row] = d.efc_invweight[row] * metric_weight_ratio(m, d, row)
    set_all_regularisation(m, d)
    pad_row_list(d)
    set_reference_accelerations(m, d)


@kernel
def metric_weight_ratio(m, d, row: int):
    """Ratio of a row's J diag(Mhat)^-1 J' to its J diag(M)^-1 J'; 1 for a row without inertia."""
    left, bare = 0.0, 0.0
    start = d.efc_J_rowadr[row]
    for at in range(start, start + d.efc_J_rownnz[row]):
        i, square = d.efc_J_colind[at], d.efc_J_value[at] * d.efc_J_value[at]
        own = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
        left += square / max(MINVAL, own + d.efm_sdiag[i])
        bare += square / max(MINVAL, own)
    return left / bare if bare > MINVAL else 1.0
