"""Models and data of MuJoCo and of the module beside it, in equal random states."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import mujoco as real
import numpy as np

import cortenforge.models
import cortenforge.mujoco as ours

#: a model with some of everything
ASSORTED = """
<mujoco model="assorted">
  <option>
    <flag energy="enable"/>
  </option>
  <size nuserdata="3" nkey="2"/>
  <asset>
    <mesh name="tetrahedron" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8"/>
    <material name="tiled" texture="grid" rgba=".5 .6 .7 1"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 .5 0 .5 1 .5 0 .5 0"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="watch" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="field" type="hfield" hfield="hills" pos="0 0 -5"/>
    <site name="origin" pos="0 0 .1"/>
    <body name="target" mocap="true" pos="0 0 2"/>
    <body name="base" pos="0 0 1.2">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size=".2 .15 .1" friction=".8 .02 .01" condim="6"/>
      <site name="imu" pos=".05 0 .1" euler="10 20 30"/>
      <camera name="head" pos=".2 0 .1" mode="trackcom"/>
      <body name="thigh" pos=".2 .1 0">
        <joint name="hip" type="ball" damping=".1" range="0 1.2" limited="true"/>
        <geom name="upper" type="capsule" fromto="0 0 0 0 0 -.3" size=".05"/>
        <body name="shank" pos="0 0 -.3">
          <joint name="knee" axis="0 1 0" range="-1.5 .5" limited="true" armature=".01"
            frictionloss=".05" stiffness="1"/>
          <geom name="lower" type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
          <site name="foot" pos="0 0 -.3" size=".05"/>
        </body>
      </body>
      <body name="arm" pos="-.2 0 .1">
        <joint name="slide" type="slide" axis="1 0 0" range="-.3 .3" limited="true"/>
        <joint name="turn" axis="0 0 1"/>
        <geom name="hand" type="mesh" mesh="tetrahedron"/>
        <site name="tip" pos="0 .1 0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 .3">
      <freejoint name="loose"/>
      <geom name="marble" size=".12" margin=".01" material="tiled"/>
    </body>
  </worldbody>
  <contact>
    <pair name="grip" geom1="marble" geom2="lower"/>
    <exclude name="apart" body1="arm" body2="thigh"/>
  </contact>
  <equality>
    <weld name="leash" body1="ball" body2="target" active="false"/>
    <joint name="couple" joint1="slide" joint2="turn" polycoef="0 .1 0 0 0"/>
  </equality>
  <tendon>
    <fixed name="cord" range="-1 1" limited="true" frictionloss=".01">
      <joint joint="knee" coef="1"/>
      <joint joint="turn" coef="-.5"/>
    </fixed>
    <spatial name="string" stiffness="5" damping=".1">
      <site site="origin"/>
      <site site="tip"/>
    </spatial>
  </tendon>
  <actuator>
    <motor name="kick" joint="knee" gear="2" ctrlrange="-1 1" ctrllimited="true" user="1 2"/>
    <position name="servo" joint="turn" kp="3"/>
    <general name="lagged" tendon="cord" dyntype="filter" dynprm=".1" gainprm="2"/>
    <motor name="swing" joint="hip" gear="1 0 0"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="knee"/>
    <framepos name="where" objtype="site" objname="tip"/>
    <gyro name="spin" site="imu"/>
    <accelerometer name="push" site="imu"/>
    <touch name="step" site="foot"/>
    <subtreecom name="com" body="base"/>
    <actuatorfrc name="drive" actuator="kick"/>
    <user name="own" dim="2"/>
  </sensor>
  <custom>
    <numeric name="numbers" data="1 2 3"/>
    <text name="motto" data="hello"/>
    <tuple name="group"><element objtype="body" objname="ball" prm=".5"/></tuple>
  </custom>
  <keyframe>
    <key name="high" qpos="0 0 2 1 0 0 0  1 0 0 0  0 0 0  1 0 1 1 0 0 0" time="1.5"/>
  </keyframe>
</mujoco>
"""


def bundled(name: str) -> str:
    """The text of a bundled model."""
    return cortenforge.models.find(name).read_text()


#: models by name: a text of MJCF
MODELS: dict[str, str] = {
    "assorted": ASSORTED,
    "assorted_elliptic": ASSORTED.replace("<option>", '<option cone="elliptic" jacobian="sparse">'),
    "assorted_rk4": ASSORTED.replace("<option>", '<option integrator="RK4" solver="CG">'),
    "assorted_fast": ASSORTED.replace(
        "<option>", '<option integrator="implicitfast" solver="PGS" noslip_iterations="2">'
    ),
    "humanoid": bundled("humanoid"),
    "arm": bundled("arm"),
}


class Side(NamedTuple):
    """One of the two: the module, a model and its data."""

    mujoco: Any
    m: Any
    d: Any


@functools.cache
def models(name: str) -> tuple[Any, Any]:
    """A model of both; do not edit."""
    return (
        real.MjModel.from_xml_string(MODELS[name]),
        ours.MjModel.from_xml_string(MODELS[name]),
    )


def randomize(side: Side, seed: int, *, scale: float = 0.4) -> None:
    """Set state and inputs at random, the same for both."""
    rng = np.random.default_rng(seed)
    m, d = side.m, side.d
    d.qvel[:] = scale * rng.standard_normal(m.nv)
    qpos = np.array(d.qpos)
    side.mujoco.mj_integratePos(m, qpos, scale * rng.standard_normal(m.nv), 1.0)
    d.qpos[:] = qpos
    d.ctrl[:] = rng.uniform(-1, 1, m.nu)
    d.act[:] = rng.uniform(-1, 1, m.na)
    d.qfrc_applied[:] = rng.standard_normal(m.nv)
    d.xfrc_applied[1:] = rng.standard_normal((m.nbody - 1, 6))
    d.qacc[:] = rng.standard_normal(m.nv)


def sides(name: str, seed: int, *, forward: bool = True) -> tuple[Side, Side]:
    """Both in the same random state, evaluated there."""
    found = []
    for module, model in zip((real, ours), models(name), strict=True):
        side = Side(module, model, module.MjData(model))
        randomize(side, seed)
        if forward:
            module.mj_forward(model, side.d)
        found.append(side)
    return found[0], found[1]


#: fields that differ on purpose, or by rounding alone -> why
OTHERWISE: dict[str, str] = {
    "signature": "the engine's own",
    "timer": "durations are not measured here",
    "solver": "iterations are not recorded here",
    "efc_state": "MuJoCo's is older than efc_force where there are islands",
}


#: memory that MuJoCo does not write where the Jacobian is dense
SPARSE_ONLY = frozenset({"efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"})


def unwritten(side: Side) -> frozenset[str]:
    """Fields of data that MuJoCo does not write for a model."""
    return frozenset() if side.mujoco.mj_isSparse(side.m) else SPARSE_ONLY


def fields_of(struct: Any) -> list[str]:
    """Fields of data or of a model, but for those that differ on purpose."""
    return [
        name
        for name in dir(type(struct))
        if not name.startswith("_")
        and name not in OTHERWISE
        and not callable(getattr(type(struct), name, None))
    ]


def differences(
    a: Any, b: Any, *, rtol: float, skip: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Fields of MuJoCo's struct that ours does not equal: name -> what differs."""
    found: dict[str, Any] = {}
    for name in fields_of(a):
        if name in skip:
            continue
        wanted = getattr(a, name)
        if isinstance(wanted, (int, float, bytes, np.ndarray)):
            try:
                value = np.asarray(getattr(b, name))
            except NotImplementedError:
                continue
            difference = unequal(np.asarray(wanted), value, rtol)
            if difference:
                found[name] = difference
    return found


def unequal(wanted: np.ndarray, value: np.ndarray, rtol: float) -> str:
    """How two arrays differ; nothing if they do not."""
    if wanted.shape != value.shape or (wanted.dtype != value.dtype and wanted.dtype.kind != "S"):
        return f"{wanted.dtype}{wanted.shape} is {value.dtype}{value.shape}"
    if wanted.dtype.kind != "f":
        return "" if np.array_equal(wanted, value) else f"{wanted} is {value}"
    scale = max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    error = np.max(np.abs(wanted - value), initial=0.0) / scale
    return "" if error <= rtol else f"differs by {error:.2g}"
