"""Trainings: repeated and resumed to the same bits, and shorter than a minute."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import cortenforge as cf
from cortenforge.learning import PPOConfig, Training, evaluate, find_recipe

SHORT = replace(
    find_recipe("HalfCheetah-v5"),
    steps=16 * 40 * 8,
    worlds=16,
    ppo=PPOConfig(steps=40, minibatch=128),
)


def weights(training: Training) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in training.policy.network.state_dict().items()}


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_seed_gives_the_same_bits():
    runs = [Training(SHORT, seed=seed) for seed in (5, 5, 6)]
    for training in runs:
        training.run()
    assert_same(weights(runs[0]), weights(runs[1]))
    with pytest.raises(AssertionError):
        assert_same(weights(runs[0]), weights(runs[2]))


def test_a_resumed_training_has_the_same_bits(tmp_path):
    """Episodes of 100 steps end before and after the checkpoint; so does a round."""
    recipe = replace(SHORT, options={"max_episode_steps": 100})
    whole = Training(recipe, seed=1)
    whole.run()
    part = Training(recipe, seed=1)
    part.run(
        on_progress=lambda point: part.stop() if point.steps >= 3 * 640 else None, folder=tmp_path
    )
    assert not part.finished
    resumed = Training.resume(tmp_path)
    assert resumed.steps == part.steps
    resumed.run()
    assert_same(weights(whole), weights(resumed))
    assert [p.mean_return for p in whole.curve[3:]] == [p.mean_return for p in resumed.curve[3:]]


@pytest.mark.parametrize("content", [b"", b"not a checkpoint"])
def test_damaged_checkpoints_are_refused(tmp_path, content):
    (tmp_path / "checkpoint.pt").write_bytes(content)
    with pytest.raises(cf.PolicyError, match="checkpoint"):
        Training.resume(tmp_path)


def test_unknown_tasks_get_a_suggestion():
    with pytest.raises(cf.UnknownName, match="HalfCheetah-v5"):
        find_recipe("HalfCheeta-v5")


def test_half_cheetah_learns_to_run():
    """300,000 actions, a tenth of the recipe: a return of at least 500."""
    training = Training(replace(find_recipe("HalfCheetah-v5"), steps=300_000), seed=0)
    training.run()
    returns = evaluate(training.trained_policy(), 8)
    assert np.isfinite(returns).all() and returns.mean() >= 500.0
