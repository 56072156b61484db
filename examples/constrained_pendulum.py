"""A rod held by a soft equality: its error compared with a hinge, and a joint limit as a stop."""

from __future__ import annotations

import numpy as np
from picture import chain, keep, shades
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from scipy.special import ellipk
from terminal import plot

import cortenforge as cf

START = np.radians(60)
LENGTH = 1.0
#: the rod is held by the equality alone
HELD = """
<mujoco>
  <option timestep="0.0005" integrator="RK4"/>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2=".8 .85 .9" width="8" height="48"/>
  </asset>
  <worldbody>
    <body name="rod">
      <freejoint/>
      <inertial pos="0 0 -0.5" mass="1" diaginertia="0.0833333 0.0833333 0.0001"/>
    </body>
  </worldbody>
  <equality>
    <connect body1="rod" body2="world" anchor="0 0 0" solref="{timeconst} 1"/>
  </equality>
</mujoco>
"""
#: a hinge with a limit at the lowest point
STOPPED = """
<mujoco>
  <option timestep="0.0005"/>
  <worldbody>
    <body>
      <joint axis="0 1 0" range="0 90" limited="true" solreflimit="{solref}"/>
      <inertial pos="0 0 -0.5" mass="1" diaginertia="0.0833333 0.0833333 0.0001"/>
    </body>
  </worldbody>
</mujoco>
"""


def hinged_period() -> float:
    """Period of a rod on a hinge, by the elliptic integral."""
    return float(4 * np.sqrt(2 * LENGTH / (3 * 9.81)) * ellipk(np.sin(START / 2) ** 2))


def swing(timeconst: float) -> tuple[float, float, float]:
    """Period, largest displacement of the held end, and largest force on it over the weight."""
    model = cf.Model.from_mjcf(HELD.format(timeconst=timeconst))
    data = model.make_data()
    data.qpos[3:] = [np.cos(START / 2), 0, np.sin(START / 2), 0]
    crossings: list[float] = []
    strays, pull, before = 0.0, 0.0, START
    while len(crossings) < 3:
        data.step()
        angle = 2 * np.arctan2(data.qpos[5], data.qpos[3])
        if before * angle < 0:
            crossings.append(data.time - model.opt.timestep * angle / (angle - before))
        before = angle
        strays = max(strays, float(np.linalg.norm(data.qpos[:3])))
        pull = max(pull, float(np.linalg.norm(data.efc_force[:3])))
    return crossings[2] - crossings[0], strays, pull / 9.81


def bounces(solref: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and angles of a rod that swings against a limit."""
    data = cf.Model.from_mjcf(STOPPED.format(solref=solref)).make_data()
    data.qpos[0] = START
    rows = []
    for _ in range(150):
        rows.append((data.time, np.degrees(data.qpos[0])))
        data.step(40)
    time, angle = np.array(rows).T
    return time, angle


def main() -> None:
    exact = hinged_period()
    columns = (
        "time constant [s]",
        "period [s]",
        "difference from a hinge",
        "displacement [mm]",
        "force / weight",
    )
    table = Table(*map(escape, columns))
    for timeconst in (0.05, 0.02, 0.01, 0.004, 0.002):
        period, strays, pull = swing(timeconst)
        off = f"{100 * (period / exact - 1):+.4f}%"
        table.add_row(f"{timeconst:g}", f"{period:.5f}", off, f"{1e3 * strays:.3f}", f"{pull:.3f}")
    # m v^2 / r of the centre, and the weight, at the lowest point
    highest = 1 + 1.5 * (1 - np.cos(START))
    table.add_section()
    table.add_row("a hinge", f"{exact:.5f}", "", "0", f"{highest:.3f}")
    Console().print(table)
    soft, springy = bounces("0.02 1"), bounces("0.02 0.1")
    print(plot("\nAngle [degrees] over time [s] at a limit: * damped, o springy", soft, springy))
    draw()


def draw() -> None:
    """The rod at several times; balls are the points that the equality holds together."""
    data = cf.Model.from_mjcf(HELD.format(timeconst=0.01)).make_data()
    data.qpos[3:] = [np.cos(START / 2), 0, np.sin(START / 2), 0]
    rods = []
    for rgba in shades(9):
        data.forward()
        end = data.body("rod").xpos - LENGTH * data.body("rod").xmat.reshape(3, 3)[:, 2]
        rods.append(chain(data.body("rod").xpos, end, radius=0.02, rgba=rgba))
        data.step(180)
    keep(
        "constrained_pendulum",
        data,
        cf.Camera((0, 0, -0.5), 2.6, 90, -5),
        extra=rods,
        constraint=True,
    )


if __name__ == "__main__":
    main()
