"""Chaos: two double pendulums that start a billionth of a degree apart, and how they diverge."""

from __future__ import annotations

import numpy as np
from picture import chain, keep
from terminal import plot

import cortenforge as cf

SECONDS = 20


def main() -> None:
    model = cf.models.double_pendulum()
    worlds = cf.BatchSim(model, 2)
    worlds.qpos[:] = [2.2, 0.9]
    worlds.qpos[1, 0] += np.radians(1e-9)
    one = model.make_data()
    one.qpos[:] = [2.2, 0.9]
    one.forward()
    start = one.energy.sum()
    stride = 10
    apart = []
    for _ in range(int(SECONDS / model.opt.timestep) // stride):
        worlds.step_all(stride)
        apart.append(abs(worlds.qpos[1] - worlds.qpos[0]).max())
        one.step(stride)
    one.forward()
    time = np.arange(1, len(apart) + 1) * stride * model.opt.timestep
    print(plot("log10 of the angle between them, over time [s]", (time, np.log10(apart))))
    grows = np.polyfit(time, np.log(np.minimum(apart, 1.0)), 1)[0]
    print(f"\nThe distance grows e-fold about every {1 / grows:.1f} s;", end=" ")
    print(f"the relative change of energy is {abs(one.energy.sum() / start - 1):.1e}.")
    draw(model)


def draw(model: cf.Model) -> None:
    """The path of the tip over six seconds."""
    data = model.make_data()
    data.qpos[:] = [2.2, 0.9]
    way = []
    while data.time < 6:
        data.step(4)
        data.forward()
        way.append(data.site("tip").xpos.copy())
    line = chain(*way, radius=0.012, rgba=(0.2, 0.35, 0.65, 1))
    keep("double_pendulum", data, cf.Camera((0, 0, 2), 6.5, 90, -5), extra=[line])


if __name__ == "__main__":
    main()
