"""Inverse dynamics: which force makes the acceleration that is given?"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.forward import motions, positions
from cortenforge.step.sensing.acceleration import sense_accelerations


@kernel(lanes=True)
def inverse(m, d):
    """Which applied force makes qacc?  Mirrors mj_inverse, as far as it needs no constraints."""
    positions(m, d, 1, 1)
    motions(m, d, 1, 1)
    sense_accelerations(m, d)
    inverse_force(m, d)


@kernel(lanes=True)
def inverse_force(m, d):
    """qfrc_inverse = M qacc + bias - passive forces - those of constraints."""
    for i in range(m.nv):
        d.qfrc_inverse[i] = d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i]
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        d.qfrc_inverse[i] += d.M[last] * d.qacc[i]
        # an entry below the diagonal stands for two
        for at in range(start, last):
            column = m.M_colind[at]
            d.qfrc_inverse[i] += d.M[at] * d.qacc[column]
            d.qfrc_inverse[column] += d.M[at] * d.qacc[i]


@kernel(lanes=True, unit=True)
def compare_inverse(m, d):
    """How far are forward and inverse dynamics apart?  Mirrors mj_compareFwdInv.

    It measures how well the solver has converged: without constraints, both numbers are zero and
    qfrc_inverse is left alone.
    """
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
