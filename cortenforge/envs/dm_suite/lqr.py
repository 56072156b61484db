"""lqr: masses in a row, with springs of random stiffness, are brought to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.envs.dm_suite.base import SuiteTask
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec


@dataclass(kw_only=True)
class Lqr(SuiteTask):
    """A cost that is quadratic in positions and controls; the stiffness of a world stays.

    bodies, actuators: their numbers.   control_cost: weight of the controls.
    """

    time_limit: float = float("inf")
    bodies: int = 2
    actuators: int = 1
    control_cost: float = 0.1
    domain = "lqr"
    expand = ("jnt_stiffness",)
    softest, stiffest = 15.0, 25.0

    def edit(self, spec: Spec) -> None:
        parent = spec.worldbody
        for k in range(self.bodies):
            parent = parent.add_body(name=f"body_{k}", pos=[0.25, 0, 0 if k else 0.1])
            parent.add_joint(name=f"joint_{k}", stiffness=self.softest)
            parent.add_geom(name=f"geom_{k}")
            parent.add_site(name=f"site_{k}")
        for k in range(self.actuators):
            spec.add_actuator("motor", name=f"motor_{k}", joint=f"joint_{k}")
        for k in range(self.bodies - 1):
            tendon = spec.add_tendon("spatial", name=f"tendon_{k}")
            tendon.add("site", site=f"site_{k}")
            tendon.add("site", site=f"site_{k + 1}")

    def randomize(self, batch: BatchSim, seed: int) -> None:
        shape = batch.parameters["jnt_stiffness"].shape
        drawn = np.random.default_rng(seed).uniform(self.softest, self.stiffest, shape)
        batch.parameters["jnt_stiffness"][:] = drawn

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        direction = draws.normal(self.model.nq)
        w.qpos = np.sqrt(2) * direction / np.linalg.norm(direction, axis=1, keepdims=True)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"position": w.qpos, "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "alive": np.ones(w.n),
            "state": -0.5 * np.square(w.qpos).sum(axis=1),
            "control": -0.5 * self.control_cost * np.square(w.ctrl).sum(axis=1),
        }
