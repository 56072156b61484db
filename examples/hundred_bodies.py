"""A hundred bodies added in a loop with Spec, and dropped into a bowl."""

from __future__ import annotations

import numpy as np
from picture import keep

import cortenforge as cf

COUNT, SECONDS = 100, 5.0
SIDES, RADIUS, SLANT = 16, 0.55, 0.5
COLOURS = ([0.72, 0.33, 0.13, 1], [0.4, 0.42, 0.45, 1], [0.88, 0.64, 0.35, 1])


def add_bowl(spec: cf.Spec) -> None:
    """Add slanted walls around a floor."""
    world = spec.worldbody
    world.add_geom(name="floor", type="plane", size=[0, 0, 0.1], rgba=[0.75, 0.76, 0.75, 1])
    for angle in np.linspace(0, 2 * np.pi, SIDES, endpoint=False):
        out, along = [np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]
        up = [SLANT * out[0], SLANT * out[1], 1]
        place = [(RADIUS + 0.25 * SLANT) * out[0], (RADIUS + 0.25 * SLANT) * out[1], 0.25]
        world.add_geom(
            type="box", size=[0.2, 0.3, 0.02], pos=place, xyaxes=[*along, 0, *up],
            rgba=[0.6, 0.7, 0.75, 0.4],
        )  # fmt: skip


def bowl_of_bodies() -> cf.Spec:
    """The bowl, and shapes in a spiral above it."""
    spec = cf.Spec()
    add_bowl(spec)
    for k in range(COUNT):
        turn = 2.4 * k
        place = [0.25 * np.cos(turn), 0.25 * np.sin(turn), 0.3 + 0.05 * k]
        body = spec.worldbody.add_body(name=f"body{k}", pos=place)
        body.add_freejoint()
        shape = ("sphere", "box", "capsule")[k % 3]
        # without rolling friction, balls would never stop
        body.add_geom(
            type=shape, size=[0.05, 0.05, 0.05], density=500, condim=6, rgba=COLOURS[k % 3],
            friction=[0.8, 0.01, 0.002],
        )  # fmt: skip
    return spec


def main() -> None:
    spec = bowl_of_bodies()
    model = spec.compile()
    data = model.make_data()
    data.step(round(SECONDS / model.opt.timestep))
    data.forward()
    inside = np.linalg.norm(data.xpos[1:, :2], axis=1) < RADIUS + 0.5 * SLANT
    speed = np.linalg.norm(data.qvel.reshape(-1, 6)[:, :3], axis=1).max()
    print(f"{model.nbody - 1} bodies, {model.nv} dofs, {data.ncon} contacts after {SECONDS:g} s.")
    print(f"{inside.sum()} of them lie in the bowl, the fastest at {speed:.2f} m/s.")
    print(f"The loop has ten lines; the same model as MJCF has {len(spec.to_xml().splitlines())}.")
    camera = cf.Camera(lookat=(0, 0, 0.15), distance=2.6, azimuth=110, elevation=-35)
    keep("hundred_bodies", data, camera)


if __name__ == "__main__":
    main()
