"""The end of a single-step integrator: new velocity first, then position with it.

v+ = v + h a,   q+ = q (+) h v+
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.constants import NO_ACTUATION, WITH_SLEEP
from cortenforge.step.history import keep_samples
from cortenforge.step.integrate.manifold import integrate_joints
from cortenforge.step.integrate.plastic import yield_after_step
from cortenforge.step.sleeping.fall import fall_asleep, stay_in_place
from cortenforge.step.sleeping.runs import DOFS, JOINTS, end_of, first_of, run_count, stirs


@kernel(lanes=True)
def advance(m, d):
    """Advance activations, velocities, positions and time with step_qacc.  Mirrors mj_advance."""
    if m.na > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for k in range(m.na):
            d.act_rate[k] = d.act_dot[k]
        advance_activations(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fall_asleep(m, d)
    move_on(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        stay_in_place(m, d)
    if m.nplastic > 0:
        yield_after_step(m, d)
    for i in range(m.nv):
        d.qacc_warmstart[i] = d.qacc[i]
    if m.nhistory > 0:
        keep_samples(m, d)
    d.time += m.opt_timestep


@kernel(lanes=True)
def move_on(m, d):
    """Velocities, then positions with them, of joints that are awake."""
    h = m.opt_timestep
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            for i in range(first_of(m, run, DOFS), end_of(m, run, DOFS)):
                d.qvel[i] += h * d.step_qacc[i]
            first, end = first_of(m, run, JOINTS), end_of(m, run, JOINTS)
            integrate_joints(m, d.qpos, d.qvel, h, first, end)
