"""A pendulum on a ball joint traces a rosette; energy and vertical spin are conserved."""

from __future__ import annotations

import numpy as np
from picture import chain, keep
from rich.console import Console
from rich.table import Table
from terminal import plot

import cortenforge as cf

SECONDS = 12


def main() -> None:
    model = cf.models.spherical_pendulum(length=1.0, mass=1.0)
    data = model.make_data()
    # released at 60 degrees with a sideways velocity
    data.qpos[:] = [np.cos(np.pi / 6), 0, -np.sin(np.pi / 6), 0]
    data.forward()
    # velocities of a ball joint are in the ball's own axes
    data.qvel[:] = data.body("link1").xmat.reshape(3, 3).T @ [0, 0, 1.2]
    path, kept = [], []
    for _ in range(int(SECONDS / model.opt.timestep)):
        data.step()
        data.forward()
        path.append(data.site("tip").xpos.copy())
        turning = data.body("link1").xmat.reshape(3, 3) @ data.qvel
        offset = path[-1] - [0, 0, 1]
        spin = np.cross(offset, np.cross(turning, offset)) + 0.4 * 0.05**2 * turning
        kept.append([data.energy.sum(), spin[2]])
    path, kept = np.array(path), np.array(kept)
    print(plot("The tip from above: x and y [m]", (path[:, 0], path[:, 1]), width=60, height=28))
    table = Table("conserved over 12 s", "value", "largest change")
    for name, values in zip(("energy [J]", "spin about the vertical [N m s]"), kept.T, strict=True):
        table.add_row(name, f"{values[0]:.6f}", f"{np.ptp(values):.1e}")
    Console().print(table)
    rosette = chain(*path[::4], radius=0.006, rgba=(0.2, 0.35, 0.65, 1))
    keep("spherical_pendulum", data, cf.Camera((0, 0, 0.6), 3.0, 60, -40), extra=[rosette])


if __name__ == "__main__":
    main()
