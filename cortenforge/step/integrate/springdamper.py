"""Implicit springs and dampers of joints: `implicitspringdamper`, our own integrator.

    (M + h D + h^2 K) v+ = M v + h f - h K (q - q_ref)

D and K of joints are diagonal; f are all other forces. With a = (v+ - v) / h:

    (M + h D + h^2 K) a = force - h K v

where force is that at the start of the step, springs and dampers included. Source:
docs/integrators.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import CLAMPED, ldl_factor, ldl_solve
from cortenforge.step.constants import NO_DAMPER
from cortenforge.step.derivative.springs import spring_slopes
from cortenforge.step.integrate.advance import advance
from cortenforge.step.queries.inertia import add_symmetric
from cortenforge.step.reflected import damping_slope
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def spring_damper(m, d):
    """One step; springs and dampers of tendons are explicit."""
    fill_spring_damper(m, d)
    for i in range(m.nv):
        force = d.qfrc_smooth[i] + d.qfrc_constraint[i]
        d.step_qacc[i] = force - d.efm_ck[i] * d.qvel[i]
    ldl_factor(m, d.qH, d.qHDiagInv)
    for i in range(m.nv):
        fail(d, not d.qHDiagInv[i] < CLAMPED, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
    ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
    advance(m, d)


@kernel(lanes=True)
def fill_spring_damper(m, d):
    """qH = M + hD + h^2 K of joints, and efm_ck = hK."""
    spring_slopes(m, d)
    h = m.opt_timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for i in range(m.nv):
        last = m.M_rowadr[i] + m.M_rownnz[i] - 1
        d.qH[last] += h * d.efm_ck[i]
        if m.opt_disableflags & NO_DAMPER == 0:
            d.qH[last] += h * damping_slope(m, d, i)


@kernel(lanes=True, unit=True)
def spring_damper_product(m, d):
    """inverse_qacc = (M + hD + h^2 K) qacc + hK v: the force of a step with that change."""
    fill_spring_damper(m, d)
    for i in range(m.nv):
        d.inverse_qacc[i] = d.efm_ck[i] * d.qvel[i]
    add_symmetric(m, d.qH, d.inverse_qacc, d.qacc)
