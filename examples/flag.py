"""A flag in the wind: it hangs at its pole, rises with the wind speed, and flutters."""

from __future__ import annotations

import numpy as np
from picture import keep, stage

import cortenforge as cf

POLE = '<geom type="capsule" fromto="0 0 0 0 0 1.9" size=".018" rgba=".8 .82 .85 1"/>'
#: kg/m^3
AIR = 1.2


def main() -> None:
    model = stage(POLE, f'<option timestep="0.005" density="{AIR}"/>')
    flag = cf.Cloth.grid(
        61, 41, size=(0.9, 0.6), name="flag", material="silk", bending=4, pos=(0.47, 0, 1.55),
        euler=(90, 0, 0), pinned="left", contype=0, conaffinity=0, rgba=(0.8, 0.2, 0.15, 1),
    )  # fmt: skip
    data = model.with_deformables([flag]).make_data()
    end = flag.select("right")
    print("  wind       free end: below the pole's top, to the side of the pole, speed")
    for speed in (0, 2, 4, 8):
        data.model.opt.wind[:] = (speed, 0.15 * speed, 0)
        heights, sides, speeds = [], [], []
        for _ in range(300):
            data.step()
            place, motion = (np.mean(part, axis=0) for part in ends(data, end))
            heights.append(1.85 - place[2])
            sides.append(place[1])
            speeds.append(np.linalg.norm(motion))
        low, side, fast = (np.mean(part[150:]) for part in (heights, sides, speeds))
        print(f"{speed:3} m/s {low:20.2f} m {side:20.2f} m {fast:20.2f} m/s")
    camera = cf.Camera(lookat=(0.35, 0, 1.3), distance=2.1, azimuth=115, elevation=-6)
    keep("flag", data, camera)


def ends(data: cf.Data, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of some vertices."""
    flag = data.deformable("flag")
    return flag.positions[which], flag.velocities[which]


if __name__ == "__main__":
    main()
