"""Runs: contiguous ranges of bodies with all that is on them, for partial updates.

With sleep enabled each kinematic tree is a run, and so are fixed bodies between trees; otherwise
all bodies are one run. A tree that stays asleep is skipped: its positions are the same, and so is
all that follows from a velocity of zero. Computing it again, because it is awake in another lane,
gives the same bits.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import WITH_SLEEP
from cortenforge.step.sleeping.sleep_state import is_tree_asleep

#: column pairs of m.runs (2 k, 2 k + 1): first of a kind, and one past the last
RUN_BODIES, RUN_JOINTS, RUN_DOFS, RUN_GEOMS, RUN_SITES, RUN_QPOS, RUN_MOVING = 0, 1, 2, 3, 4, 5, 6
#: columns of m.runs: the tree, -1 for fixed bodies; 1 if no tendon or mocap body acts on it
RUN_TREE, RUN_ALONE = 14, 15


@kernel(lanes=True)
def run_count(m):
    """Number of runs; 1 without sleep."""
    return m.nrun if m.opt_enableflags & WITH_SLEEP != 0 else 1


@kernel(lanes=True)
def run_start(m, k: int, kind: int):
    """First body, joint, dof, ... of a run; `kind` is a column such as RUN_DOFS."""
    first = 1 if kind == RUN_BODIES else 0
    if m.opt_enableflags & WITH_SLEEP != 0:
        first = m.runs[k, 2 * kind]
    return first


@kernel(lanes=True)
def run_end(m, k: int, kind: int):
    """One past the last body, joint, dof, ... of a run."""
    end = m.nbody
    if m.opt_enableflags & WITH_SLEEP != 0:
        end = m.runs[k, 2 * kind + 1]
    elif kind == RUN_JOINTS:
        end = m.njnt
    elif kind == RUN_DOFS:
        end = m.nv
    elif kind == RUN_GEOMS:
        end = m.ngeom
    elif kind == RUN_SITES:
        end = m.nsite
    elif kind == RUN_MOVING:
        end = m.nmoving
    return end


@kernel(lanes=True)
def is_run_fixed(m, k: int):
    """Whether a run consists of fixed bodies, which other runs may be attached to."""
    return m.opt_enableflags & WITH_SLEEP != 0 and m.runs[k, RUN_TREE] < 0


@kernel(lanes=True)
def is_run_active(m, d, k: int):
    """Whether a run has to be computed in this step; always, without sleep."""
    always = 0 if m.opt_enableflags & WITH_SLEEP != 0 else 1
    return d.run_stirs[k] + always != 0


@kernel(unit=True)
def mark_active_runs(m, d):
    """run_stirs: runs to compute in this step, all but trees unchanged since they last were.

    movers: number of trees that are awake and of mocap bodies.
    """
    d.movers = m.nmocap
    for k in range(m.nrun):
        tree = m.runs[k, RUN_TREE]
        d.run_stirs[k] = 1
        if tree >= 0:
            if not is_tree_asleep(d, tree):
                d.movers += 1
            elif d.tree_kept[tree] != 0:
                d.run_stirs[k] = 0


@kernel(unit=True)
def mark_unchanged_trees(m, d):
    """tree_kept: everything is computed now, and sleeping trees can keep it.

    Not trees that a tendon or a mocap body acts on.
    """
    for k in range(m.nrun):
        tree = m.runs[k, RUN_TREE]
        if tree >= 0:
            d.tree_kept[tree] = m.runs[k, RUN_ALONE] if is_tree_asleep(d, tree) else 0


@kernel(lanes=True, unit=True)
def clear_unchanged_trees(m, d):
    """Reset tree_kept, for memory that held another world: everything is computed."""
    for t in range(m.ntree):
        d.tree_kept[t] = 0
