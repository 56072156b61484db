"""What pools do with their shards; the same functions run in this process and in workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cortenforge.batch.rollout import Rollout
from cortenforge.errors import StepError
from cortenforge.ray.shard import Shard

#: a shard's part of `Stepped`: states, fields, errors
Step = tuple[np.ndarray, dict[str, np.ndarray], list[StepError | None]]


def step_shard(shard: Shard, nstep: int, fields: Sequence[str], ctrl: np.ndarray | None) -> Step:
    """Some steps of every world, with controls (k, nu)."""
    batch = shard.batch
    batch.bind(*fields)
    errors = batch.step_all(nstep, ctrl=ctrl)
    values = {name: getattr(batch, name).copy() for name in fields}
    return batch.get_states(), values, errors


def roll_out_shard(
    shard: Shard,
    fields: Sequence[str],
    nstep: int,
    all_controls: np.ndarray | None,
    states: np.ndarray,
    controls: np.ndarray | None,
) -> Rollout:
    """Open loop, through controls of the shard's worlds, or through those that all worlds share."""
    given = all_controls if controls is None else controls
    assert given is not None
    return shard.batch.rollout(states, given, fields=tuple(fields), nstep=nstep, progress=False)


def map_shard(
    shard: Shard, function: Callable[..., Any], many: tuple[Any, ...], *arguments: Any
) -> Any:
    """A function of a user's, with arguments for all worlds and rows of arguments of each."""
    return function(shard, *many, *arguments)
