"""acrobot, cartpole and pendulum: links that swing up and balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.dm_suite.base import SuiteTask, norm
from cortenforge.envs.dm_suite.tolerance import tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec

#: components of a frame's vertical and horizontal axes in `xmat`, by rows
XX, XZ, ZX, ZY, ZZ = 0, 2, 6, 7, 8


@dataclass(kw_only=True)
class Acrobot(SuiteTask):
    """The tip of a double pendulum is to reach the target at the top."""

    time_limit: float = 10.0
    sparse: bool = False
    domain = "acrobot"
    fields = ("xmat", "site_xpos")

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos = np.array(w.qpos)
        columns, _ = self.joint_columns("shoulder", "elbow")
        qpos[:, columns] = draws.uniform(-np.pi, np.pi, 2)
        w.qpos = qpos

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        arms = [self.number("body", name) for name in ("upper_arm", "lower_arm")]
        axes = w.xmat[:, arms]
        orientations = np.concatenate([axes[:, :, XZ], axes[:, :, ZZ]], axis=1)
        return {"orientations": orientations, "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        radius = self.model.site_size[self.number("site", "target"), 0]
        distance = norm(self.site(w, "target") - self.site(w, "tip"))
        return {"reach": tolerance(distance, 0, radius, margin=0 if self.sparse else 1)}


@dataclass(kw_only=True)
class Cartpole(SuiteTask):
    """Poles on a cart."""

    time_limit: float = 10.0
    swing_up: bool = False
    sparse: bool = False
    poles: int = 1
    domain = "cartpole"
    fields = ("xmat",)

    def edit(self, spec: Spec) -> None:
        parent = spec.body("pole_1")
        for number in range(2, self.poles + 1):
            parent = parent.add_body(name=f"pole_{number}", pos=[0, 0, 1], childclass="pole")
            parent.add_joint(name=f"hinge_{number}")
            parent.add_geom(name=f"pole_{number}")
        if self.poles > 1:
            spec.geom("floor").pos = [0, 0, 1 - self.poles - 0.05]
            spec.camera("fixed").pos = [0, -1 - 2 * self.poles, 1]
            spec.camera("lookatcart").pos = [0, -2 * self.poles, 2]

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        nv, qpos = self.model.nv, np.array(w.qpos)
        if self.swing_up:
            qpos[:, 0] = 0.01 * draws.normal()
            qpos[:, 1] = np.pi + 0.01 * draws.normal()
            qpos[:, 2:] = 0.1 * draws.normal(nv - 2)
        else:
            qpos[:, 0] = draws.uniform(-0.1, 0.1)
            qpos[:, 1:] = draws.uniform(-0.034, 0.034, nv - 1)
        w.qpos, w.qvel = qpos, 0.01 * draws.normal(nv)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        poles = w.xmat[:, 2:][:, :, [ZZ, XZ]].reshape(w.n, -1)
        return {"position": np.concatenate([w.qpos[:, :1], poles], axis=1), "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        cosines, cart = w.xmat[:, 2:, ZZ], w.qpos[:, 0]
        if self.sparse:
            upright = tolerance(cosines, 0.995, 1).prod(axis=1)
            return {"balance": tolerance(cart, -0.25, 0.25) * upright}
        upright = ((cosines + 1) / 2).mean(axis=1)
        centred = (1 + tolerance(cart, margin=2)) / 2
        quiet = tolerance(w.ctrl[:, 0], margin=1, falloff="quadratic", at_margin=0)
        slow = (1 + tolerance(w.qvel[:, 1:], margin=5).min(axis=1)) / 2
        return {"balance": upright * (4 + quiet) / 5 * slow * centred}


@dataclass(kw_only=True)
class Pendulum(SuiteTask):
    """One link is to be within eight degrees of the vertical."""

    domain = "pendulum"
    fields = ("xmat",)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = draws.uniform(-np.pi, np.pi, 1)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        orientation = w.xmat[:, self.number("body", "pole")][:, [ZZ, XZ]]
        return {"orientation": orientation, "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        vertical = w.xmat[:, self.number("body", "pole"), ZZ]
        return {"upright": tolerance(vertical, np.cos(np.deg2rad(8)), 1)}
