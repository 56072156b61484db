"""Contact-free models for every stage of a step, and states that move them."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from cortenforge.batch import BatchSim
from cortenforge.enums import Disable, Integrator
from cortenforge.fields import DATA_FIELDS
from cortenforge.gpu import GpuBatchSim
from cortenforge.models import find

TRIPLE_PENDULUM = """
<mujoco>
  <option timestep="0.004166666666666667"/>
  <default>
    <joint axis="0 1 0"/><geom contype="0" conaffinity="0" type="capsule" size="0.02"/>
  </default>
  <worldbody>
    <body>
      <joint name="a"/><geom fromto="0 0 0 0 0 -1" mass="0.1"/>
      <body pos="0 0 -1">
        <joint name="b"/><geom fromto="0 0 0 0 0 -1" mass="0.1"/>
        <body pos="0 0 -1"><joint name="c"/><geom fromto="0 0 0 0 0 -1" mass="0.1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

NOTHING_MOVES = """
<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><site pos="1 0 0"/>
<body pos="0 0 1"><geom size="0.1"/></body></worldbody></mujoco>"""

JOINTS = """
<mujoco>
  <option timestep="0.002"><flag energy="enable"/></option>
  <default><geom contype="0" conaffinity="0" size="0.05 0.04 0.03" type="box"/></default>
  <worldbody>
    <body pos="0 0 1" quat="0.9 0.1 0.3 0.2">
      <freejoint/><geom mass="1"/><site pos="0.1 0 0" quat="0.7 0.7 0 0"/>
      <body pos="0.2 0 0">
        <joint type="ball" pos="-0.05 0 0" stiffness="2" damping="0.1"/>
        <geom pos="0.1 0.02 0" mass="0.5"/>
        <body pos="0.2 0 0" gravcomp="0.5">
          <joint type="slide" axis="0 0 1" stiffness="5" springref="0.1"/>
          <joint type="hinge" axis="1 1 0" damping="0.05" armature="0.01"/>
          <geom pos="0.05 0 0" mass="0.3"/>
        </body>
      </body>
    </body>
    <body pos="0 1 1"><freejoint/><geom mass="2"/></body>
    <body name="hand" mocap="true" pos="1 1 1" quat="0.5 0.5 0.5 0.5">
      <geom mass="1"/><site pos="0 0.1 0"/>
    </body>
  </worldbody>
</mujoco>"""

FLUID = """
<mujoco>
  <option density="1000" viscosity="0.01" wind="0.3 0 0.1"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.06 0.04" mass="3"/></body>
    <body pos="1 0 1">
      <freejoint/><geom type="ellipsoid" size="0.1 0.06 0.04" fluidshape="ellipsoid" mass="2"/>
      <body pos="0.2 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" size="0.03 0.1" fluidshape="ellipsoid" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""

CAMERAS = """
<mujoco>
  <default><geom contype="0" conaffinity="0" size="0.1"/></default>
  <worldbody>
    <camera name="still" pos="0 -2 1" xyaxes="1 0 0 0 0.5 1"/>
    <light name="lamp" pos="0 0 3" mode="targetbody" target="fly"/>
    <body name="fly" pos="0 0 1">
      <freejoint/><geom mass="1" pos="0.1 0 0"/>
      <camera name="fixed" pos="0.1 0 0.2" quat="0.8 0.6 0 0"/>
      <camera name="track" mode="track" pos="0.1 0 0.2"/>
      <camera name="com" mode="trackcom" pos="0.1 0 0.2"/>
      <light name="follows" mode="trackcom" pos="0 0 1" dir="0 0.5 -1"/>
      <body name="tail" pos="-0.2 0 0"><joint axis="0 1 0"/><geom mass="0.2" pos="-0.1 0 0"/></body>
    </body>
    <camera name="target" mode="targetbody" target="tail" pos="1 1 2"/>
    <camera name="targetcom" mode="targetbodycom" target="fly" pos="1 -1 2"/>
  </worldbody>
</mujoco>"""

TEXTS = {
    "triple_pendulum": TRIPLE_PENDULUM,
    "joints": JOINTS,
    "fluid": FLUID,
    "cameras": CAMERAS,
    "nothing_moves": NOTHING_MOVES,
}
BUNDLED = ("humanoid_floating", "pendulum", "double_pendulum", "tumbling_box", "chain30")


def scene(name: str, integrator: Integrator = Integrator.EULER) -> cf.Model:
    """A model by name, without constraints."""
    model = cf.load_model(find(name)) if name in BUNDLED else cf.Model.from_mjcf(TEXTS[name])
    model.opt.disableflags = int(Disable(model.opt.disableflags) | Disable.CONSTRAINT)
    model.opt.integrator = int(integrator)
    return model


def stir(batch: GpuBatchSim, *, angle: float = 0.3, speed: float = 1.0) -> None:
    """Give every world a state and forces of its own; the first one stays at rest."""
    random = np.random.default_rng(7)
    model = batch.model
    moving = np.arange(batch.n)[:, None] > 0
    for name, size in (("qpos", angle), ("qvel", speed), ("qfrc_applied", 0.1)):
        array = getattr(batch, name)
        array += moving * size * random.normal(size=array.shape)
    force = batch.xfrc_applied
    force += moving[..., None] * 0.1 * random.normal(size=force.shape)
    batch.mocap_pos += 0.1 * random.normal(size=batch.mocap_pos.shape)
    for joint in np.flatnonzero(model.jnt_type <= 1):
        at = model.jnt_qposadr[joint] + 3 * (model.jnt_type[joint] == 0)
        turn = batch.qpos[:, at : at + 4]
        turn /= np.linalg.norm(turn, axis=1, keepdims=True)


def compared_fields() -> list[str]:
    """Fields that a user can see."""
    return [f.name for f in DATA_FIELDS if f.role != "scratch" and f.in_kernels]


def cpu_worlds(batch: GpuBatchSim) -> list[cf.Data]:
    """A Data for each world, in exactly the state that the device has."""
    reference: BatchSim = batch.cpu_reference()
    return [reference.env(i).copy() for i in range(batch.n)]


def largest_errors(batch: GpuBatchSim, worlds: list[cf.Data]) -> dict[str, float]:
    """Largest difference in each field, relative to the field's largest entry in the batch."""
    found: dict[str, float] = {}
    for name in compared_fields():
        if not hasattr(batch, name):
            # what the integrator never touches is not on the device, and zero here
            assert not any(np.any(getattr(world, name)) for world in worlds), name
            continue
        ours = getattr(batch, name).reshape(batch.n, -1)
        theirs = np.array([getattr(world, name) for world in worlds]).reshape(batch.n, -1)
        error, largest = np.abs(ours - theirs).max(initial=0), np.abs(theirs).max(initial=0)
        found[name] = 0.0 if error == 0 else float(error / max(largest, 1e-30))
    return found
