"""The end of a single-step integrator: new velocity first, then position with it.

v+ = v + h a,   q+ = q (+) h v+

Source: MuJoCo: Computation, "Numerical integration" (semi-implicit Euler).
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.constants import NO_ACTUATION, WITH_SLEEP
from cortenforge.step.history import store_samples
from cortenforge.step.integrate.falling_asleep import put_trees_to_sleep, restore_resting_positions
from cortenforge.step.integrate.joint_positions import integrate_joints
from cortenforge.step.integrate.plastic import yield_after_step
from cortenforge.step.sleeping.body_runs import (
    RUN_DOFS,
    RUN_JOINTS,
    is_run_active,
    run_count,
    run_end,
    run_start,
)


@kernel(lanes=True)
def advance_state(m, d):
    """Advance activations, velocities, positions and time with step_qacc.  Mirrors mj_advance."""
    if m.na > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for k in range(m.na):
            d.act_rate[k] = d.act_dot[k]
        advance_activations(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        put_trees_to_sleep(m, d)
    advance_awake_joints(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        restore_resting_positions(m, d)
    if m.nplastic > 0:
        yield_after_step(m, d)
    for i in range(m.nv):
        d.qacc_warmstart[i] = d.qacc[i]
    if m.nhistory > 0:
        store_samples(m, d)
    d.time += m.opt_timestep


@kernel(lanes=True)
def advance_awake_joints(m, d):
    """Velocities, then positions with them, of joints that are awake."""
    h = m.opt_timestep
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
                d.qvel[i] += h * d.step_qacc[i]
            first, end = run_start(m, run, RUN_JOINTS), run_end(m, run, RUN_JOINTS)
            integrate_joints(m, d.qpos, d.qvel, h, first, end)
