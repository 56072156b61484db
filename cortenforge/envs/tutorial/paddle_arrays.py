"""A paddle keeps a ball in the air: the task with arrays."""

import numpy as np

from cortenforge import envs
from cortenforge.model import Model

PADDLE = """<mujoco><option timestep="0.005"/><worldbody><light pos="0 -1 3"/>
  <body pos="0 0 1"><geom size="0.05" mass="0.05" solref="0.02 0.2"/>
    <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/></body>
  <body pos="0 0 0.5" gravcomp="1"><geom type="box" size="0.2 0.1 0.02" mass="1"/>
    <joint name="x" type="slide" axis="1 0 0" range="-1 1" damping="20"/>
    <joint name="z" type="slide" axis="0 0 1" range="-0.2 0.2" damping="20"/>
    <joint name="tilt" axis="0 1 0" range="-30 30" damping="2"/></body>
</worldbody><actuator>
  <position joint="x" kp="200" ctrlrange="-1 1"/><position joint="z" kp="200" ctrlrange="-0.2 0.2"/>
  <position joint="tilt" kp="20" ctrlrange="-0.5 0.5"/></actuator></mujoco>"""
LOWEST, FARTHEST = -0.7, 1.5


class Paddle(envs.Environment):
    """Rewarded as long as the ball is in the air, near the paddle, and moves are smooth."""

    name = "cortenforge/Paddle-v0"
    frame_skip = 4
    max_episode_steps = 500
    randomness = "counters"
    state = {"last": (3,), "change": ()}

    def load(self):
        return Model.from_mjcf(PADDLE)

    def begin(self, w, draws):
        drawn = draws.uniform(0.0, 1.0, 3)
        qpos, qvel = np.array(w.qpos), np.array(w.qvel)
        qpos[:, 0] = 0.4 * drawn[:, 0] - 0.2
        qpos[:, 1] = 0.2 * drawn[:, 1]
        qvel[:, 0] = 0.4 * drawn[:, 2] - 0.2
        w.qpos, w.qvel = qpos, qvel

    def observe(self, w):
        return {"position": w.qpos, "velocity": w.qvel, "last": w.last}

    def after(self, w):
        w.change = np.square(w.action - w.last).sum(axis=1)
        w.last = w.action

    def reward(self, w):
        away = w.qpos[:, 0] - w.qpos[:, 2]
        return {"alive": np.ones(w.n), "near": -away * away, "smooth": -0.05 * w.change}

    def terminated(self, w):
        return (w.qpos[:, 1] < LOWEST) | (np.abs(w.qpos[:, 0]) > FARTHEST)
