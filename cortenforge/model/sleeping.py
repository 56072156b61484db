"""Sleep as Python sees it: who sleeps in a new Data, and who is awake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Enable
from cortenforge.step.sleeping.numbers import (
    ASLEEP,
    AUTO_NEVER,
    AWAKE,
    FULLY_AWAKE,
    NEVER,
    STATIC,
)

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: the policy of trees that sleep from the start
INIT = 5


def initial_sleep(model: Model) -> np.ndarray:
    """tree_asleep after a reset: trees whose policy is `init` sleep, each by itself.

    Trees in contact will have to sleep together. As in MuJoCo, where trees are put to sleep, that
    is the first quiet step of others.
    """
    asleep = np.full(model.ntree, FULLY_AWAKE)
    policy = model.tree_sleep_policy
    starting = policy == INIT
    if model.opt.enableflags & Enable.SLEEP and starting.any():
        asleep[~np.isin(policy, (AUTO_NEVER, NEVER))] += 1
        asleep[starting] = np.flatnonzero(starting)
    return asleep


class Sleepers:
    """MuJoCo's fields that follow from `tree_asleep`."""

    model: Model
    tree_asleep: np.ndarray

    @property
    def tree_awake(self) -> np.ndarray:
        """1 for trees that are awake, 0 for those that sleep."""
        return (self.tree_asleep < 0).astype(np.int32)

    @property
    def ntree_awake(self) -> int:
        """How many trees are awake."""
        return int(self.tree_awake.sum())

    @property
    def body_awake(self) -> np.ndarray:
        """1 for bodies that are awake, mocap bodies among them; 0 asleep, -1 for the ground."""
        model, tree = self.model, self.model.body_treeid
        carried = model.body_mocapid[model.body_rootid] >= 0
        state = np.where(carried, AWAKE, STATIC)
        moving = tree >= 0
        state[moving] = np.where(self.tree_awake[tree[moving]] == 1, AWAKE, ASLEEP)
        return state.astype(np.int32)

    @property
    def nbody_awake(self) -> int:
        """How many bodies do not sleep; the ground is one of them."""
        return int((self.body_awake != ASLEEP).sum())

    @property
    def nv_awake(self) -> int:
        """How many degrees of freedom are awake."""
        return int(self.tree_awake[self.model.dof_treeid].sum())


def wake_nobody(data: Data) -> None:
    """What a Data has to start with, so that who sleeps sleeps on."""
    data.tree_asleep[:] = initial_sleep(data.model)
    data.placed_qpos[:] = data.qpos
    data.placed_mocap[:, :3] = data.mocap_pos
    data.placed_mocap[:, 3:] = data.mocap_quat
