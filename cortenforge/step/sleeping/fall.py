"""Falling asleep: islands whose trees have all been quiet for ten steps.

    quiet:  dof_length |qvel| < sleep_tolerance for all dofs, and no applied force
    tree_asleep: -11, then +1 each quiet step up to -1; an island sleeps when all are at -1

Source: MuJoCo: Computation, "Sleeping islands".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.callbacks import CONTROL, call_control
from cortenforge.step.constants import DISCRETE, NO_ACTUATION, NO_ISLAND
from cortenforge.step.forward import from_controls, motions
from cortenforge.step.sleeping.numbers import AUTO_NEVER, FULLY_AWAKE, INIT, NEVER, READY
from cortenforge.step.sleeping.rest import keep_rest
from cortenforge.step.sleeping.runs import DOFS, QPOS, TREE, end_of, first_of
from cortenforge.step.sleeping.state import is_asleep
from cortenforge.step.sleeping.wake import is_unpushed


@kernel(unit=True)
def fall_asleep(m, d):
    """Put trees to sleep whose whole island is ready.  Mirrors mj_sleep.

    Their velocity becomes zero, and forces are computed once more, as mj_advance does.
    """
    if choose_falling(m, d):
        for t in range(m.ntree):
            if d.tree_falls[t] != 0:
                stop(m, d, t)
        # all that depends on velocities, once more with those at zero and before anyone sleeps
        evaluate_again(m, d)
        tie_together(m, d)
        keep_rest(m, d)
        if m.opt_integrator == DISCRETE:
            # trees that stay awake use the new acceleration
            for i in range(m.nv):
                d.step_qacc[i] = d.qacc[i]
    keep_places(m, d)


@kernel(unit=True)
def sleep_from_start(m, d):
    """Put trees with the policy `init` to sleep, where they are.  Mirrors mj_resetData.

    Trees that would have to wait for others of their island start awake. Sleepers keep the sensor
    values they would have awake; their smooth forces and accelerations are zero.
    """
    for t in range(m.ntree):
        d.tree_asleep[t] = READY if m.tree_sleep_policy[t] == INIT else FULLY_AWAKE
    if choose_falling(m, d):
        tie_together(m, d)
    for t in range(m.ntree):
        if d.tree_asleep[t] == READY:
            d.tree_asleep[t] = FULLY_AWAKE
    for i in range(m.nv):
        d.qfrc_smooth[i] = 0.0
        d.qacc_smooth[i] = 0.0
    keep_rest(m, d)


@kernel
def choose_falling(m, d):
    """Count quiet steps and mark, in tree_falls, trees that fall asleep; whether there are any.

    Trees of an island fall asleep together. With islands disabled, no constrained world sleeps.
    """
    found = False
    if d.nefc == 0 or m.opt_disableflags & NO_ISLAND == 0:
        for t in range(m.ntree):
            d.island_rests[t] = 1
        for t in range(m.ntree):
            if not is_asleep(d, t):
                count_quiet_step(m, d, t)
                island = island_of(d, t)
                if island >= 0 and d.tree_asleep[t] != READY:
                    d.island_rests[island] = 0
        for t in range(m.ntree):
            island = island_of(d, t)
            falls = d.tree_asleep[t] == READY and (island < 0 or d.island_rests[island] != 0)
            d.tree_falls[t] = 1 if falls else 0
            found = found or falls
    return found


@kernel
def island_of(d, tree: int):
    """Island of a tree; -1 without constraints."""
    return d.tree_island[tree] if d.nefc > 0 else -1


@kernel
def tie_together(m, d):
    """Link the trees of each island that fall asleep into a cycle.  Mirrors mj_sleepCycle."""
    for t in range(m.ntree):
        d.island_last[t] = -1
    for t in range(m.ntree):
        if d.tree_falls[t] != 0:
            d.tree_asleep[t] = 1.0 * t
            island = island_of(d, t)
            if island >= 0:
                before = d.island_last[island]
                if before >= 0:
                    d.tree_asleep[t] = d.tree_asleep[before]
                    d.tree_asleep[before] = 1.0 * t
                d.island_last[island] = t


@kernel
def count_quiet_step(m, d, tree: int):
    """Increment a tree's count of quiet steps, or reset it."""
    if is_quiet(m, d, tree):
        d.tree_asleep[tree] = min(d.tree_asleep[tree] + 1.0, READY)
    else:
        d.tree_asleep[tree] = FULLY_AWAKE


@kernel
def is_quiet(m, d, tree: int):
    """Whether a tree may sleep, has no applied forces, and moves more slowly than the tolerance.

    dof_length |qvel| < opt.sleep_tolerance  for all its dofs
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
    """Zero a tree's velocity and acceleration."""
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        d.qvel[i] = 0.0
        d.qacc[i] = 0.0


@kernel
def evaluate_again(m, d):
    """Repeat forward dynamics from the velocity stage on.  Mirrors mj_forwardSkip."""
    motions(m, d, 1, 1)
    if m.called & CONTROL != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        call_control(m, d)
    from_controls(m, d, 1)


@kernel
def keep_places(m, d):
    """Store qpos, so that sleeping trees can be restored to the last bit."""
    for k in range(m.nq):
        d.resting_qpos[k] = d.qpos[k]


@kernel(unit=True)
def stay_in_place(m, d):
    """Restore positions of sleeping trees after a step has moved all; zero velocity."""
    for run in range(m.nrun):
        tree = m.runs[run, TREE]
        if tree >= 0 and is_asleep(d, tree):
            for k in range(first_of(m, run, QPOS), end_of(m, run, QPOS)):
                d.qpos[k] = d.resting_qpos[k]
            for i in range(first_of(m, run, DOFS), end_of(m, run, DOFS)):
                d.qvel[i] = 0.0
