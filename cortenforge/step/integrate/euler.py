"""Semi-implicit Euler, with implicit damping of joints.

    (M + h B) a = f,   v+ = v + h a,   q+ = q + h v+,   B = diag(-dforce/dv) of joint dampers

Source: MuJoCo: Computation, "Numerical integration".
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.ldl import ldl_factor_run, ldl_solve_run
from cortenforge.step.armature_and_damping import dof_damping_derivative, dof_damping_magnitude
from cortenforge.step.constants import NO_DAMPER, NO_EULERDAMP, WITH_SLEEP
from cortenforge.step.integrate.advance import advance_state
from cortenforge.step.position.mass_matrix import copy_matrix_rows
from cortenforge.step.sleeping.body_runs import (
    RUN_DOFS,
    is_run_active,
    run_count,
    run_end,
    run_start,
)


@kernel(lanes=True, unit=True)
def euler(m, d):
    """One step; joint damping, if there is any, is implicit.  Mirrors mj_Euler."""
    damped = has_implicit_damping(m)
    if any_lane(damped):
        damped_acceleration(m, d)
        active = is_damping_active(m, d, damped)
        # a world without damping keeps the acceleration it has, and has no such factor
        for i in range(m.nv):
            d.step_qacc[i] = select(active, d.step_qacc[i], d.qacc[i])
            d.qHDiagInv[i] = select(damped, d.qHDiagInv[i], 0.0)
        for k in range(m.nC):
            d.qH[k] = select(damped, d.qH[k], 0.0)
    else:
        for i in range(m.nv):
            d.step_qacc[i] = d.qacc[i]
    advance_state(m, d)


@kernel(lanes=True)
def has_implicit_damping(m):
    """Whether any dof or its actuators have damping, and the flag `eulerdamp` is on."""
    largest = 0.0
    if m.opt_disableflags & (NO_EULERDAMP | NO_DAMPER) == 0:
        for i in range(m.nv):
            largest = max(largest, dof_damping_magnitude(m, i))
    return largest > 0.0


@kernel(lanes=True)
def is_damping_active(m, d, damped):
    """Whether damping counts: where trees may sleep, only that of awake trees."""
    active = damped
    if m.opt_enableflags & WITH_SLEEP != 0:
        largest = zero_like(d.time)
        for i in range(m.nv):
            awake = d.tree_asleep[m.dof_treeid[i]] < 0.0
            largest = select(awake, max(largest, dof_damping_magnitude(m, i)), largest)
        active = damped and largest > 0.0
    return active


@kernel(lanes=True)
def damped_acceleration(m, d):
    """step_qacc: (M + hB) a = qfrc_smooth + qfrc_constraint.  Mirrors mj_EulerSkip."""
    add_damping(m, d)
    factor_damped(m, d)
    solve_damped(m, d)


@kernel(lanes=True)
def add_damping(m, d):
    """qH = M + hB, and the force in step_qacc."""
    h = m.opt_timestep
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
            copy_matrix_rows(m, first, end, d.M, d.qH)
            for i in range(first, end):
                d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * dof_damping_derivative(m, d, i)
                d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]


@kernel(lanes=True)
def factor_damped(m, d):
    """L'DL factor of M + hB."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
            ldl_factor_run(m, d.qH, d.qHDiagInv, first, end)


@kernel(lanes=True)
def solve_damped(m, d):
    """step_qacc = (M + hB)^-1 step_qacc."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
            ldl_solve_run(m, d.qH, d.qHDiagInv, d.step_qacc, first, end)
