"""A half-cheetah learns to run: PPO of Stable-Baselines3 in 64 worlds at once.

`pip install 'cortenforge[envs]' stable-baselines3` for this one. It stops after 150,000 actions,
when the cheetah moves forward; a million and a half make a good runner of it, and
`cortenforge train HalfCheetah-v5` does that in a minute.
"""

from __future__ import annotations

import time

import numpy as np
from picture import keep
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize
from terminal import plot

import cortenforge as cf
from cortenforge import envs
from cortenforge.envs.adapters.stable_baselines3 import StableBaselines3

WORLDS, ACTIONS = 64, 150_000
#: actions of a world between two improvements of the policy, and at once in a gradient step
STEPS, MINIBATCH = 32, 512


def main() -> None:
    cheetahs = envs.make(
        "HalfCheetah-v5", WORLDS, autoreset_mode="SameStep", dtype=np.float32, max_episode_steps=250
    )
    worlds = VecNormalize(VecMonitor(StableBaselines3(cheetahs)))
    model = PPO(
        "MlpPolicy", worlds, n_steps=STEPS, batch_size=MINIBATCH, n_epochs=6, learning_rate=1e-3,
        policy_kwargs={"log_std_init": -1.0}, seed=0, device="cpu",
    )  # fmt: skip
    begin = time.perf_counter()
    returns = []
    for _ in range(10):
        model.learn(ACTIONS // 10, reset_num_timesteps=False)
        returns.append(np.mean([episode["r"] for episode in model.ep_info_buffer] or [np.nan]))
    seconds = time.perf_counter() - begin
    done = np.arange(1, 11) * ACTIONS / 10
    known = np.isfinite(returns)
    print(plot("Return of 250 steps, over actions", (done[known], np.array(returns)[known])))
    print(f"\n{model.num_timesteps:,} actions in {seconds:.0f} s; ", end="")

    worlds.training = False
    observations = worlds.reset()
    start = cheetahs.batch.qpos[:, 0].copy()
    for _ in range(100):
        actions, _ = model.predict(observations, deterministic=True)
        observations, *_ = worlds.step(actions)
    moved = cheetahs.batch.qpos[:, 0] - start
    print(f"in 5 s the cheetahs run {np.median(moved):.1f} m.")
    data = cheetahs.batch.env(int(np.argsort(moved)[WORLDS // 2]))
    data.forward()
    x = float(data.qpos[0])
    keep("train_sb3", data, cf.Camera(lookat=(x, 0, 0.5), distance=3, azimuth=90, elevation=-15))


if __name__ == "__main__":
    main()
