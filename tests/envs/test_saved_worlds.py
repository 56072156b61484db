"""Saved worlds go on bit for bit, in a vector environment that has never been stepped, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="environments need Gymnasium")

import cortenforge as cf
from cortenforge import envs

WORLDS = 5


def steps(made: envs.VectorEnvironment, count: int, seed: int) -> list[Any]:
    """What some steps under random actions give."""
    rng = np.random.default_rng(seed)
    shape = made.action_space.shape
    return [made.step(rng.uniform(-0.4, 0.4, shape).astype(np.float32))[:4] for _ in range(count)]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", ["Ant-v5", "Hopper-v5", "Reacher-v5"])
def test_worlds_go_on_with_the_same_bits(name, mode):
    """Episodes of 7 steps end and begin before and after; rewards look back a step."""
    options = {"autoreset_mode": mode, "max_episode_steps": 7}
    one = envs.make(name, WORLDS, **options)
    one.reset(seed=3)
    steps(one, 10, seed=0)
    saved = one.get_state()
    expected = steps(one, 20, seed=1)
    other = envs.make(name, WORLDS, **options)
    for made in (one, other):
        made.set_state(saved)
        for ours, theirs in zip(steps(made, 20, seed=1), expected, strict=True):
            for found, wanted in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(found, wanted)


def test_states_of_others_are_refused():
    hopper, ant = envs.make("Hopper-v5", WORLDS), envs.make("Ant-v5", WORLDS)
    with pytest.raises(cf.ArgumentError, match="reset"):
        hopper.get_state()
    hopper.reset(seed=0)
    saved = hopper.get_state()
    with pytest.raises(cf.StateError, match="another model"):
        ant.set_state(saved)
    with pytest.raises(cf.StateError, match="format"):
        hopper.set_state({**saved, "format": 99})
    with pytest.raises(cf.StateError, match="incomplete: no over"):
        hopper.set_state({name: part for name, part in saved.items() if name != "over"})
    with pytest.raises(cf.ShapeError, match="5 worlds, there are 2"):
        envs.make("Hopper-v5", 2).set_state(saved)
