"""A hundred bodies made in a loop with Spec, dropped into a bowl, beside their XML."""

from __future__ import annotations

import numpy as np
from picture import keep

import cortenforge as cf

COUNT, SECONDS = 100, 4.0
COLOURS = ([0.72, 0.33, 0.13, 1], [0.4, 0.42, 0.45, 1], [0.88, 0.64, 0.35, 1])


def bowl_of_bodies() -> cf.Spec:
    """Slanted walls around a floor, and shapes above it."""
    spec = cf.Spec()
    world = spec.worldbody
    world.add_geom(name="floor", type="plane", size=[0, 0, 0.1], rgba=[0.8, 0.8, 0.78, 1])
    for k in range(8):
        angle = k * np.pi / 4
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        world.add_geom(
            type="box", size=[0.02, 0.4, 0.3], pos=(0.75 * out + [0, 0, 0.25]).tolist(),
            zaxis=(out * -0.4 + [0, 0, 1]).tolist(), rgba=[0.75, 0.68, 0.58, 0.35],
        )  # fmt: skip
    rng = np.random.default_rng(1)
    for k in range(COUNT):
        body = world.add_body(name=f"body{k}", pos=[*rng.uniform(-0.3, 0.3, 2), 0.4 + 0.06 * k])
        body.add_freejoint()
        shape = ("sphere", "box", "capsule")[k % 3]
        body.add_geom(type=shape, size=[0.05, 0.05, 0.05], density=500, rgba=COLOURS[k % 3])
    return spec


def main() -> None:
    spec = bowl_of_bodies()
    model = spec.compile()
    data = model.make_data()
    data.step(round(SECONDS / model.opt.timestep))
    data.forward()
    inside = np.linalg.norm(data.xpos[1:, :2], axis=1) < 1.0
    print(f"{model.nbody - 1} bodies, {model.nv} dofs, {data.ncon} contacts after {SECONDS:g} s;")
    print(f"{inside.sum()} of them lie in the bowl, the fastest at {np.abs(data.qvel).max():.2f}.")
    print(f"The same model as MJCF has {len(spec.to_xml().splitlines())} lines.")
    camera = cf.Camera(lookat=(0, 0, 0.2), distance=3.2, azimuth=110, elevation=-35)
    keep("hundred_bodies", data, camera)


if __name__ == "__main__":
    main()
