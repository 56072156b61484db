"""Semi-implicit Euler: new velocity first, then position with it."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.ldl import ldl_factor, ldl_solve
from cortenforge.step.constants import NO_DAMPER, NO_EULERDAMP
from cortenforge.step.integrate.advance import advance
from cortenforge.step.reflected import damping_slope


@kernel(lanes=True, unit=True)
def euler(m, d):
    """One step, with joint damping taken implicitly if there is any.  Mirrors mj_Euler."""
    damped = has_implicit_damping(m)
    if any_lane(damped):
        damped_acceleration(m, d)
        # a world without damping keeps the acceleration it has, and has no such factor
        for i in range(m.nv):
            d.step_qacc[i] = select(damped, d.step_qacc[i], d.qacc[i])
            d.qHDiagInv[i] = select(damped, d.qHDiagInv[i], 0.0)
        for k in range(m.nC):
            d.qH[k] = select(damped, d.qH[k], 0.0)
    else:
        for i in range(m.nv):
            d.step_qacc[i] = d.qacc[i]
    advance(m, d)


@kernel(lanes=True)
def has_implicit_damping(m):
    """Whether any dof, or an actuator of it, is damped and the damping is integrated implicitly."""
    largest = 0.0
    if m.opt_disableflags & (NO_EULERDAMP | NO_DAMPER) == 0:
        for i in range(m.nv):
            curved = abs(m.dof_dampingpoly[i, 0]) + abs(m.dof_dampingpoly[i, 1])
            largest = max(largest, max(m.dof_damping[i], curved))
            if m.jnt_actuatorid[m.dof_jntid[i]] != -1:
                largest = max(largest, 1.0)
    return largest > 0.0


@kernel(lanes=True)
def damped_acceleration(m, d):
    """Acceleration with the derivative of damping: (M + hB) a = force.  Mirrors mj_EulerSkip."""
    h = m.opt_timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for i in range(m.nv):
        d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * damping_slope(m, d, i)
        d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    ldl_factor(m, d.qH, d.qHDiagInv)
    ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
