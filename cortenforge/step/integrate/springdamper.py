"""Implicit springs and dampers of joints: `implicitspringdamper`, our own integrator.

    (M + h D + h^2 K) v+ = M v + h f - h K (q - q_ref)

D and K of joints are diagonal; f are all other forces. With a = (v+ - v) / h:

    (M + h D + h^2 K) a = force - h K v

where force is that at the start of the step, springs and dampers included. Source:
docs/integrators.md.
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import CLAMPED_INVERSE, ldl_factor, ldl_solve
from cortenforge.step.armature_and_damping import dof_damping_derivative
from cortenforge.step.constants import NO_DAMPER
from cortenforge.step.derivative.spring_stiffness import joint_spring_stiffness
from cortenforge.step.integrate.advance import advance_state
from cortenforge.step.queries.inertia import add_symmetric_product
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def spring_damper(m, d):
    """One step; springs and dampers of tendons are explicit."""
    set_spring_damper_matrix(m, d)
    for i in range(m.nv):
        force = d.qfrc_smooth[i] + d.qfrc_constraint[i]
        d.step_qacc[i] = force - d.efm_ck[i] * d.qvel[i]
    ldl_factor(m, d.qH, d.qHDiagInv)
    for i in range(m.nv):
        fail(d, not d.qHDiagInv[i] < CLAMPED_INVERSE, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
    ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
    advance_state(m, d)


@kernel(lanes=True)
def set_spring_damper_matrix(m, d):
    """qH = M + hD + h^2 K of joints, and efm_ck = hK."""
    joint_spring_stiffness(m, d)
    h = m.opt_timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for i in range(m.nv):
        last = m.M_rowadr[i] + m.M_rownnz[i] - 1
        d.qH[last] += h * d.efm_ck[i]
        if m.opt_disableflags & NO_DAMPER == 0:
            d.qH[last] += h * dof_damping_derivative(m, d, i)


@kernel(lanes=True, unit=True)
def spring_damper_product(m, d):
    """inverse_qacc = (M + hD + h^2 K) qacc + hK v: the force of a step with that change."""
    set_spring_damper_matrix(m, d)
    for i in range(m.nv):
        d.inverse_qacc[i] = d.efm_ck[i] * d.qvel[i]
    add_symmetric_product(m, d.qH, d.inverse_qacc, d.qacc)
