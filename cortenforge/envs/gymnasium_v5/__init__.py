"""The MuJoCo tasks of Gymnasium, version 5, as tasks for many worlds."""

from cortenforge.envs.gymnasium_v5.ant import Ant
from cortenforge.envs.gymnasium_v5.arms import Pusher, Reacher
from cortenforge.envs.gymnasium_v5.humanoids import Humanoid, HumanoidStandup
from cortenforge.envs.gymnasium_v5.pendulums import InvertedDoublePendulum, InvertedPendulum
from cortenforge.envs.gymnasium_v5.planar import HalfCheetah, Hopper, Swimmer, Walker2d

#: by Gymnasium's id
TASKS = {
    task.name: task
    for task in (
        Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum,
        InvertedPendulum, Pusher, Reacher, Swimmer, Walker2d,
    )
}  # fmt: skip

__all__ = ["TASKS", *(task.__name__ for task in TASKS.values())]
