"""PPO: each formula against its definition, and problems whose solution is known."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cortenforge.learning.networks import ActorCritic
from cortenforge.learning.normalisation import RunningMoments
from cortenforge.learning.ppo import PPO, Episodes, PPOConfig, clipped_loss

from .toy_worlds import ToyWorlds


def test_moments_of_batches_are_those_of_all_rows():
    """Merged batches of different sizes against NumPy on everything at once."""
    rng = np.random.default_rng(0)
    moments = RunningMoments((4,))
    batches = [rng.normal(3.0, 20.0, (size, 4)) for size in (1, 7, 300, 2)]
    for batch in batches:
        moments.update(torch.from_numpy(batch))
    rows = np.concatenate(batches)
    np.testing.assert_allclose(moments.mean.numpy(), rows.mean(0), rtol=1e-12)
    np.testing.assert_allclose(moments.var.numpy(), rows.var(0), rtol=1e-12)
    seen = moments.normalised(torch.from_numpy(rows).float())
    np.testing.assert_allclose(seen.mean(0).numpy(), 0.0, atol=1e-5)
    np.testing.assert_allclose(seen.std(0, correction=0).numpy(), 1.0, atol=1e-2)


def test_probabilities_are_those_of_a_normal_distribution():
    network = ActorCritic((5,), 3, log_std=-0.3)
    mean, actions = torch.randn(8, 3), torch.randn(8, 3)
    normal = torch.distributions.Normal(mean, network.log_std.exp())
    torch.testing.assert_close(
        network.log_probability(mean, actions), normal.log_prob(actions).sum(-1)
    )
    torch.testing.assert_close(network.entropy(), normal.entropy()[0].sum())


@pytest.mark.parametrize("lam", [0.0, 0.9, 1.0])
def test_advantages_are_sums_of_discounted_differences(lam):
    """A_t against its definition, the sum over l of (gamma lambda)^l delta_t+l of an episode."""
    steps, worlds, gamma = 9, 4, 0.97
    envs = ToyWorlds(worlds, lambda actions: actions.sum(1), steps=100, terminate=True)
    ppo = PPO(envs, ActorCritic((3,), 2), PPOConfig(steps=steps, gamma=gamma, lam=lam), 0)
    rng = torch.Generator().manual_seed(1)
    rollout = ppo.rollout
    rollout.rewards = torch.randn(steps, worlds, generator=rng)
    rollout.values = torch.randn(steps, worlds, generator=rng)
    rollout.done = (torch.rand(steps, worlds, generator=rng) < 0.3).float()
    last = torch.randn(worlds, generator=rng)
    found = ppo.estimate_advantages(last)
    values = torch.cat([rollout.values, last[None]])
    for world in range(worlds):
        for t in range(steps):
            total, weight = 0.0, 1.0
            for k in range(t, steps):
                over = bool(rollout.done[k, world])
                following = 0.0 if over else gamma * float(values[k + 1, world])
                delta = float(rollout.rewards[k, world]) + following - float(values[k, world])
                total += weight * delta
                if over:
                    break
                weight *= gamma * lam
            assert float(found[t, world]) == pytest.approx(total, abs=1e-5)


def test_ratios_beyond_the_range_have_no_gradient():
    """Only in the direction that would raise the objective further."""
    ratio = torch.tensor([1.5, 0.5, 1.5, 0.5, 1.0], requires_grad=True)
    advantages = torch.tensor([1.0, -1.0, -1.0, 1.0, 0.0])
    clipped_loss(ratio, advantages, 0.2).backward()
    assert ratio.grad is not None
    assert ratio.grad[0] == 0.0 and ratio.grad[1] == 0.0
    assert ratio.grad[2] > 0.0 and ratio.grad[3] < 0.0


def trained(envs: ToyWorlds, rounds: int, **numbers: float) -> PPO:
    torch.manual_seed(0)
    config = PPOConfig(**{"steps": 8, "minibatch": 128, "learning_rate": 3e-3, **numbers})
    ppo = PPO(envs, ActorCritic((3,), 2), config, 0)
    episodes = Episodes(envs.num_envs)
    for _ in range(rounds):
        ppo.iterate(episodes, config.learning_rate)
    return ppo


def test_best_action_of_a_bandit_is_found():
    """The reward -|a - (0.5, -1)|^2 is largest at (0.5, -1)."""
    best = np.array([0.5, -1.0])
    envs = ToyWorlds(64, lambda a: -np.square(a - best).sum(1), steps=1, terminate=True)
    ppo = trained(envs, 60)
    with torch.no_grad():
        found = ppo.policy(torch.zeros(1, 3)).numpy()[0]
    np.testing.assert_allclose(found, best, atol=0.1)


@pytest.mark.parametrize(("terminate", "value"), [(False, 10.0), (True, 1.0)])
def test_time_that_runs_out_is_not_the_end(terminate, value):
    """With a reward of 1 and gamma = 0.9: 1 / (1 - gamma), or 1 where a step is the last."""
    envs = ToyWorlds(64, lambda a: np.ones(len(a)), steps=1, terminate=terminate)
    ppo = trained(envs, 150, gamma=0.9, reward_scale=1.0)
    with torch.no_grad():
        found = float(ppo.policy.value(torch.zeros(1, 3))[0])
    assert found == pytest.approx(value, rel=0.05)


def test_actions_stay_within_their_range():
    envs = ToyWorlds(16, lambda a: a.sum(1), steps=5, terminate=True)
    trained(envs, 30)
    applied = np.concatenate(envs.actions)
    assert np.abs(applied).max() <= 2.0 and (applied == 2.0).any()


def test_returns_of_episodes_are_counted():
    episodes = Episodes(2, kept=3)
    over = np.array([[False, False], [True, False], [False, True], [True, True]])
    for row, rewards in zip(
        over, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]), strict=True
    ):
        episodes.add(rewards, row, {})
    assert episodes.count == 4
    assert episodes.returns == [12.0, 12.0, 8.0]  # of four, the last three are kept
    assert episodes.lengths == [3, 2, 1]
