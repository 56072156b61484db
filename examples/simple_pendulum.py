"""The period of a pendulum grows with its amplitude: compared with the elliptic integral."""

from __future__ import annotations

import math

import numpy as np
from picture import chain, keep, shades
from rich.console import Console
from rich.table import Table
from scipy.special import ellipk

import cortenforge as cf


def period(model: cf.Model, amplitude: float) -> float:
    """Period, from the time at which the pendulum first passes the lowest point."""
    data = model.make_data()
    data.qpos[0] = amplitude
    while data.qpos[0] > 0:
        before, time = data.qpos[0], data.time
        data.step()
    # interpolate the angle linearly; a quarter of the period has passed
    part = before / (before - data.qpos[0])
    return 4 * (time + part * (data.time - time))


def main() -> None:
    model = cf.models.simple_pendulum(length=1.0, mass=1.0)
    table = Table("amplitude", "simulated [s]", "exact [s]", "longer than small swings by")
    smallest = 2 * math.pi * math.sqrt(1.0 / 9.81)
    for degrees in (1, 30, 60, 90, 120, 150, 175):
        amplitude = math.radians(degrees)
        exact = smallest * 2 / math.pi * ellipk(np.sin(amplitude / 2) ** 2)
        found = period(model, amplitude)
        table.add_row(f"{degrees}°", f"{found:.6f}", f"{exact:.6f}", f"{exact / smallest - 1:.1%}")
        assert abs(found - exact) < 1e-4 * exact
    Console().print(table)
    draw(model)


def draw(model: cf.Model) -> None:
    """Half of a large swing; later times are darker."""
    data = model.make_data()
    data.qpos[0] = math.radians(150)
    rods = []
    for rgba in shades(13):
        data.forward()
        rods.append(chain(data.xanchor[0], data.site("tip").xpos, radius=0.02, rgba=rgba))
        data.step(20)
    keep("simple_pendulum", data, cf.Camera((0, 0, 1), 3.4, 90, -5), extra=rods)


if __name__ == "__main__":
    main()
