"""Sleep: runs of bodies that are computed together, initial sleep, fields of who is awake."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Enable
from cortenforge.errors import StepWarning
from cortenforge.step import run
from cortenforge.step.callbacks import PASSIVE
from cortenforge.step.sleeping.body_runs import (
    RUN_ALONE,
    RUN_DOFS,
    RUN_GEOMS,
    RUN_JOINTS,
    RUN_MOVING,
    RUN_QPOS,
    RUN_SITES,
    RUN_TREE,
)
from cortenforge.step.sleeping.sleep_constants import (
    ASLEEP,
    AWAKE,
    POLICY_INIT,
    STATIC,
)

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


SLEEP = int(Enable.SLEEP)


def update_body_runs(model: Model) -> None:
    """Set the fields `nrun` and `runs`: bodies computed together (`step.sleeping.body_runs`)."""
    tree = model.body_treeid
    asleep = model.opt.enableflags & SLEEP
    # a run starts at the world, and where the tree id of bodies changes
    changes = np.flatnonzero(np.diff(tree)) + 1 if asleep else np.zeros(0, int)
    start = np.unique(np.concatenate([[0, 1], changes])) if asleep else np.array([0])
    start = start[start < model.nbody]
    end = np.append(start[1:], model.nbody)
    model._store.assign("nrun", len(start))
    columns = model._store.arrays["runs"][: len(start)].T
    owners = (model.jnt_bodyid, model.dof_bodyid, model.geom_bodyid, model.site_bodyid)
    columns[0][:], columns[1][:] = np.maximum(start, 1), end
    for kind, owner in zip((RUN_JOINTS, RUN_DOFS, RUN_GEOMS, RUN_SITES), owners, strict=True):
        columns[2 * kind][:] = np.searchsorted(owner, start)
        columns[2 * kind + 1][:] = np.searchsorted(owner, end)
    place = np.append(model.jnt_qposadr, model.nq)
    columns[2 * RUN_QPOS][:] = place[columns[2 * RUN_JOINTS]]
    columns[2 * RUN_QPOS + 1][:] = place[columns[2 * RUN_JOINTS + 1]]
    columns[2 * RUN_MOVING][:] = np.searchsorted(model.moving_geom, columns[2 * RUN_GEOMS])
    columns[2 * RUN_MOVING + 1][:] = np.searchsorted(model.moving_geom, columns[2 * RUN_GEOMS + 1])
    columns[RUN_TREE][:] = tree[start]
    columns[RUN_ALONE][:] = _independent_trees(model)[tree[start]]


def _independent_trees(model: Model) -> np.ndarray:
    """1 for trees without tendons, mocap bodies and passive callbacks; (ntree + 1,), last 0."""
    alone = np.full(model.ntree + 1, 0 if model.called & PASSIVE else 1)
    alone[model.dof_treeid[model.ten_J_colind]] = 0
    carried = model.body_mocapid[model.body_rootid[model.tree_bodyadr]] >= 0
    alone[:-1][carried] = 0
    alone[-1] = 0
    return alone


class SleepMethods:
    """Fields of MuJoCo that are computed from `tree_asleep` when they are read."""

    model: Model
    tree_asleep: np.ndarray

    @property
    def tree_awake(self) -> np.ndarray:
        """1 for trees that are awake, 0 for those asleep, (ntree,)."""
        return (self.tree_asleep < 0).astype(np.int32)

    @property
    def ntree_awake(self) -> int:
        """How many trees are awake."""
        return int(self.tree_awake.sum())

    @property
    def body_awake(self) -> np.ndarray:
        """1 for bodies that are awake, mocap bodies included; 0 asleep, -1 static, (nbody,)."""
        model, tree = self.model, self.model.body_treeid
        carried = model.body_mocapid[model.body_rootid] >= 0
        state = np.where(carried, AWAKE, STATIC)
        moving = tree >= 0
        state[moving] = np.where(self.tree_awake[tree[moving]] == 1, AWAKE, ASLEEP)
        return state.astype(np.int32)

    @property
    def nbody_awake(self) -> int:
        """How many bodies are not asleep, static ones included."""
        return int((self.body_awake != ASLEEP).sum())

    @property
    def nv_awake(self) -> int:
        """How many degrees of freedom are awake."""
        return int(self.tree_awake[self.model.dof_treeid].sum())


def start_asleep(data: Data) -> None:
    """Put trees of sleep policy `init` to sleep after a reset, where that is possible.

    For that the world, with all trees awake, is evaluated once. In a model that cannot be stepped
    no tree sleeps.
    """
    model = data.model
    if not model._store.arrays["opt_enableflags"].item() & SLEEP:
        return
    starting = model.tree_sleep_policy == POLICY_INIT
    if starting.any() and not model.supported():
        data._evaluate(run.run_to_sleep)
        awake = np.flatnonzero(starting & (data.tree_asleep < 0))
        if awake.size:
            warnings.warn(_still_awake_message(model, int(starting.sum()), awake), StepWarning, 4)


def _still_awake_message(model: Model, wanted: int, awake: np.ndarray) -> str:
    """The warning for trees of policy `init` that could not be put to sleep."""
    root = int(model.tree_bodyadr[awake[0]])
    name = model.name_of("body", root) or f"#{root}"
    return (
        f'{wanted} trees are marked sleep="init", but {awake.size} of them cannot sleep: '
        f"what touches them is awake, or something pushes them; the first is that of body {name}"
    )
