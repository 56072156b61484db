"""A cloth falls over a ball: how it comes to rest, and how much of its weight the ball carries."""

from __future__ import annotations

import numpy as np
from picture import keep, stage

import cortenforge as cf

BALL = np.array([0.0, 0.0, 0.45])
RADIUS = 0.25


def main() -> None:
    model = stage(
        f'<geom name="ball" size="{RADIUS}" pos="0 0 {BALL[2]}" rgba=".9 .6 .25 1"/>'
        '<geom type="cylinder" size=".05 .11" pos="0 0 .11" rgba=".4 .42 .45 1"/>',
        rest='<option timestep="0.005"/>',
    )
    cloth = cf.Cloth.grid(
        60, 60, size=(1.2, 1.2), name="cloth", material="cotton", damping=4, bending=10,
        pos=(0.03, 0.02, 0.75), euler=(0, 0, 20), selfcollide=True, rgba=(0.25, 0.4, 0.65, 1),
    )  # fmt: skip
    data = model.with_deformables([cloth]).make_data()
    weight = cloth.masses().sum() * 9.81
    print("   time    fastest vertex     force on the ball / weight")
    for _ in range(8):
        data.step(100)
        speed = np.linalg.norm(data.deformable("cloth").velocities, axis=1).max()
        carried = np.array(data.softcon_force)[: data.nsoftcon, 2].sum() / weight
        print(f"{data.time:5.1f} s {speed:12.3f} m/s {carried:20.1%}")
    inside = RADIUS - np.linalg.norm(data.deformable("cloth").positions - BALL, axis=1).min()
    print(f"No vertex is deeper in the ball than {max(inside, 0):.1e} m.")
    camera = cf.Camera(lookat=(0, 0, 0.4), distance=1.75, azimuth=120, elevation=-18)
    keep("cloth_over_sphere", data, camera)


if __name__ == "__main__":
    main()
