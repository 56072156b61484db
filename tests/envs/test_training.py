"""Libraries of reinforcement learning take 2,000 steps on our environments (`make train-check`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from cortenforge import envs  # noqa: E402
from cortenforge.envs.adapters.pufferlib import Puffer, make_buffers  # noqa: E402
from cortenforge.errors import ArgumentError, ShapeError  # noqa: E402

STEPS, N = 2000, 16


def made(mode: str = "SameStep", **options: Any) -> Any:
    """A task that ends often, so that ends are seen."""
    return envs.make("Hopper-v5", N, autoreset_mode=mode, dtype=np.float32, threads=1, **options)


def needs(package: str) -> Any:
    """A library, or a skip that says which is missing."""
    return pytest.importorskip(package, reason=f"{package} is not installed (make train-check)")


def test_stable_baselines3_trains(tmp_path: Path) -> None:
    """PPO, with observations that are normalised and saved with the policy."""
    needs("stable_baselines3")
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

    from cortenforge.envs.adapters.stable_baselines3 import StableBaselines3

    worlds = VecNormalize(VecMonitor(StableBaselines3(made(max_episode_steps=20))))
    model = PPO("MlpPolicy", worlds, n_steps=STEPS // N, batch_size=100, device="cpu", seed=0)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(STEPS)
    assert model.num_timesteps >= STEPS
    assert any((p != q).any() for p, q in zip(before, model.policy.parameters(), strict=True))
    episodes = model.ep_info_buffer
    assert len(episodes) > 50 and 1 <= np.mean([e["l"] for e in episodes]) <= 20
    worlds.save(str(tmp_path / "normal.pkl"))
    model.save(tmp_path / "policy")
    again = VecNormalize.load(str(tmp_path / "normal.pkl"), StableBaselines3(made()))
    np.testing.assert_array_equal(again.obs_rms.mean, worlds.obs_rms.mean)
    actions, _ = PPO.load(tmp_path / "policy", device="cpu").predict(again.reset())
    again.step(actions)
    assert again.env_is_wrapped(VecMonitor) == [False] * N
    assert again.get_attr("frame_skip") == [4] * N


def test_stable_baselines3_tells_time_limits_from_ends() -> None:
    """The last observation of an episode, and whether the time limit ended it."""
    needs("stable_baselines3")
    from cortenforge.envs.adapters.stable_baselines3 import StableBaselines3

    worlds, plain = StableBaselines3(made(max_episode_steps=3)), made(max_episode_steps=3)
    worlds.seed(4)
    np.testing.assert_array_equal(worlds.reset(), plain.reset(seed=4)[0])
    actions = np.zeros(plain.action_space.shape, np.float32)
    for _ in range(3):
        seen, _, done, infos = worlds.step(actions)
        wanted, _, _, _, told = plain.step(actions)
        np.testing.assert_array_equal(seen, wanted)
    assert done.all() and all(info["TimeLimit.truncated"] for info in infos)
    np.testing.assert_array_equal(infos[5]["terminal_observation"], told["final_obs"][5])
    with pytest.raises(ArgumentError, match="SameStep"):
        StableBaselines3(made("NextStep"))


def test_cleanrl_ppo_trains() -> None:
    """The loop of CleanRL's PPO for continuous actions, on `make_vec` with Gymnasium's wrappers."""
    torch = needs("torch")
    from gymnasium.wrappers import vector as wrappers
    from torch import nn

    envs.install()
    try:
        worlds = gymnasium.make_vec("Hopper-v5", num_envs=N, threads=1)
    finally:
        envs.uninstall()
    worlds = wrappers.RecordEpisodeStatistics(worlds)
    worlds = wrappers.NormalizeReward(wrappers.NormalizeObservation(worlds))
    torch.manual_seed(0)
    size, count = worlds.single_observation_space.shape[0], worlds.single_action_space.shape[0]
    actor = nn.Sequential(nn.Linear(size, 32), nn.Tanh(), nn.Linear(32, count))
    critic = nn.Sequential(nn.Linear(size, 32), nn.Tanh(), nn.Linear(32, 1))
    log_std = nn.Parameter(torch.zeros(count))
    parameters = [*actor.parameters(), *critic.parameters(), log_std]
    optimiser = torch.optim.Adam(parameters, lr=1e-3)
    observations = torch.as_tensor(worlds.reset(seed=0)[0], dtype=torch.float32)
    steps, finished, losses = STEPS // N, 0, []
    rows = []
    for _ in range(steps):
        with torch.no_grad():
            policy = torch.distributions.Normal(actor(observations), log_std.exp())
            actions = policy.sample()
            value, logp = critic(observations)[:, 0], policy.log_prob(actions).sum(1)
        seen, rewards, terminated, truncated, infos = worlds.step(actions.numpy())
        finished += int(infos.get("_episode", np.zeros(1)).sum())
        over = torch.as_tensor(terminated | truncated, dtype=torch.float32)
        rows.append((observations, actions, logp, value, torch.as_tensor(rewards).float(), over))
        observations = torch.as_tensor(seen, dtype=torch.float32)
    o, a, old, v, r, over = (torch.stack(column) for column in zip(*rows, strict=True))
    advantage, last = torch.zeros_like(r), torch.zeros(N)
    following = torch.cat([v[1:], critic(observations).detach().T])
    for t in reversed(range(steps)):
        delta = r[t] + 0.99 * following[t] * (1 - over[t]) - v[t]
        last = delta + 0.99 * 0.95 * (1 - over[t]) * last
        advantage[t] = last
    for _ in range(4):
        policy = torch.distributions.Normal(actor(o), log_std.exp())
        ratio = (policy.log_prob(a).sum(2) - old).exp()
        gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
        loss = 0.5 * (critic(o)[:, :, 0] - advantage - v).square().mean() - gain
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert finished > 20 and np.isfinite(losses).all() and losses[-1] < losses[0]


def test_torchrl_trains() -> None:
    """A collector gathers frames, and an actor takes a step of its gradient."""
    torch = needs("torch")
    needs("torchrl")
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.envs.utils import check_env_specs

    from cortenforge.envs.adapters.torchrl import TorchRL

    worlds = TorchRL(made("Disabled", max_episode_steps=20))
    check_env_specs(worlds)
    actor = torch.nn.Linear(11, 3)
    module = TensorDictModule(actor, in_keys=["observation"], out_keys=["action"])
    optimiser = torch.optim.SGD(actor.parameters(), lr=1e-3)
    collector = Collector(worlds, module, frames_per_batch=400, total_frames=STEPS)
    frames = ends = 0
    for batch in collector:
        frames += batch.numel()
        ends += int(batch["next", "done"].sum())
        loss = -(actor(batch["observation"]) * batch["next", "reward"]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        # where an episode ended, the next frame is the start of another
        over = batch["next", "done"][:, :-1, 0]
        gap = (batch["next", "observation"][:, :-1] - batch["observation"][:, 1:]).abs().amax(2)
        assert (gap[over] > 0).all() and (gap[~over] == 0).all()
    collector.shutdown()
    assert frames == STEPS and ends > 50 and np.isfinite(float(loss.detach()))
    with pytest.raises(ArgumentError, match="Disabled"):
        TorchRL(made())


def test_rsl_rl_trains() -> None:
    """Its runner with PPO."""
    needs("rsl_rl")
    from rsl_rl.runners import OnPolicyRunner

    from cortenforge.envs.adapters.rsl_rl import RslRl

    network = {"class_name": "rsl_rl.models.MLPModel", "hidden_dims": [32], "activation": "elu"}
    gaussian = {"class_name": "rsl_rl.modules.GaussianDistribution", "init_std": 1.0}
    config = {
        "num_steps_per_env": STEPS // N // 5,
        "save_interval": 100,
        "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
        "actor": {**network, "distribution_cfg": gaussian},
        "critic": network,
        "algorithm": {"class_name": "rsl_rl.algorithms.PPO", "num_learning_epochs": 2},
    }
    worlds = RslRl(made(max_episode_steps=20))
    runner = OnPolicyRunner(worlds, config, log_dir=None, device="cpu")
    before = [p.detach().clone() for p in runner.alg.actor.parameters()]
    runner.learn(5)
    assert any((p != q).any() for p, q in zip(before, runner.alg.actor.parameters(), strict=True))
    assert (worlds.episode_length_buf < 20).all()
    assert set(worlds.step(worlds.get_observations()["policy"][:, :3])[3]["log"]) == {
        "/reward_forward", "/reward_ctrl", "/reward_survive",
    }  # fmt: skip


def test_skrl_trains() -> None:
    """Its wrapper takes our vectors as they are; an agent of its own trains on them."""
    torch = needs("torch")
    needs("skrl")
    from skrl.agents.torch.ppo import PPO, PPO_CFG
    from skrl.envs.wrappers.torch import wrap_env
    from skrl.memories.torch import RandomMemory
    from skrl.models.torch import DeterministicMixin, GaussianMixin, Model
    from skrl.trainers.torch import SequentialTrainer

    class Policy(GaussianMixin, Model):
        def __init__(self, worlds: Any) -> None:
            Model.__init__(
                self,
                observation_space=worlds.observation_space,
                action_space=worlds.action_space,
                device="cpu",
            )
            GaussianMixin.__init__(self)
            self.net = torch.nn.Linear(11, 3)
            self.log_std = torch.nn.Parameter(torch.zeros(3))

        def compute(self, inputs: Any, role: str) -> Any:
            return self.net(inputs["observations"]), {"log_std": self.log_std}

    class Value(DeterministicMixin, Model):
        def __init__(self, worlds: Any) -> None:
            Model.__init__(
                self,
                observation_space=worlds.observation_space,
                action_space=worlds.action_space,
                device="cpu",
            )
            DeterministicMixin.__init__(self)
            self.net = torch.nn.Linear(11, 1)

        def compute(self, inputs: Any, role: str) -> Any:
            return self.net(inputs["observations"]), {}

    worlds = wrap_env(made("NextStep"), wrapper="gymnasium", verbose=False)
    models = {"policy": Policy(worlds), "value": Value(worlds)}
    before = [p.detach().clone() for p in models["policy"].parameters()]
    steps = STEPS // N
    config = PPO_CFG(rollouts=25, learning_epochs=2, mini_batches=2)
    config.experiment.write_interval = config.experiment.checkpoint_interval = 0
    agent = PPO(
        models=models,
        memory=RandomMemory(memory_size=25, num_envs=N, device="cpu"),
        cfg=config,
        observation_space=worlds.observation_space,
        action_space=worlds.action_space,
        device="cpu",
    )
    trainer = SequentialTrainer(
        env=worlds,
        agents=agent,
        cfg={"timesteps": steps, "disable_progressbar": True, "headless": True},
    )
    trainer.train()
    after = models["policy"].parameters()
    assert any((p != q).any() for p, q in zip(before, after, strict=True))


def test_puffer_writes_into_the_buffers_of_its_caller() -> None:
    """A caller of our own, with PufferLib's contract: 2,000 steps, the same arrays throughout."""
    plain, vector = made(max_episode_steps=20), made(max_episode_steps=20)
    buffers = make_buffers(vector)
    worlds = Puffer(vector, buffers)
    observations, infos = worlds.reset(seed=0)
    assert observations is buffers.observations and infos == []
    np.testing.assert_array_equal(observations, plain.reset(seed=0)[0])
    rng, ended = np.random.default_rng(0), 0
    for _ in range(STEPS // N):
        actions = rng.uniform(-1, 1, (N, 3)).astype(np.float32)
        *results, infos = worlds.step(actions)
        wanted = plain.step(actions)
        for result, name, other in zip(
            results, ("observations", "rewards", "terminals", "truncations"), wanted, strict=False
        ):
            assert result is getattr(buffers, name)
            np.testing.assert_array_equal(result, other.astype(result.dtype))
        ended += len(infos)
        assert all(0 < info["episode_length"] <= 20 for info in infos)
    assert ended > 5
    buffers.rewards = np.zeros(3, np.float32)
    with pytest.raises(ShapeError, match="rewards"):
        Puffer(vector, buffers)


def test_tensors_share_memory() -> None:
    """Actions by DLPack, results from the arrays of the step."""
    torch = needs("torch")
    from cortenforge.envs.adapters.tensors import TensorVector, array_of

    worlds, plain = TensorVector(made()), made()
    observations, _ = worlds.reset(seed=1)
    assert isinstance(observations, torch.Tensor) and observations.dtype == torch.float32
    plain.reset(seed=1)
    actions = torch.rand(N, 3) * 2 - 1
    assert array_of(actions).ctypes.data == actions.data_ptr()
    for mine, other in zip(worlds.step(actions), plain.step(actions.numpy()), strict=True):
        if not isinstance(other, dict):
            np.testing.assert_array_equal(mine.numpy(), other)
