"""Falling asleep: islands whose trees have all been quiet for ten steps.

    quiet:  dof_length |qvel| < sleep_tolerance for all dofs, and no applied force
    tree_asleep: -11, then +1 each quiet step up to -1; an island sleeps when all are at -1

Source: MuJoCo: Computation, "Sleeping islands".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.callbacks import CONTROL, call_control
from cortenforge.step.constants import DISCRETE, NO_ACTUATION, NO_ISLAND
from cortenforge.step.forward import forward_from_controls, velocity_stage
from cortenforge.step.sleeping.body_runs import RUN_DOFS, RUN_QPOS, RUN_TREE, run_end, run_start
from cortenforge.step.sleeping.resting_values import store_resting_values
from cortenforge.step.sleeping.sleep_constants import (
    FULLY_AWAKE,
    POLICY_AUTO_NEVER,
    POLICY_INIT,
    POLICY_NEVER,
    READY_TO_SLEEP,
)
from cortenforge.step.sleeping.sleep_state import is_tree_asleep
from cortenforge.step.sleeping.wake import is_tree_unforced


@kernel(unit=True)
def put_trees_to_sleep(m, d):
    """Put trees to sleep whose whole island is ready.  Mirrors mj_sleep.

    Their velocity becomes zero, and forces are computed once more, as mj_advance does.
    """
    if mark_trees_falling_asleep(m, d):
        for t in range(m.ntree):
            if d.tree_falls[t] != 0:
                stop_tree(m, d, t)
        # all that depends on velocities, once more with those at zero and before anyone sleeps
        forward_from_velocity(m, d)
        link_sleep_cycles(m, d)
        store_resting_values(m, d)
        if m.opt_integrator == DISCRETE:
            # trees that stay awake use the new acceleration
            for i in range(m.nv):
                d.step_qacc[i] = d.qacc[i]
    store_resting_positions(m, d)


@kernel(unit=True)
def sleep_at_reset(m, d):
    """Put trees with the policy `init` to sleep, where they are.  Mirrors mj_resetData.

    Trees that would have to wait for others of their island start awake. Sleepers keep the sensor
    values they would have awake; their smooth forces and accelerations are zero.
    """
    for t in range(m.ntree):
        d.tree_asleep[t] = READY_TO_SLEEP if m.tree_sleep_policy[t] == POLICY_INIT else FULLY_AWAKE
    if mark_trees_falling_asleep(m, d):
        link_sleep_cycles(m, d)
    for t in range(m.ntree):
        if d.tree_asleep[t] == READY_TO_SLEEP:
            d.tree_asleep[t] = FULLY_AWAKE
    for i in range(m.nv):
        d.qfrc_smooth[i] = 0.0
        d.qacc_smooth[i] = 0.0
    store_resting_values(m, d)


@kernel
def mark_trees_falling_asleep(m, d):
    """Count quiet steps and mark, in tree_falls, trees that fall asleep; whether there are any.

    Trees of an island fall asleep together. With islands disabled, no constrained world sleeps.
    """
    found = False
    if d.nefc == 0 or m.opt_disableflags & NO_ISLAND == 0:
        for t in range(m.ntree):
            d.island_rests[t] = 1
        for t in range(m.ntree):
            if not is_tree_asleep(d, t):
                count_quiet_step(m, d, t)
                island = island_of_tree(d, t)
                if island >= 0 and d.tree_asleep[t] != READY_TO_SLEEP:
                    d.island_rests[island] = 0
        for t in range(m.ntree):
            island = island_of_tree(d, t)
            falls = d.tree_asleep[t] == READY_TO_SLEEP and (
                island < 0 or d.island_rests[island] != 0
            )
            d.tree_falls[t] = 1 if falls else 0
            found = found or falls
    return found


@kernel
def island_of_tree(d, tree: int):
    """Island of a tree; -1 without constraints."""
    return d.tree_island[tree] if d.nefc > 0 else -1


@kernel
def link_sleep_cycles(m, d):
    """Link the trees of each island that fall asleep into a cycle.  Mirrors mj_sleepCycle."""
    for t in range(m.ntree):
        d.island_last[t] = -1
    for t in range(m.ntree):
        if d.tree_falls[t] != 0:
            d.tree_asleep[t] = 1.0 * t
            island = island_of_tree(d, t)
            if island >= 0:
                before = d.island_last[island]
                if before >= 0:
                    d.tree_asleep[t] = d.tree_asleep[before]
                    d.tree_asleep[before] = 1.0 * t
                d.island_last[island] = t


@kernel
def count_quiet_step(m, d, tree: int):
    """Increment a tree's count of quiet steps, or reset it."""
    if is_tree_quiet(m, d, tree):
        d.tree_asleep[tree] = min(d.tree_asleep[tree] + 1.0, READY_TO_SLEEP)
    else:
        d.tree_asleep[tree] = FULLY_AWAKE


@kernel
def is_tree_quiet(m, d, tree: int):
    """Whether a tree may sleep, has no applied forces, and moves more slowly than the tolerance.

    dof_length |qvel| < opt.sleep_tolerance  for all its dofs
    """
    policy = m.tree_sleep_policy[tree]
    quiet = policy != POLICY_AUTO_NEVER and policy != POLICY_NEVER and is_tree_unforced(m, d, tree)
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        if not m.dof_length[i] * abs(d.qvel[i]) < m.opt_sleep_tolerance:
            quiet = False
    return quiet


@kernel
def stop_tree(m, d, tree: int):
    """Zero a tree's velocity and acceleration."""
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        d.qvel[i] = 0.0
        d.qacc[i] = 0.0


@kernel
def forward_from_velocity(m, d):
    """Repeat forward dynamics from the velocity stage on.  Mirrors mj_forwardSkip."""
    velocity_stage(m, d, 1, 1)
    if m.called & CONTROL != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        call_control(m, d)
    forward_from_controls(m, d, 1)


@kernel
def store_resting_positions(m, d):
    """Store qpos, so that sleeping trees can be restored to the last bit."""
    for k in range(m.nq):
        d.resting_qpos[k] = d.qpos[k]


@kernel(unit=True)
def restore_resting_positions(m, d):
    """Restore positions of sleeping trees after a step has moved all; zero velocity."""
    for run in range(m.nrun):
        tree = m.runs[run, RUN_TREE]
        if tree >= 0 and is_tree_asleep(d, tree):
            for k in range(run_start(m, run, RUN_QPOS), run_end(m, run, RUN_QPOS)):
                d.qpos[k] = d.resting_qpos[k]
            for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
                d.qvel[i] = 0.0
