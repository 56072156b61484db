"""Sensor readings of a robot on a ground that tilts and shakes."""

from __future__ import annotations

import numpy as np
from picture import keep
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from terminal import plot

import cortenforge as cf

#: three legs with touch sensors, an IMU, a force sensor in the neck, a rangefinder
ROBOT = """
<mujoco>
  <option timestep="0.002" cone="elliptic" impratio="10"/>
  <worldbody>
    <body name="ground" mocap="true" pos="0 0 -0.05">
      <geom type="box" size="1 1 0.05" rgba=".7 .72 .74 1" friction="0.8 0.005 0.0001"/>
    </body>
    <geom name="wall" rgba=".75 .68 .58 1" type="box" size="0.05 1 1" pos="1.5 0 0.5"/>
    <body name="robot" pos="0 0 0.2">
      <freejoint/>
      <geom type="cylinder" size="0.15 0.04" mass="2" rgba=".72 .33 .13 1"/>
      <site name="unit"/>
      <site name="nose" pos="0.16 0 0" zaxis="1 0 0"/>
      <replicate count="3" euler="0 0 120">
        <geom type="capsule" fromto="0.1 0 0 0.16 0 -0.17" size="0.02" mass="0.1"/>
        <site name="foot" pos="0.16 0 -0.17" size="0.03"/>
      </replicate>
      <body name="head" pos="0 0 0.1">
        <geom size="0.06" mass="0.5" rgba=".88 .64 .35 1"/>
        <site name="neck" pos="0 0 -0.06"/>
      </body>
    </body>
  </worldbody>
  <sensor>
    <touch name="foot 1" site="foot0"/>
    <touch name="foot 2" site="foot1"/>
    <touch name="foot 3" site="foot2"/>
    <accelerometer name="acceleration" site="unit"/>
    <gyro name="turning" site="unit"/>
    <force name="neck" site="neck"/>
    <rangefinder name="distance" site="nose"/>
    <framepos name="place" objtype="body" objname="robot"/>
  </sensor>
</mujoco>
"""
WEIGHT = 2.8 * 9.81
HEAD = 0.5 * 9.81


def ground_at(time: float) -> tuple[float, float]:
    """Height [m] and tilt [rad] of the ground: it tilts and returns, and shakes later."""
    tilt = 0.15 * np.sin(np.pi * min(time - 1, 2) / 2) ** 2 if time > 1 else 0.0
    lift = 0.01 * np.sin(2 * np.pi * 2 * (time - 4)) if time > 4 else 0.0
    return lift, tilt


def pressed(data: cf.Data) -> list[float]:
    """Touch reading of each foot [N]."""
    return [float(data.sensor(f"foot {k}").data[0]) for k in (1, 2, 3)]


def main() -> None:
    model = cf.Model.from_mjcf(ROBOT)
    data = model.make_data()
    columns = ("at", "feet [N]", "sum / weight", "acceleration [m/s²]", "neck / head", "wall [m]")
    table = Table(*map(escape, columns))
    time, feet, up, tilted = [], [], [], data.get_state()
    for step in range(3000):
        lift, tilt = ground_at(data.time)
        data.mocap_pos[0] = [0, 0, lift - 0.05]
        data.mocap_quat[0] = [np.cos(tilt / 2), 0, np.sin(tilt / 2), 0]
        data.step()
        if step % 20 == 0:
            time.append(data.time)
            feet.append(pressed(data))
            up.append(float(data.sensor("acceleration").data[2]))
        if step == 999:
            tilted = data.get_state()
        if step % 500 == 499:
            touch = pressed(data)
            table.add_row(
                f"{data.time:.0f} s",
                "  ".join(f"{x:5.2f}" for x in touch),
                f"{sum(touch) / WEIGHT:.4f}",
                "  ".join(f"{x:6.3f}" for x in data.sensor("acceleration").data),
                f"{np.linalg.norm(data.sensor('neck').data) / HEAD:.4f}",
                f"{float(data.sensor('distance').data[0]):.4f}",
            )
    one, two, _ = np.array(feet).T
    print(plot("Touch [N] over time [s]: tilted from 1 to 3 s, shaken from 4 s: * front, o left",
               (time, one), (time, two)))  # fmt: skip
    print(plot("\nAccelerometer, upward [m/s²]", (time, up), height=10))
    Console().print(table)
    data.set_state(tilted)
    data.forward()
    camera = cf.Camera(lookat=(0, 0, 0.1), distance=1.6, azimuth=70, elevation=-15)
    keep("mocap_ground", data, camera, contactforce=True)


if __name__ == "__main__":
    main()
