"""The tasks of dm_control's suite for many worlds: "domain-task" and what makes it."""

from __future__ import annotations

from functools import partial
from typing import Any

from cortenforge.envs.dm_suite.dog import Dog, DogFetch
from cortenforge.envs.dm_suite.humanoids import Humanoid, HumanoidCMU
from cortenforge.envs.dm_suite.lqr import Lqr
from cortenforge.envs.dm_suite.manipulation import Manipulator, Stacker
from cortenforge.envs.dm_suite.pendulums import Acrobot, Cartpole, Pendulum
from cortenforge.envs.dm_suite.planar import Cheetah, Hopper, Walker
from cortenforge.envs.dm_suite.quadruped import Quadruped, QuadrupedEscape, QuadrupedFetch
from cortenforge.envs.dm_suite.swimmers import Fish, Swimmer
from cortenforge.envs.dm_suite.targets import BallInCup, Finger, PointMass, Reacher

#: class and options of each task
SUITE: dict[str, tuple[type, dict[str, Any]]] = {
    "acrobot-swingup": (Acrobot, {}),
    "acrobot-swingup_sparse": (Acrobot, {"sparse": True}),
    "ball_in_cup-catch": (BallInCup, {}),
    "cartpole-balance": (Cartpole, {}),
    "cartpole-balance_sparse": (Cartpole, {"sparse": True}),
    "cartpole-swingup": (Cartpole, {"swing_up": True}),
    "cartpole-swingup_sparse": (Cartpole, {"swing_up": True, "sparse": True}),
    "cartpole-three_poles": (Cartpole, {"swing_up": True, "poles": 3}),
    "cartpole-two_poles": (Cartpole, {"swing_up": True, "poles": 2}),
    "cheetah-run": (Cheetah, {}),
    "dog-fetch": (DogFetch, {}),
    "dog-run": (Dog, {"move_speed": 9.0}),
    "dog-stand": (Dog, {}),
    "dog-trot": (Dog, {"move_speed": 3.0}),
    "dog-walk": (Dog, {"move_speed": 1.0}),
    "finger-spin": (Finger, {}),
    "finger-turn_easy": (Finger, {"target_size": 0.07}),
    "finger-turn_hard": (Finger, {"target_size": 0.03}),
    "fish-swim": (Fish, {"swimming": True}),
    "fish-upright": (Fish, {}),
    "hopper-hop": (Hopper, {"hopping": True}),
    "hopper-stand": (Hopper, {}),
    "humanoid-run": (Humanoid, {"move_speed": 10.0}),
    "humanoid-run_pure_state": (Humanoid, {"move_speed": 10.0, "pure_state": True}),
    "humanoid-stand": (Humanoid, {}),
    "humanoid-walk": (Humanoid, {"move_speed": 1.0}),
    "humanoid_CMU-run": (HumanoidCMU, {"move_speed": 10.0}),
    "humanoid_CMU-stand": (HumanoidCMU, {}),
    "humanoid_CMU-walk": (HumanoidCMU, {"move_speed": 1.0}),
    "lqr-lqr_2_1": (Lqr, {}),
    "lqr-lqr_6_2": (Lqr, {"bodies": 6, "actuators": 2}),
    "manipulator-bring_ball": (Manipulator, {}),
    "manipulator-bring_peg": (Manipulator, {"peg": True}),
    "manipulator-insert_ball": (Manipulator, {"insert": True}),
    "manipulator-insert_peg": (Manipulator, {"peg": True, "insert": True}),
    "pendulum-swingup": (Pendulum, {}),
    "point_mass-easy": (PointMass, {}),
    "point_mass-hard": (PointMass, {"random_directions": True}),
    "quadruped-escape": (QuadrupedEscape, {}),
    "quadruped-fetch": (QuadrupedFetch, {}),
    "quadruped-run": (Quadruped, {"move_speed": 5.0, "floor": 100.0}),
    "quadruped-walk": (Quadruped, {"move_speed": 0.5}),
    "reacher-easy": (Reacher, {}),
    "reacher-hard": (Reacher, {"target_size": 0.015}),
    "stacker-stack_2": (Stacker, {}),
    "stacker-stack_4": (Stacker, {"boxes": 4}),
    "swimmer-swimmer15": (Swimmer, {"links": 15}),
    "swimmer-swimmer6": (Swimmer, {}),
    "walker-run": (Walker, {"move_speed": 8.0}),
    "walker-stand": (Walker, {}),
    "walker-walk": (Walker, {"move_speed": 1.0}),
}
#: by the id of an environment
TASKS = {f"dm_control/{name}-v0": partial(kind, **own) for name, (kind, own) in SUITE.items()}
