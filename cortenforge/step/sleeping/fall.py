"""Falling asleep: trees that have been quiet for some steps are left where they are."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.acceleration import unconstrained
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.forward import forces, motions
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sleeping.numbers import AUTO_NEVER, FULLY_AWAKE, NEVER, READY
from cortenforge.step.sleeping.rest import keep_rest, rest_from_start, rest_readings
from cortenforge.step.sleeping.state import is_asleep
from cortenforge.step.sleeping.wake import is_unpushed


@kernel(unit=True)
def fall_asleep(m, d):
    """Which trees fall asleep in this step?  Mirrors mj_sleep and what mj_advance does about it.

    Constraints will make islands of trees, which fall asleep together; without, each is its own.
    """
    falling = 0
    for t in range(m.ntree):
        if not is_asleep(d, t):
            count_quiet_step(m, d, t)
            if d.tree_asleep[t] == READY:
                stop(m, d, t)
                falling += 1
    if falling > 0:
        # what depends on velocities is left as it is without them, before anyone is asleep
        evaluate_again(m, d)
        number = d.time - d.time
        for t in range(m.ntree):
            if d.tree_asleep[t] == READY:
                d.tree_asleep[t] = number
            number += 1.0
        keep_rest(m, d)
    keep_places(m, d)


@kernel
def count_quiet_step(m, d, tree: int):
    """One more step in which a tree was quiet, or none."""
    if is_quiet(m, d, tree):
        d.tree_asleep[tree] = min(d.tree_asleep[tree] + 1.0, READY)
    else:
        d.tree_asleep[tree] = FULLY_AWAKE


@kernel
def is_quiet(m, d, tree: int):
    """Whether a tree may sleep, is not pushed, and moves more slowly than the tolerance.

    Angular velocities count as the velocity of what turns, by dof_length.
    """
    policy = m.tree_sleep_policy[tree]
    quiet = policy != AUTO_NEVER and policy != NEVER and is_unpushed(m, d, tree)
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        if not m.dof_length[i] * abs(d.qvel[i]) < m.opt_sleep_tolerance:
            quiet = False
    return quiet


@kernel
def stop(m, d, tree: int):
    """Take away a tree's velocity."""
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        d.qvel[i] = 0.0
        d.qacc[i] = 0.0


@kernel
def evaluate_again(m, d):
    """Everything behind positions.  Mirrors mj_forwardSkip(mjSTAGE_POS)."""
    motions(m, d, 1, 1)
    forces(m, d)
    unconstrained(m, d)
    sense_accelerations(m, d)
    rest_readings(m, d)
    rest_from_start(m, d)


@kernel
def keep_places(m, d):
    """Remember positions, so that those of sleeping trees can be put back to the last bit."""
    for k in range(m.nq):
        d.resting_qpos[k] = d.qpos[k]


@kernel(unit=True)
def stay_in_place(m, d):
    """Put sleeping trees back to where they were before a step moved everything."""
    for j in range(m.njnt):
        if is_asleep(d, m.dof_treeid[m.jnt_dofadr[j]]):
            kind = m.jnt_type[j]
            width = 7 if kind == FREE else 4 if kind == BALL else 1
            dofs = 6 if kind == FREE else 3 if kind == BALL else 1
            for k in range(m.jnt_qposadr[j], m.jnt_qposadr[j] + width):
                d.qpos[k] = d.resting_qpos[k]
            for i in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + dofs):
                d.qvel[i] = 0.0
