"""Models that are looked at."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from cortenforge.viewer.session import Session
from cortenforge.viewer.worlds import SingleWorld

#: a box that can be dragged, an arm that can be turned, a body that follows the mouse
DESK = """
<mujoco>
  <option timestep="0.005"/>
  <statistic extent="1.5" center=".3 0 .4"/>
  <visual><global azimuth="90" elevation="-15"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="0 0 .1" rgba=".4 .5 .4 1"/>
    <body name="box" pos="-.4 0 .15">
      <freejoint/><geom name="box" type="box" size=".15 .15 .15" rgba=".9 .2 .2 1"/>
    </body>
    <body name="arm" pos=".2 0 .8">
      <joint name="shoulder" axis="0 1 0" range="-1.5 1.5" limited="true" damping=".1"/>
      <geom name="arm" type="capsule" fromto="0 0 0 0 0 -.5" size=".06" rgba=".2 .4 .9 1"/>
      <site name="tip" pos="0 0 -.5" size=".03"/>
    </body>
    <body name="target" mocap="true" pos="0 .6 .4">
      <geom name="target" type="sphere" size=".08" contype="0" conaffinity="0" rgba="0 1 0 .5"/>
    </body>
    <camera name="front" pos="0 -3 .6" xyaxes="1 0 0 0 .1 1"/>
  </worldbody>
  <actuator><motor name="turn" joint="shoulder" ctrlrange="-2 2" ctrllimited="true"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/><gyro name="spin" site="tip"/></sensor>
  <keyframe><key name="high" qpos="-.4 0 1 1 0 0 0 1"/></keyframe>
</mujoco>
"""

#: everything that is to be seen beside geoms: muscle, tendon, IMU, touch, range finder, contact
SENSES = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="foot" pos="0 0 .099">
      <freejoint/><geom name="foot" size=".1"/>
      <site name="sole" pos="0 0 -.1" size=".05" rgba=".2 .2 .2 1"/>
      <site name="imu" pos="0 0 .05" size=".02"/>
      <site name="eye" pos=".1 0 0" zaxis="0 0 -1" size=".01"/>
    </body>
    <body name="upper" pos="1 0 .8">
      <joint name="elbow" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/>
      <site name="hook" pos=".03 0 -.2" size=".01"/>
    </body>
    <site name="root" pos="1.1 0 1" size=".01"/>
  </worldbody>
  <tendon>
    <spatial name="biceps" width=".008"><site site="root"/><site site="hook"/></spatial>
  </tendon>
  <actuator><muscle name="biceps" tendon="biceps" ctrllimited="true" ctrlrange="0 1"/></actuator>
  <sensor>
    <touch name="sole" site="sole"/><accelerometer name="imu" site="imu"/>
    <rangefinder name="eye" site="eye"/>
  </sensor>
</mujoco>
"""

#: a ball so light and stiff that its second step fails
BURSTS = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="ball"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>
"""


def world_of(text: str) -> tuple[cf.Model, cf.Data]:
    """A model, and a world of it in which everything is worked out."""
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.forward()
    return model, data


class Wall:
    """A clock on the wall that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def session_of(text: str, **options: object) -> tuple[Session, Wall]:
    """A session of a model, with a wall clock in hand."""
    _, data = world_of(text)
    wall = Wall()
    return Session(SingleWorld(data), timer=wall, **options), wall


def same_rotation(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two quaternions are the same rotation."""
    return bool(abs(abs(float(np.dot(a, b))) - 1.0) < 1e-12)
