"""Semi-implicit Euler: new velocity first, then position with it."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.ldl import ldl_factor, ldl_solve
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.constants import NO_ACTUATION, NO_DAMPER, NO_EULERDAMP, WITH_SLEEP
from cortenforge.step.history import keep_samples
from cortenforge.step.integrate.manifold import integrate_pos
from cortenforge.step.integrate.plastic import yield_after_euler
from cortenforge.step.reflected import reflected_damping
from cortenforge.step.sleeping.fall import fall_asleep, stay_in_place


@kernel(lanes=True, unit=True)
def euler(m, d):
    """One step, with joint damping taken implicitly if there is any.  Mirrors mj_Euler."""
    damped = has_implicit_damping(m)
    if any_lane(damped):
        damped_acceleration(m, d)
        # a world without damping keeps the acceleration it has, and has no such factor
        for i in range(m.nv):
            d.euler_qacc[i] = select(damped, d.euler_qacc[i], d.qacc[i])
            d.qHDiagInv[i] = select(damped, d.qHDiagInv[i], 0.0)
        for k in range(m.nC):
            d.qH[k] = select(damped, d.qH[k], 0.0)
    else:
        for i in range(m.nv):
            d.euler_qacc[i] = d.qacc[i]
    if m.na > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for k in range(m.na):
            d.act_rate[k] = d.act_dot[k]
        advance_activations(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fall_asleep(m, d)
    h = m.opt_timestep
    for i in range(m.nv):
        d.qvel[i] += h * d.euler_qacc[i]
    integrate_pos(m, d.qpos, d.qvel, h)
    if m.opt_enableflags & WITH_SLEEP != 0:
        stay_in_place(m, d)
    if m.nplastic > 0:
        yield_after_euler(m, d)
    for i in range(m.nv):
        d.qacc_warmstart[i] = d.qacc[i]
    if m.nhistory > 0:
        keep_samples(m, d)
    d.time += h


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
        d.euler_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    ldl_factor(m, d.qH, d.qHDiagInv)
    ldl_solve(m, d.qH, d.qHDiagInv, d.euler_qacc)


@kernel(lanes=True)
def damping_slope(m, d, i: int):
    """How a dof's damping, with that of its actuators, grows with its velocity."""
    joint = m.dof_jntid[i]
    speed = abs(d.qvel[i])
    b1 = m.dof_damping[i] + reflected_damping(m, joint, 1)
    b2 = m.dof_dampingpoly[i, 0] + reflected_damping(m, joint, 2)
    b3 = m.dof_dampingpoly[i, 1] + reflected_damping(m, joint, 3)
    return b1 + speed * (2.0 * b2 + speed * (3.0 * b3))
