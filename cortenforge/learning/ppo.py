"""Proximal policy optimisation (PPO): worlds act, advantages are estimated, the policy improves.

With the ratio r = pi(a|s) / pi_old(a|s) and an advantage A, the loss that is minimised is

    -E[min(r A, clip(r, 1 - eps, 1 + eps) A)] + c_v E[(V(s) - R)^2] / 2 - c_e H

(Schulman, Wolski, Dhariwal, Radford and Klimov 2017). Advantages are estimated backwards in time
(generalised advantage estimation, Schulman, Moritz, Levine, Jordan and Abbeel 2016):

    delta_t = r_t + gamma V(s_t+1) - V(s_t)
    A_t     = delta_t + gamma lambda A_t+1,    R_t = A_t + V(s_t)

Both sums end where an episode does. V(s_t+1) is zero where the task ended, and the value of the
last observation where only time ran out. Rewards are divided by the deviation of their discounted
sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium.vector import VectorEnv
from torch import Tensor

from cortenforge.learning.networks import ActorCritic
from cortenforge.learning.normalisation import RunningMoments

#: added to the deviation of advantages
SMALL = 1e-8


@dataclass(frozen=True)
class PPOConfig:
    """Numbers of the algorithm.

    steps:          actions of each world between two improvements of the policy
    epochs:         passes over what was collected
    minibatch:      samples of one gradient step
    learning_rate:  of Adam; it falls to zero over the training if `anneal`
    gamma, lam:     discount, and lambda of the advantages
    clip:           eps, the range of the ratio
    value_cost, entropy_bonus: c_v and c_e
    max_grad_norm:  gradients are shortened to this
    target_kl:      an improvement ends where the policies differ by more, if given
    reward_scale:   rewards are multiplied by this instead of being normalised, if given
    """

    steps: int = 16
    epochs: int = 5
    minibatch: int = 512
    learning_rate: float = 3e-4
    anneal: bool = True
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    value_cost: float = 0.5
    entropy_bonus: float = 0.0
    max_grad_norm: float = 0.5
    target_kl: float | None = None
    reward_scale: float | None = None


@dataclass
class Rollout:
    """What the worlds did between two improvements: `(steps, worlds, ...)` each."""

    observations: Tensor
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    rewards: Tensor
    done: Tensor

    @classmethod
    def allocate(cls, steps: int, observations: Tensor, actions: int) -> Rollout:
        """Memory for observations of this shape and type."""
        n = observations.shape[0]
        flat = (torch.empty(steps, n) for _ in range(4))
        seen = torch.empty((steps, *observations.shape), dtype=observations.dtype)
        return cls(seen, torch.empty(steps, n, actions), *flat)


class PPO:
    """A policy that learns from the worlds of a vector environment with SAME_STEP autoreset.

    Everything that is drawn comes from `generator`; with the same seed and number of threads, a
    training gives the same bits.
    """

    def __init__(
        self, envs: VectorEnv[Any, Any, Any], policy: ActorCritic, config: PPOConfig, seed: int
    ) -> None:
        self.envs, self.policy, self.config = envs, policy, config
        self.generator = torch.Generator().manual_seed(seed)
        self.optimizer = torch.optim.Adam(
            policy.parameters(), config.learning_rate, eps=1e-5, fused=True
        )
        self.returns = torch.zeros(envs.num_envs, dtype=torch.float64)
        self.reward_moments = RunningMoments()
        space = envs.single_action_space
        self._low, self._high = (torch.from_numpy(np.asarray(b)) for b in (space.low, space.high))
        self.observations = self._tensor(envs.reset(seed=seed)[0])
        self.rollout = Rollout.allocate(config.steps, self.observations, self._low.numel())

    @staticmethod
    def _tensor(observations: Any) -> Tensor:
        """Observations as a tensor: single precision, or the bytes of pictures."""
        array = np.asarray(observations)
        return torch.from_numpy(array if array.dtype == np.uint8 else array.astype(np.float32))

    def iterate(self, episodes: Episodes, learning_rate: float) -> dict[str, float]:
        """One round of acting and improving; returns what is worth plotting."""
        with torch.no_grad():
            last = self.collect(episodes)
            advantages = self.estimate_advantages(last)
        return self.improve(advantages, learning_rate)

    def collect(self, episodes: Episodes) -> Tensor:
        """Act `steps` times in all worlds; returns the value of what is seen at the end."""
        policy, rollout = self.policy, self.rollout
        for t in range(self.config.steps):
            if not policy.pictures:
                policy.moments.update(self.observations)
            encoded = policy.encode(self.observations)
            mean = policy.actor(encoded)
            noise = torch.randn(mean.shape, generator=self.generator)
            actions = mean + noise * policy.log_std.exp()
            rollout.observations[t] = self.observations
            rollout.actions[t] = actions
            rollout.log_probabilities[t] = policy.log_probability(mean, actions)
            rollout.values[t] = policy.value_of(encoded)
            applied = torch.clamp(actions, self._low, self._high).numpy()
            seen, rewards, terminated, truncated, infos = self.envs.step(applied)
            over = terminated | truncated
            rollout.rewards[t] = self._normalised(torch.from_numpy(np.asarray(rewards)), over)
            rollout.done[t] = torch.from_numpy(over.astype(np.float32))
            self._add_values_of_truncated(t, truncated & ~terminated, infos)
            episodes.add(rewards, over, infos)
            self.observations = self._tensor(seen)
        return policy.value(self.observations)

    def _normalised(self, rewards: Tensor, over: np.ndarray) -> Tensor:
        """Rewards over the deviation of their discounted sums."""
        if self.config.reward_scale is not None:
            return (rewards * self.config.reward_scale).float()
        self.returns = self.returns * self.config.gamma + rewards
        self.reward_moments.update(self.returns)
        self.returns[torch.from_numpy(over)] = 0.0
        return self.reward_moments.scaled(rewards.float())

    def _add_values_of_truncated(self, t: int, cut: np.ndarray, infos: dict[str, Any]) -> None:
        """Where only time ran out, what would have come counts by its value."""
        rows = np.flatnonzero(cut)
        if len(rows):
            final = self._tensor(np.stack([infos["final_obs"][row] for row in rows]))
            self.rollout.rewards[t, rows] += self.config.gamma * self.policy.value(final)

    def estimate_advantages(self, last_value: Tensor) -> Tensor:
        """A_t of every step, `(steps, worlds)`."""
        rollout, gamma, lam = self.rollout, self.config.gamma, self.config.lam
        advantages = torch.empty_like(rollout.values)
        following, advantage = last_value, torch.zeros_like(last_value)
        for t in range(self.config.steps - 1, -1, -1):
            goes_on = 1.0 - rollout.done[t]
            delta = rollout.rewards[t] + gamma * following * goes_on - rollout.values[t]
            advantage = delta + gamma * lam * goes_on * advantage
            advantages[t] = advantage
            following = rollout.values[t]
        return advantages

    def improve(self, advantages: Tensor, learning_rate: float) -> dict[str, float]:
        """Gradient steps on what was collected; returns the means of losses."""
        config, rollout, policy = self.config, self.rollout, self.policy
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        returns = (advantages + rollout.values).flatten()
        wanted = advantages.flatten()
        observations = rollout.observations.flatten(0, 1)
        actions = rollout.actions.flatten(0, 1)
        old = rollout.log_probabilities.flatten()
        sums = torch.zeros(3)
        rounds = 0
        for rows in self._minibatches(len(wanted)):
            encoded = policy.encode(observations[rows])
            new = policy.log_probability(policy.actor(encoded), actions[rows])
            change = new - old[rows]
            with torch.no_grad():
                # r - 1 - log r has the mean of -log r, is never negative, and varies less
                kl = (change.exp() - 1.0 - change).mean()
            if config.target_kl is not None and kl > 1.5 * config.target_kl:
                break
            value_loss = 0.5 * (policy.value_of(encoded) - returns[rows]).square().mean()
            policy_loss = clipped_loss(change.exp(), wanted[rows], config.clip)
            loss = policy_loss + config.value_cost * value_loss
            loss = loss - config.entropy_bonus * policy.entropy()
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm)
            self.optimizer.step()
            sums += torch.stack([policy_loss.detach(), value_loss.detach(), kl])
            rounds += 1
        means = (sums / max(rounds, 1)).tolist()
        deviation = float(policy.log_std.detach().exp().mean())
        return dict(zip(("policy_loss", "value_loss", "kl"), means, strict=True)) | {
            "deviation": deviation
        }

    def _minibatches(self, count: int) -> Iterator[Tensor]:
        for _ in range(self.config.epochs):
            order = torch.randperm(count, generator=self.generator)
            yield from order.split(self.config.minibatch)


def clipped_loss(ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """PPO's surrogate: no reward for ratios beyond the range. Advantages are standardised."""
    standard = (advantages - advantages.mean()) / (advantages.std(correction=0) + SMALL)
    return -torch.minimum(ratio * standard, ratio.clamp(1 - clip, 1 + clip) * standard).mean()


class Episodes:
    """Returns and lengths of the episodes that ended last."""

    def __init__(self, worlds: int, kept: int = 100) -> None:
        self.kept = kept
        self.returns: list[float] = []
        self.lengths: list[int] = []
        self.count = 0
        self.failures = 0
        self._return = np.zeros(worlds)
        self._length = np.zeros(worlds, np.int64)

    def add(self, rewards: np.ndarray, over: np.ndarray, infos: dict[str, Any]) -> None:
        """Take a step of all worlds into account."""
        self._return += rewards
        self._length += 1
        if "failure" in infos:
            self.failures += int(np.count_nonzero(infos["_failure"]))
        for world in np.flatnonzero(over).tolist():
            self.returns.append(float(self._return[world]))
            self.lengths.append(int(self._length[world]))
            self.count += 1
        self._return[over], self._length[over] = 0.0, 0
        del self.returns[: -self.kept], self.lengths[: -self.kept]

    @property
    def mean_return(self) -> float:
        """Mean of the last episodes; nan before the first has ended."""
        return float(np.mean(self.returns)) if self.returns else float("nan")

    @property
    def mean_length(self) -> float:
        """Their mean length in steps."""
        return float(np.mean(self.lengths)) if self.lengths else float("nan")

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {name: value for name, value in vars(self).items() if name != "kept"}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        vars(self).update(state)
