"""Scenes that pictures are drawn of."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import cortenforge as cf

FOLDER = Path(__file__).parent
GOLDEN = FOLDER / "golden"
TEXTURES = FOLDER / "textures.xml"

#: a ball on a floor, seen from where its size in pixels is easy to tell
BALL = """
<mujoco>
  <visual><map znear="0.1" zfar="10"/></visual>
  <statistic extent="1" center="0 0 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 .1" pos="0 0 -1"/>
    <body name="ball"><freejoint/><geom name="ball" size=".5" rgba="1 0 0 1"/></body>
    <camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
    <camera name="flat" pos="0 -4 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="2"/>
    <camera name="above" pos="0 0 4" fovy="45"/>
    <camera name="within" pos="0 0 0" xyaxes="1 0 0 0 0 1"/>
  </worldbody>
</mujoco>
"""

#: two boxes that touch, strings, a joint, a skin: what is drawn beside geoms
DECOR = """
<mujoco>
  <asset>
    <skin name="skin" rgba=".9 .7 .5 1" inflate=".01"
          vertex="-.1 0 0  .1 0 0  .1 0 .2  -.1 0 .2  .1 0 .4  -.1 0 .4"
          face="0 1 2 0 2 3 3 2 4 3 4 5">
      <bone body="lower" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3"
            vertweight="1 1 .5 .5"/>
      <bone body="upper" bindpos="0 0 .2" bindquat="1 0 0 0" vertid="2 3 4 5"
            vertweight=".5 .5 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <light pos="0 -1 2" dir="0 .5 -1"/>
    <geom type="plane" size="1 1 .1" rgba=".6 .7 .6 1"/>
    <body pos="-.4 0 .098"><freejoint/><geom type="box" size=".1 .1 .1" rgba=".8 .3 .3 1"/></body>
    <body pos="-.4 0 .296"><freejoint/><geom type="box" size=".1 .1 .1" rgba=".3 .3 .8 1"/></body>
    <body name="lower" pos=".3 0 .2">
      <geom type="capsule" fromto="0 .1 0 0 .1 .2" size=".03" contype="0"/>
      <site name="one" pos="0 -.1 .1" size=".02"/>
      <site name="look" pos="-.1 -.05 .1" zaxis="-1 0 0" size=".02"/>
      <body name="upper" pos="0 0 .2">
        <joint name="hinge" axis="0 -1 0" range="-1 1"/>
        <geom type="capsule" fromto="0 .1 0 0 .1 .2" size=".03" contype="0"/>
        <site name="two" pos="0 -.1 .2" size=".02" rgba="0 1 0 1"/>
      </body>
    </body>
    <camera name="front" pos="0 -1.5 .5" xyaxes="1 0 0 0 .2 1"/>
  </worldbody>
  <tendon>
    <spatial name="string" width=".01" rgba=".2 .9 .2 1">
      <site site="one"/><site site="two"/>
    </spatial>
  </tendon>
  <equality><connect body1="upper" anchor="0 -.1 .1"/></equality>
  <actuator>
    <motor joint="hinge" ctrlrange="-1 1"/>
    <muscle tendon="string" ctrlrange="0 1" lengthrange="0 1" force="1"/>
  </actuator>
  <sensor><rangefinder site="look"/></sensor>
</mujoco>
"""

#: what may be drawn of actuators, strings, cameras, lights, range finders, meshes and skeletons
WIRED = """
<mujoco>
  <option timestep="0.001"/>
  <visual><map force=".02"/><scale camera=".5" light=".5" frustum="3"/></visual>
  <statistic extent="1.5" center="0 0 .4" meansize=".12"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3  .3 .3 0"/>
    <material name="shiny" rgba=".3 .6 .8 1"/>
  </asset>
  <worldbody>
    <light name="lamp" pos=".2 -.6 1.1" dir="0 .5 -1" diffuse=".6 .6 .6"/>
    <geom name="floor" type="plane" size="1.5 1.5 .1" rgba=".6 .7 .6 1"/>
    <camera name="front" pos="0 -1.7 .7" xyaxes="1 0 0 0 .25 1"/>
    <camera name="eye" pos="-.6 .2 .6" xyaxes="0 -1 0 .3 0 1" resolution="4 3" fovy="40"/>
    <camera name="flat" pos=".6 -.1 .9" xyaxes="1 0 0 0 1 .3" projection="orthographic" fovy=".2"
            resolution="3 2"/>
    <site name="hook" pos="-.35 0 .8" size=".02"/>
    <site name="other" pos="-.05 0 .75" size=".02"/>
    <body name="wheel" pos=".35 0 .45">
      <joint name="wheel" axis="0 1 0"/>
      <geom name="disc" type="cylinder" size=".12 .03" zaxis="0 1 0" material="shiny"/>
      <site name="crank" pos="0 -.05 .1" size=".02"/>
    </body>
    <site name="slider" pos=".0 -.05 .45" zaxis="1 0 0" size=".02"/>
    <body name="box" pos="-.4 0 .098">
      <freejoint/>
      <geom name="brick" type="box" size=".1 .1 .1" rgba=".8 .4 .3 1"/>
      <site name="thrust" type="box" size=".05 .05 .02" pos="0 -.1 .05"/>
    </body>
    <body name="top" pos="-.4 0 .256">
      <freejoint/>
      <geom name="ball" type="capsule" size=".06 .06" zaxis="1 0 0" rgba=".4 .4 .8 1"/>
      <geom name="nose" size=".04" pos="0 -.08 0"/>
    </body>
    <body name="arm" pos=".1 0 .15">
      <joint axis="0 0 1"/>
      <geom name="wedge" type="mesh" mesh="wedge" rgba=".7 .7 .3 1"/>
      <body name="hand" pos="0 0 .35">
        <joint axis="0 1 0"/><joint axis="1 0 0" pos="0 0 .05"/>
        <geom type="capsule" fromto="0 0 0 .2 0 .1" size=".03"/>
        <site name="look" pos=".2 -.05 .1" zaxis="1 -.5 -1" size=".02"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="slack" limited="true" range="0 .5" width=".008" rgba=".9 .5 .1 1">
      <site site="hook"/><site site="other"/>
    </spatial>
  </tendon>
  <equality><weld name="held" body1="hand" active="false"/></equality>
  <actuator>
    <general name="pull" cranksite="crank" slidersite="slider" cranklength=".3"/>
    <general name="jet" site="thrust" gear="1 0 0 0 0 0" ctrlrange="-1 1"/>
    <adhesion name="glue" body="top" ctrlrange="0 1"/>
    <motor name="turn" joint="wheel"/>
  </actuator>
  <sensor>
    <rangefinder camera="eye" data="dist point normal"/>
    <rangefinder camera="flat"/>
    <rangefinder site="look" data="dist point normal"/>
    <fromto geom1="brick" geom2="disc" cutoff="2"/>
  </sensor>
</mujoco>
"""

#: a ball on a tactile sensor, and a box on a belt
TOUCHED = """
<mujoco>
  <asset><mesh name="p" builtin="plate" params="20 21" scale=".2 .2 .05"/></asset>
  <worldbody>
    <light pos="0 0 2"/>
    <body pos="0 0 .05">
      <joint type="slide" axis="0 0 1"/>
      <geom type="box" size=".2 .2 .05" rgba=".4 .4 .5 1"/>
      <geom name="s" type="mesh" mesh="p" contype="0" conaffinity="0" pos="0 0 .102" mass="0"
            rgba="0 0 0 0"/>
    </body>
    <body pos=".08 -.02 .17"><freejoint/><geom size=".1" rgba=".5 .5 .5 .2"/></body>
    <geom type="box" size=".2 .2 .05" pos="-.6 0 .05" surfacevel=".2 .3 0 0 0 1"/>
    <body pos="-.6 .05 .198"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <sensor><tactile geom="s" mesh="p"/></sensor>
</mujoco>
"""

#: a floor and a light, for sheets and cords that are handed over with a picture
SHEET_SCENE = """
<mujoco>
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0"
             width="64" height="64"/>
    <material name="checks" texture="checks" texrepeat="4 4"/>
  </asset>
  <statistic extent="2" center="0 0 .4"/>
  <worldbody>
    <light pos=".5 -.5 3" dir="-.1 .1 -1" diffuse=".8 .8 .8"/>
    <geom type="plane" size="2 2 .1" rgba=".6 .7 .6 1"/>
  </worldbody>
</mujoco>
"""

#: a bar that a wall holds by one end, where a turned site feels what holds it
BEAM = """
<mujoco>
  <option gravity="0 0 -10"/>
  <statistic meanmass="2" meansize=".1" extent="2" center=".5 0 0"/>
  <visual><map force=".02" torque=".05"/></visual>
  <worldbody>
    <body name="beam" pos="0 0 1">
      <geom type="box" size=".5 .02 .02" pos=".5 0 0" mass="3"/>
      <site name="root" euler="40 30 70"/>
      <site name="imu" pos="1 0 0" euler="0 0 30"/>
    </body>
    <camera name="front" pos=".5 -4 1" xyaxes="1 0 0 0 0 1"/>
  </worldbody>
  <sensor>
    <force site="root"/><torque site="root"/><gyro site="imu"/><accelerometer site="imu"/>
  </sensor>
</mujoco>
"""


def wavy_sheet(n: int, phase: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A square net of n by n points with a wave in it, half a metre up: vertices and triangles."""
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, n), np.linspace(-0.5, 0.5, n), indexing="ij")
    vert = np.stack([x, y, 0.5 + 0.1 * np.sin(6 * x + phase)], 2).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij")
    a = (i * n + j).ravel()
    lower, upper = np.stack([a, a + n, a + n + 1], 1), np.stack([a, a + n + 1, a + 1], 1)
    return vert, np.concatenate([lower, upper])


def world_of(source: str | Path) -> tuple[cf.Model, cf.Data]:
    """A model and a world in its initial position."""
    model = cf.Model.from_mjcf(source)
    data = model.make_data()
    data.forward()
    return model, data
