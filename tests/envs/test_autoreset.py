"""Autoreset modes beside those of SyncVectorEnv, field by field, on Gymnasium's own environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from cortenforge import envs  # noqa: E402
from cortenforge.errors import ArgumentError  # noqa: E402

pytestmark = pytest.mark.oracle

N = 5


def assert_same(ours: Any, theirs: Any, where: str) -> None:
    """Equal structure, types and masks; numbers to 1e-9, since episodes run on by themselves."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), where
        for key in theirs:
            assert_same(ours[key], theirs[key], f"{where}.{key}")
    elif isinstance(theirs, np.ndarray):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype), where
        if theirs.dtype == object:
            for k, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
                assert_same(mine, other, f"{where}[{k}]")
        else:
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=where)
    else:
        assert ours is None and theirs is None, where


def both(name: str, mode: AutoresetMode, limit: int) -> tuple[Any, Any]:
    """Our vector environment, and Gymnasium's."""

    def single() -> Any:
        return gymnasium.make(name, max_episode_steps=limit)

    ours = envs.make(name, N, autoreset_mode=mode, max_episode_steps=limit, threads=1)
    return ours, SyncVectorEnv([single] * N, autoreset_mode=mode)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name, limit", [("InvertedPendulum-v5", 6), ("Hopper-v5", 9)])
def test_outputs_equal_those_of_sync_vector_env(name: str, limit: int, mode: Any) -> None:
    """Observations, rewards, masks, infos, final_obs and final_info through ends of both kinds."""
    ours, theirs = both(name, mode, limit)
    assert ours.single_action_space == theirs.single_action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    got, wanted = ours.reset(seed=7), theirs.reset(seed=7)
    assert_same(got[0], wanted[0], "reset: observations")
    assert_same(got[1], wanted[1], "reset: infos")
    rng, ends = np.random.default_rng(0), np.zeros(2, int)
    low, high = ours.action_space.low, ours.action_space.high
    for step in range(40):
        actions = rng.uniform(low, high).astype(np.float32)
        # ends of the episodes of some worlds come at other times than those of the rest
        if step == 3:
            actions[0] = high[0]
        got, wanted = ours.step(actions), theirs.step(actions)
        parts = ("observations", "rewards", "terminated", "truncated", "infos")
        for part, mine, other in zip(parts, got, wanted, strict=True):
            assert_same(mine, other, f"step {step}: {part}")
        ends += got[2].sum(), got[3].sum()
        over = got[2] | got[3]
        if mode is AutoresetMode.DISABLED and over.any():
            got, wanted = (e.reset(options={"reset_mask": over.copy()}) for e in (ours, theirs))
            assert_same(got[0], wanted[0], f"step {step}: reset observations")
            assert_same(got[1], wanted[1], f"step {step}: reset infos")
    assert ends.sum() > 0
    ours.close()
    theirs.close()


def test_seeds_are_those_of_sync_vector_env() -> None:
    """A list of seeds, seeds of the worlds, and a second reset that goes on with the same draws."""
    ours, theirs = both("InvertedPendulum-v5", AutoresetMode.NEXT_STEP, 100)
    seeds = [3, 1, 4, 1, 5]
    np.testing.assert_allclose(ours.reset(seed=seeds)[0], theirs.reset(seed=seeds)[0], atol=1e-14)
    assert ours.np_random_seed == theirs.np_random_seed
    np.testing.assert_allclose(ours.reset()[0], theirs.reset()[0], atol=1e-14)


def test_worlds_that_are_over_are_reset_first_where_autoreset_is_disabled() -> None:
    """The error names the task, the worlds, and what to call."""
    ours = envs.make("InvertedPendulum-v5", N, autoreset_mode="Disabled", max_episode_steps=1)
    ours.reset(seed=0)
    actions = np.zeros(ours.action_space.shape, np.float32)
    ours.step(actions)
    with pytest.raises(
        ArgumentError, match=r"InvertedPendulum-v5: worlds \[0, 1, 2, 3, 4\] .*rese"
    ):
        ours.step(actions)


@pytest.mark.parametrize(
    "mask", [None, [True] * N, np.ones(N), np.zeros(N, bool), np.ones(3, bool)]
)
def test_reset_masks_that_are_none_are_refused(mask: Any) -> None:
    """As in SyncVectorEnv, a mask is an array of n booleans, of which one is True."""
    ours = envs.make("InvertedPendulum-v5", N)
    ours.reset(seed=0)
    with pytest.raises(ArgumentError, match="reset_mask"):
        ours.reset(options={"reset_mask": mask})
