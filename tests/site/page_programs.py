"""Programs of the pages of docs/, and what a page takes for granted."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf

ROOT = Path(__file__).parents[2]
#: pages whose programs other tests run: docs/gallery.md, and the README, which is no page of docs
ELSEWHERE = {"gallery"}
#: a block of python is a program; what is marked py is a part of one, which cannot run by itself
BLOCK = re.compile(r"^```(?:python|\{code-cell\}[^\n]*)\n(.*?)^```", re.M | re.S)
#: packages that pages need and the engine does not
PACKAGES = {
    "envs": "gymnasium",
    "gpu": "wgpu",
    "mujoco": "mujoco",
    "scale": "ray",
    "start/tour": "viser",
    "tutorials/gripper": "matplotlib",
    "tutorials/ilqr": "matplotlib",
    "tutorials/pendulum_to_humanoid": "matplotlib",
    "tutorials/randomisation": "matplotlib",
    "viewer": "viser",
}

HAND = """<mujoco><worldbody><body name="hand" pos="0 0 .2"><freejoint/>
<geom name="palm" size=".05"/><body name="finger" pos=".06 0 0"><joint axis="0 1 0"/>
<geom name="finger" size=".02"/></body></body>
<body name="cube" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".05 .05 .05"/></body>
</worldbody></mujoco>"""
ARM = '<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body></worldbody></mujoco>'
BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body pos="0 0 .1">
<freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
NOISY = """<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body></worldbody>
<sensor><jointpos joint="a" noise=".01"/></sensor></mujoco>"""
GROUND = """<mujoco><asset><hfield name="ground" nrow="9" ncol="9" size="2 2 1 1"/>
<mesh name="nut" builtin="sphere" params="2"/></asset><worldbody>
<geom name="ground" type="hfield" hfield="ground"/>
<body name="torso" pos="0 0 2"><freejoint/><geom name="nut" type="sdf" mesh="nut"/></body>
</worldbody></mujoco>"""
CUP = """<mujoco><asset><mesh name="cup" builtin="sphere" params="2"/></asset><worldbody>
<body><freejoint/><geom name="cup" type="sdf" mesh="cup"/></body></worldbody></mujoco>"""
ROBOT = '<robot name="r"><link name="base"/></robot>'


def pages() -> list[str]:
    """Names of pages that have programs."""
    files = sorted((ROOT / "docs").rglob("*.md"))
    named = {file.relative_to(ROOT / "docs").with_suffix("").as_posix(): file for file in files}
    return [name for name, file in named.items() if name not in ELSEWHERE and blocks(file)]


def blocks(file: Path) -> list[str]:
    """Programs of a page in order; kernels by themselves are compared with the sources."""
    found = BLOCK.findall(file.read_text(encoding="utf-8"))
    return [one for one in found if "@kernel" not in one or "model." in one]


def session(page: str) -> dict[str, Any]:
    """What stands before the first program: a model in motion, a batch, what the page speaks of."""
    model = cf.load_model(cf.models.find("humanoid"))
    data = model.make_data()
    data.step(200)
    names = {"cf": cf, "np": np, "model": model, "data": data, "batch": cf.BatchSim(model, 8)}
    given = GIVEN.get(page, dict)()
    if "model" in given:
        names["data"] = given["model"].make_data()
        names["data"].forward()
        names["batch"] = cf.BatchSim(given["model"], 4)
    return names | given | {"__name__": page}


def ground() -> dict[str, Any]:
    points = np.array([[0.0, 0, 2], [0.1, 0, 2]])
    return {"model": cf.Model.from_mjcf(GROUND), "point": points[0], "points": points,
            "directions": np.tile([0.0, 0, -1], (2, 1))}  # fmt: skip


def sdf() -> dict[str, Any]:
    axis = np.linspace(-0.2, 0.2, 41)
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    spec = cf.Spec.from_mjcf(CUP)
    return {"model": spec.compile(), "spec": spec, "distance": np.sqrt(x * x + y * y + z * z) - 0.1}


def surfaces() -> dict[str, Any]:
    vert = np.array([[0.0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 2]])
    shell = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    return {"vert": vert, "face": shell[:1], "shell": shell, "edge": np.array([[0, 1], [1, 2]]),
            "camera": "side"}  # fmt: skip


def worlds() -> dict[str, Any]:
    start = cf.load_model(cf.models.find("humanoid")).make_data().get_state()
    return {"starts": [start], "rng": np.random.default_rng(0),
            "policy": lambda qpos, qvel: np.zeros((len(qpos), 21))}  # fmt: skip


GIVEN: dict[str, Any] = {
    "batches": worlds,
    "collision": lambda: {"model": cf.Model.from_mjcf(HAND)},
    "forces_and_jacobians": lambda: {"model": cf.Model.from_mjcf(BALL)},
    "mjcf": sdf,
    "rays": ground,
    "rendering": surfaces,
    "sensors": lambda: {"model": cf.Model.from_mjcf(NOISY)},
    "viewer": lambda: {"policy": lambda data: 0.0},
    "mujoco": lambda: {"xml": ARM},
}


def files(page: str, folder: Path) -> None:
    """Files that pages load by name."""
    for name in cf.models.names():
        shutil.copy(cf.models.find(name), folder / f"{name}.xml")
    if page in ("validate", "reference/file_formats"):
        shutil.copy(cf.models.find("arm"), folder / "arm.xml")
    (folder / "robot.urdf").write_text(ROBOT, encoding="utf-8")


@pytest.fixture
def short_views(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Viewers at any free port, which close by themselves."""
    view = cf.view
    timers: list[threading.Timer] = []

    def opened(*arguments: Any, **options: Any) -> Any:
        viewer = view(*arguments, **options, port=0)
        timers.append(threading.Timer(2.0, viewer.close))
        timers[-1].start()
        return viewer

    monkeypatch.setattr(cf, "view", opened)
    yield
    for timer in timers:
        timer.join()
