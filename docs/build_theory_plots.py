"""Draw the plots of docs/theory, from simulations and from the formulas of the pages.

python docs/build_theory_plots.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.cli.plot import LINE_COLOURS_OF_PLOTS, matplotlib_pyplot
from cortenforge.enums import Enable, Integrator

IMAGES = Path(__file__).parent / "images"
SECONDS = 10.0
INTEGRATORS = {
    "Euler": Integrator.EULER,
    "implicit": Integrator.IMPLICIT,
    "RK4": Integrator.RK4,
}


def energy_error(integrator: Integrator, timestep: float) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the change of energy relative to the largest kinetic energy."""
    model = cf.models.double_pendulum()
    model.opt.timestep = timestep
    model.opt.integrator = int(integrator)
    model.opt.enableflags |= int(Enable.ENERGY)
    data = model.make_data()
    data.qpos[:] = [np.pi / 3, 0.2]
    every = max(1, round(0.02 / timestep))
    times, energies, kinetic = [], [], []
    while data.time < SECONDS:
        data.forward()
        times.append(data.time)
        energies.append(data.energy.sum())
        kinetic.append(data.energy[1])
        data.step(every)
    energy = np.array(energies)
    return np.array(times), np.abs(energy - energy[0]) / max(kinetic)


def draw_energy(pyplot: Any) -> None:
    """Errors of energy of three integrators, for two steps."""
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
    for panel, timestep in zip(panels, (0.005, 0.001), strict=True):
        for (name, integrator), colour in zip(
            INTEGRATORS.items(), LINE_COLOURS_OF_PLOTS, strict=False
        ):
            times, error = energy_error(integrator, timestep)
            panel.semilogy(times, np.maximum(error, 1e-16), label=name, color=colour, linewidth=1.2)
        panel.set(title=f"step of {1e3 * timestep:g} ms", xlabel="time [s]", ylim=(1e-16, 10))
    panels[0].set_ylabel("error of energy, relative")
    panels[1].legend(loc="lower right", fontsize=8)
    figure.savefig(IMAGES / "theory_energy.png", dpi=110)


def cone_cost(normal: np.ndarray, friction: np.ndarray, mu: float) -> np.ndarray:
    """Cost of a contact with one friction direction and D = 1: see `elliptic_cones`."""
    scaled, slip = mu * normal, mu * np.abs(friction)
    weight = 1 / (mu**2 * (1 + mu**2))
    middle = 0.5 * weight * (scaled - mu * slip) ** 2
    bottom = 0.5 * (normal**2 + friction**2)
    inside = np.where(mu * scaled + slip <= 0, bottom, middle)
    return np.where(scaled >= mu * slip, 0.0, inside)


def draw_cone(pyplot: Any) -> None:
    """The cost of a contact over its residuals, with the edges of the zones."""
    mu = 0.8
    friction, normal = np.meshgrid(np.linspace(-2, 2, 401), np.linspace(-2, 2, 401))
    figure, (plane, section) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    cost = cone_cost(normal, friction, mu)
    drawn = plane.contourf(friction, normal, cost, levels=16, cmap="cividis")
    figure.colorbar(drawn, ax=plane, label="cost")
    edge = np.array([-2.0, 0.0, 2.0])
    plane.plot(edge, mu * np.abs(edge), color="white", linewidth=1.5)
    plane.plot(edge, -np.abs(edge) / mu, color="white", linewidth=1.5)
    for name, x, y in (("top", 0, 1.5), ("middle", 1.4, 0), ("bottom", 0, -1.5)):
        plane.text(x, y, name, color="white", ha="center")
    plane.set(xlabel="residual of friction $x_1$", ylabel="residual of the normal $x_0$")
    plane.set(xlim=(-2, 2), ylim=(-2, 2))
    for level, colour in zip((0.5, 0.0, -0.5, -1.0), LINE_COLOURS_OF_PLOTS, strict=False):
        line = cone_cost(np.full(401, level), friction[0], mu)
        section.plot(friction[0], line, label=f"$x_0$ = {level:g}", color=colour)
    section.set(xlabel="residual of friction $x_1$", ylabel="cost")
    section.legend(fontsize=8)
    figure.savefig(IMAGES / "theory_cone.png", dpi=110)


def main() -> None:
    """Draw both."""
    pyplot = matplotlib_pyplot()
    draw_energy(pyplot)
    draw_cone(pyplot)


if __name__ == "__main__":
    main()
