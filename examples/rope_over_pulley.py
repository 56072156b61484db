"""A rope over a pulley, a load at each end: the heavier one sinks, and friction turns the wheel."""

from __future__ import annotations

import numpy as np
from picture import keep, stage

import cortenforge as cf

WHEEL, ROPE, AXLE = 0.12, 0.01, 0.8
LOADS = {"left": 1.0, "right": 1.5}
INERTIA = 0.5 * 0.6 * WHEEL**2


def pulley() -> str:
    """A wheel on a stand, with rims that keep the rope on it and spokes that show how it turns."""
    rims = "".join(
        f'<geom type="cylinder" size=".13 .003" pos="0 {y} 0" euler="90 0 0" mass="0"'
        ' rgba=".45 .48 .52 1"/>'
        for y in (-0.018, 0.018)
    )
    marks = "".join(
        f'<geom size=".012" pos="{0.085 * np.cos(a)} -.022 {0.085 * np.sin(a)}" mass="0"'
        ' contype="0" conaffinity="0" rgba=".9 .5 .2 1"/>'
        for a in np.radians([0, 72, 144, 216, 288])
    )
    return f"""
      <geom type="capsule" fromto="0 .06 {AXLE} 0 .06 0" size=".02" rgba=".4 .42 .45 1"/>
      <geom type="capsule" fromto="0 .06 {AXLE} 0 -.03 {AXLE}" size=".015" rgba=".4 .42 .45 1"
            contype="0" conaffinity="0"/>
      <body name="wheel" pos="0 0 {AXLE}">
        <joint name="wheel" axis="0 1 0"/>
        <geom type="cylinder" size="{WHEEL} .015" euler="90 0 0" mass=".6" rgba=".6 .63 .67 1"
              friction="1"/>
        {rims}{marks}
      </body>"""


def load(name: str, x: float, mass: float) -> str:
    """A box that hangs from the rope's end."""
    half = 0.045 * mass ** (1 / 3)
    return f"""
      <body name="{name}" pos="{x} 0 {AXLE - 0.4}">
        <freejoint/>
        <geom type="box" size="{half} {half} {half}" pos="0 0 -{half + ROPE}" mass="{mass}"
              rgba=".75 .3 .2 1"/>
      </body>"""


def rope() -> cf.CapsuleChain:
    """A rope from one load, over the wheel, to the other."""
    reach = WHEEL + ROPE
    turn = np.linspace(np.pi, 0, 30)
    over = np.stack([reach * np.cos(turn), 0 * turn, AXLE + reach * np.sin(turn)], 1)
    left = np.linspace([-reach, 0, AXLE - 0.4], over[0], 30, endpoint=False)
    right = np.linspace(over[-1], [reach, 0, AXLE - 0.4], 31)[1:]
    made = cf.CapsuleChain(
        np.concatenate([left, over, right]), name="rope", radius=ROPE, young=3e7, bending=1e-5,
        friction=0.8, rgba=(0.85, 0.72, 0.45, 1),
    )  # fmt: skip
    made.attach("first", body="left").attach("last", body="right")
    return made


def main() -> None:
    reach = WHEEL + ROPE
    loads = load("left", -reach, LOADS["left"]) + load("right", reach, LOADS["right"])
    model = stage(
        pulley() + loads, '<option timestep="0.002" softsubsteps="80"/>'
    ).with_deformables([rope()])
    data = model.make_data()
    light, heavy = LOADS.values()
    line = rope().masses().sum()
    # the rope's own weight is nearly the same on both sides
    atwood = (heavy - light) * 9.81 / (heavy + light + line + INERTIA / WHEEL**2)
    print("   time      left load     right load      angle of the wheel     by Atwood's law")
    for _ in range(5):
        data.step(50)
        rise, fall = (float(data.body(name).xpos[2]) - AXLE + 0.4 for name in LOADS)
        turned, wanted = float(data.qpos[0]), 0.5 * atwood * data.time**2 / reach
        heights = f"{rise:12.3f} m {fall:12.3f} m"
        print(f"{data.time:5.2f} s {heights} {turned:16.3f} rad {wanted:16.3f} rad")
    camera = cf.Camera(lookat=(0, 0, 0.5), distance=1.35, azimuth=122, elevation=-14)
    keep("rope_over_pulley", data, camera)


if __name__ == "__main__":
    main()
