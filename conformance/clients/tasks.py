"""Tasks of the clients: how each is made, and stepped with random actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

#: what steps a task, given a number of steps
Run = Callable[[int], None]


def gym_run(make: Callable[[], Any], seed: int = 0) -> Run:
    """Steps of an environment with Gymnasium's interface."""

    def run(steps: int) -> None:
        env = make()
        env.action_space.seed(seed)
        env.reset(seed=seed)
        for _ in range(steps):
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()
        env.close()

    return run


def dm_run(make: Callable[[], Any], seed: int = 0) -> Run:
    """Steps of an environment of dm_control."""

    def run(steps: int) -> None:
        env, rng = make(), np.random.RandomState(seed)
        spec = env.action_spec()
        low, high = np.maximum(spec.minimum, -1.0), np.minimum(spec.maximum, 1.0)
        step = env.reset()
        for _ in range(steps):
            step = env.step(rng.uniform(low, high, spec.shape)) if not step.last() else env.reset()

    return run


def dm_control_suite() -> Iterator[tuple[str, Run]]:
    """The tasks of dm_control.suite."""
    from dm_control import suite

    for domain, task in suite.ALL_TASKS:
        yield f"{domain}/{task}", dm_run(partial(suite.load, domain, task, {"random": 0}))


def dm_control_composer() -> Iterator[tuple[str, Run]]:
    """Tasks of locomotion and manipulation, whose models are put together by programs."""
    from dm_control import manipulation
    from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020

    for name in ("cmu_humanoid_run_walls", "cmu_humanoid_run_gaps", "cmu_humanoid_go_to_target"):
        make = getattr(basic_cmu_2019, name)
        yield name, dm_run(partial(make, random_state=np.random.RandomState(0)))
    for name in ("rodent_run_gaps", "rodent_escape_bowl"):
        make = getattr(basic_rodent_2020, name)
        yield name, dm_run(partial(make, random_state=np.random.RandomState(0)))
    for name in manipulation.get_environments_by_tag("features"):
        yield name, dm_run(partial(manipulation.load, name, seed=0))


def gymnasium_robotics() -> Iterator[tuple[str, Run]]:
    """Environments of gymnasium-robotics."""
    import gymnasium as gym
    import gymnasium_robotics

    gym.register_envs(gymnasium_robotics)
    names = (
        *("FetchReach-v4", "FetchPush-v4", "FetchSlide-v4", "FetchPickAndPlace-v4"),
        *("HandReach-v3", "HandManipulateBlock-v1", "HandManipulateEgg-v1"),
        *("HandManipulatePen-v1", "AdroitHandDoor-v1", "AdroitHandHammer-v1"),
        *("AdroitHandPen-v1", "AdroitHandRelocate-v1", "FrankaKitchen-v1"),
        *("PointMaze_UMaze-v3", "AntMaze_UMaze-v5"),
    )
    for name in names:
        yield name, gym_run(partial(gym.make, name))


def metaworld() -> Iterator[tuple[str, Run]]:
    """The fifty tasks of Meta-World."""
    import gymnasium as gym
    import metaworld

    for name in metaworld.ALL_V3_ENVIRONMENTS:
        yield name, gym_run(partial(gym.make, "Meta-World/MT1", env_name=name, seed=0))


def robosuite() -> Iterator[tuple[str, Run]]:
    """Environments of robosuite, without cameras."""
    import robosuite

    def run_of(name: str, robots: Any) -> Run:
        def run(steps: int) -> None:
            env = robosuite.make(
                name, robots=robots, has_renderer=False, has_offscreen_renderer=False,
                use_camera_obs=False, horizon=max(steps, 1) + 1,
            )  # fmt: skip
            rng = np.random.RandomState(0)
            np.random.seed(0)
            env.reset()
            low, high = env.action_spec
            for _ in range(steps):
                env.step(rng.uniform(low, high))
            env.close()

        return run

    single = ("Lift", "Stack", "NutAssembly", "PickPlace", "Door", "Wipe", "ToolHang")
    for name in single:
        yield name, run_of(name, "Panda")
    yield "TwoArmLift", run_of("TwoArmLift", ["Panda", "Panda"])


#: parts by name: their tasks
PARTS: dict[str, Callable[[], Iterator[tuple[str, Run]]]] = {
    "dm_control": dm_control_suite,
    "composer": dm_control_composer,
    "gymnasium-robotics": gymnasium_robotics,
    "metaworld": metaworld,
    "robosuite": robosuite,
}
