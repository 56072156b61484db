"""Runs of bodies that follow each other: what is worked out, and what is still there.

Where trees may sleep, each tree is a run, with its joints, dofs, geoms and sites, and so are fixed
bodies between trees; otherwise all bodies are one run. A tree that sleeps on is left out: places
are the same, and so is what follows from a velocity of zero. To work it out again, because it is
awake in another lane, gives the same bits.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import WITH_SLEEP
from cortenforge.step.sleeping.state import is_asleep

#: columns of m.runs, by twos: the first of a kind, and the one behind the last
BODIES, JOINTS, DOFS, GEOMS, SITES, QPOS, MOVING = 0, 1, 2, 3, 4, 5, 6
#: and the tree, -1 for fixed bodies; 1 if nothing but the tree itself acts on it
TREE, ALONE = 14, 15


@kernel(lanes=True)
def run_count(m):
    """How many runs there are."""
    return m.nrun if m.opt_enableflags & WITH_SLEEP != 0 else 1


@kernel(lanes=True)
def first_of(m, k: int, kind: int):
    """The first body, joint or the like of a run."""
    first = 1 if kind == BODIES else 0
    if m.opt_enableflags & WITH_SLEEP != 0:
        first = m.runs[k, 2 * kind]
    return first


@kernel(lanes=True)
def end_of(m, k: int, kind: int):
    """The one behind the last."""
    end = m.nbody
    if m.opt_enableflags & WITH_SLEEP != 0:
        end = m.runs[k, 2 * kind + 1]
    elif kind == JOINTS:
        end = m.njnt
    elif kind == DOFS:
        end = m.nv
    elif kind == GEOMS:
        end = m.ngeom
    elif kind == SITES:
        end = m.nsite
    elif kind == MOVING:
        end = m.nmoving
    return end


@kernel(lanes=True)
def is_fixed(m, k: int):
    """Whether a run is of fixed bodies, on which other runs may hang."""
    return m.opt_enableflags & WITH_SLEEP != 0 and m.runs[k, TREE] < 0


@kernel(lanes=True)
def stirs(m, d, k: int):
    """Whether a run has to be worked out; everything has if nobody may sleep."""
    always = 0 if m.opt_enableflags & WITH_SLEEP != 0 else 1
    return d.run_stirs[k] + always != 0


@kernel(unit=True)
def notice_stirring(m, d):
    """Which runs have to be worked out?  All but trees that have slept since they last were.

    Counts what is awake on the way: trees, and mocap bodies.
    """
    d.movers = m.nmocap
    for k in range(m.nrun):
        tree = m.runs[k, TREE]
        d.run_stirs[k] = 1
        if tree >= 0:
            if not is_asleep(d, tree):
                d.movers += 1
            elif d.tree_kept[tree] != 0:
                d.run_stirs[k] = 0


@kernel(unit=True)
def keep_still(m, d):
    """Everything is worked out: what belongs to sleepers can be left as it is.

    Not if a tendon or a mocap body acts on them.
    """
    for k in range(m.nrun):
        tree = m.runs[k, TREE]
        if tree >= 0:
            d.tree_kept[tree] = m.runs[k, ALONE] if is_asleep(d, tree) else 0


@kernel(lanes=True, unit=True)
def keep_nothing(m, d):
    """Memory that held another world: everything has to be worked out."""
    for t in range(m.ntree):
        d.tree_kept[t] = 0
