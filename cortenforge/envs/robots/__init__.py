"""Tasks of robots on bundled models, or on those of mujoco_menagerie."""

from cortenforge.envs.robots.arm import ArmPick
from cortenforge.envs.robots.legged import HumanoidWalk, QuadrupedVelocity

#: by the id of an environment
TASKS = {task.name: task for task in (ArmPick, HumanoidWalk, QuadrupedVelocity)}

__all__ = ["TASKS", "ArmPick", "HumanoidWalk", "QuadrupedVelocity"]
