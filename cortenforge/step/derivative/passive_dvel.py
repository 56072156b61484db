"""Partial derivative of passive forces by velocity: joint and tendon dampers, and fluid.

    joint    qDeriv[i, i] -= d/dv (b1 v + b2 |v| v + b3 v^3) = b1 + 2 b2 |v| + 3 b3 v^2
    tendon   qDeriv -= J' (the same of the tendon's velocity) J

Source: MuJoCo: Computation, "Passive forces" and "Polynomial forces".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.armature_and_damping import dof_damping_derivative, tendon_damping_derivative
from cortenforge.step.constants import NO_DAMPER, NO_SPRING
from cortenforge.step.derivative.fluid_dvel import add_fluid_dvel
from cortenforge.step.derivative.sparsity import add_symmetric_entries


@kernel(lanes=True)
def add_passive_dvel(m, d, biased: int):
    """Add the partial of qfrc_passive by velocity to qDeriv.  Mirrors mjd_passive_vel."""
    off = m.opt_disableflags
    if off & NO_SPRING == 0 or off & NO_DAMPER == 0:
        if any_lane(m.opt_density > 0.0 or m.opt_viscosity > 0.0):
            add_fluid_dvel(m, d, biased)
        if off & NO_DAMPER == 0:
            for i in range(m.nv):
                d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= dof_damping_derivative(m, d, i)
            for i in range(m.ntendon):
                add_tendon_dvel(m, d, i, -tendon_damping_derivative(m, d, i))


@kernel(lanes=True)
def add_tendon_dvel(m, d, i: int, slope):
    """Add slope J' J of a tendon to qDeriv."""
    if any_lane(slope != 0.0):
        start = m.ten_J_rowadr[i]
        for j in range(start, start + m.ten_J_rownnz[i]):
            scaled = slope * d.ten_J[j]
            for n in range(start, j + 1):
                row, column = m.ten_J_colind[j], m.ten_J_colind[n]
                add_symmetric_entries(m, d.qDeriv, row, column, scaled * d.ten_J[n], slope != 0.0)
