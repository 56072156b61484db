"""A paddle keeps a ball in the air: the task with kernels."""

from cortenforge import envs
from cortenforge.envs.tutorial.paddle_arrays import FARTHEST, LOWEST, PADDLE
from cortenforge.kernel import kernel, select
from cortenforge.model import Model


@kernel(lanes=True)
def act(m, d):
    """Actions are controls."""
    for i in range(m.nu):
        d.ctrl[i] = d.action[i]


@kernel(lanes=True)
def judge(m, d):
    """The reward, and whether the ball is lost."""
    d.smooth = 0.0
    for i in range(m.nu):
        change = d.action[i] - d.last[i]
        d.smooth = d.smooth - 0.05 * change * change
        d.last[i] = d.action[i]
    away = d.qpos[0] - d.qpos[2]
    d.alive = 1.0
    d.near = -away * away
    d.reward = d.alive + d.near + d.smooth
    d.done = select(d.qpos[1] < LOWEST or abs(d.qpos[0]) > FARTHEST, 1.0, 0.0)


@kernel(lanes=True)
def begin(m, d):
    """A ball at a random place, with a random velocity."""
    d.qpos[0] = 0.4 * d.uniform[0] - 0.2
    d.qpos[1] = 0.2 * d.uniform[1]
    d.qvel[0] = 0.4 * d.uniform[2] - 0.2
    for i in range(m.nu):
        d.last[i] = 0.0


@kernel(lanes=True)
def observe(m, d):
    """Positions, velocities and the last action."""
    for i in range(m.nq):
        d.obs[i] = d.qpos[i]
        d.obs[m.nq + i] = d.qvel[i]
    for i in range(m.nu):
        d.obs[2 * m.nq + i] = d.last[i]


class Paddle(envs.KernelEnvironment):
    """Rewarded as long as the ball is in the air, near the paddle, and moves are smooth."""

    name = "cortenforge/PaddleKernels-v0"
    frame_skip, max_episode_steps, uniforms = 4, 500, 3
    state = {"last": (3,)}
    columns = {"position": 5, "velocity": 5, "last": 3}
    terms = ("alive", "near", "smooth")
    act, judge, begin, observe = act, judge, begin, observe

    def load(self):
        return Model.from_mjcf(PADDLE)
