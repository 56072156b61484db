"""The picture of the demo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortenforge.cli.plot import DARK, RUST, SAND, STEEL, drawing
from cortenforge.demo.runs import DoublePendulum, Somersault, TumblingBox
from cortenforge.enums import GeomType

Array = NDArray[np.float64]

#: seconds between two figures of the strobe picture
STROBE = 0.125
#: where the double pendulum hangs (x, z)
PIVOT = (0.0, 1.5)


def draw(pendulum: DoublePendulum, box: TumblingBox, flight: Somersault, path: Path) -> None:
    """Draw all runs on one page and write it as a PNG."""
    plt = drawing()
    figure = plt.figure(figsize=(12, 9), layout="constrained", facecolor="white")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
    above, below = figure.subfigures(2, 1, height_ratios=(1.45, 1), hspace=0.03)
    _flight(above.subplots(), flight)
    left, middle, right = below.subplots(1, 3, width_ratios=(1, 1.2, 1.2))
    _tip(left, pendulum)
    _energy(middle, pendulum)
    _tumble(right, box)
    figure.savefig(path, dpi=130, format="png")
    plt.close(figure)


def _flight(panel: Any, flight: Somersault) -> None:
    """The humanoid at equal intervals, seen from the side."""
    panel.set_title("27-dof humanoid in flight: its centre of mass keeps to the parabola")
    every = round(STROBE / (flight.time[1] - flight.time[0]))
    samples = range(0, len(flight.time), every)
    for layer, sample in enumerate(samples):
        _figure(panel, flight, sample, layer)
    path = flight.parabola()
    panel.plot(path[:, 0], path[:, 2], color=DARK, lw=1, ls="--", zorder=900, label="parabola")
    shown = flight.com[list(samples)]
    panel.plot(
        shown[:, 0], shown[:, 2], "o", color="white", mec=DARK, ms=6, zorder=901,
        label="centre of mass",
    )  # fmt: skip
    panel.set_aspect("equal")
    panel.autoscale_view()
    panel.set_xlabel("distance [m]")
    panel.set_ylabel("height [m]")
    panel.legend(loc="upper right")


def _figure(panel: Any, flight: Somersault, sample: int, layer: int) -> None:
    from matplotlib.colors import to_rgb

    order = np.argsort(-flight.geom_xpos[sample, :, 1])
    for depth, geom in enumerate(order):
        outline = _outline(flight, sample, int(geom))
        base = np.asarray(flight.model.geom_rgba[geom, :3], dtype=np.float64)
        # far limbs are a little paler
        shade = 0.35 * (1 - depth / len(order))
        color = base * (1 - shade) + np.array(to_rgb("white")) * shade
        panel.fill(
            *outline.T, facecolor=color, edgecolor="white", lw=0.6, zorder=10 + layer + depth / 50
        )


def _outline(flight: Somersault, sample: int, geom: int) -> Array:
    """Outline of a geom on the x-z plane, as seen along y."""
    centre = flight.geom_xpos[sample, geom][[0, 2]]
    axes = flight.geom_xmat[sample, geom].reshape(3, 3)[[0, 2]]
    size = flight.model.geom_size[geom]
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if flight.model.geom_type[geom] == GeomType.CAPSULE:
        axis = axes[:, 2] * size[1]
        # half of the circle moves to each end of the axis
        side = np.where(circle @ axis >= 0, 1.0, -1.0)[:, None]
        return _hull_order(centre + size[0] * circle + side * axis)
    # the shadow of an ellipsoid is an ellipse whose matrix is the shadow of its matrix
    radii = size if flight.model.geom_type[geom] == GeomType.ELLIPSOID else np.full(3, size[0])
    root = np.linalg.cholesky(axes @ np.diag(radii**2) @ axes.T)
    ellipse: Array = centre + circle @ root.T
    return ellipse


def _hull_order(points: Array) -> Array:
    """Points of a convex outline in the order in which they are drawn."""
    around = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]


def _tip(panel: Any, pendulum: DoublePendulum) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    panel.set_title("double pendulum: path of the tip")
    tip = pendulum.tip
    ramp = LinearSegmentedColormap.from_list("corten", [SAND, RUST, DARK])
    trace = LineCollection(
        list(np.stack([tip[:-1], tip[1:]], axis=1)), cmap=ramp, array=pendulum.rk4.time[:-1], lw=1.0
    )
    panel.add_collection(trace)
    panel.plot(*tip[0], "o", color=SAND, ms=6)
    panel.plot(*tip[-1], "o", color=DARK, ms=6)
    panel.plot(*PIVOT, "+", color=STEEL, ms=8)
    panel.autoscale_view()
    panel.set_aspect("equal")
    panel.set_xlabel("x [m]")
    panel.set_ylabel("z [m]")


def _energy(panel: Any, pendulum: DoublePendulum) -> None:
    panel.set_title("double pendulum: energy error")
    for name, trajectory, color in (
        ("semi-implicit Euler", pendulum.euler, SAND),
        ("Runge-Kutta 4", pendulum.rk4, RUST),
    ):
        error = pendulum.energy_error(trajectory)
        panel.semilogy(trajectory.time[1:], np.maximum(error[1:], 1e-17), color=color, label=name)
    panel.set_ylim(1e-12, 1)
    panel.set_xlabel("time [s]")
    panel.set_ylabel("relative to kinetic energy")
    panel.legend(loc="lower right")


def _tumble(panel: Any, box: TumblingBox) -> None:
    panel.set_title("box spun about its middle axis: it flips")
    for column, (name, color) in enumerate((("short", STEEL), ("middle", RUST), ("long", SAND))):
        panel.plot(
            box.trajectory.time,
            box.trajectory.qvel[:, 3 + column],
            color=color,
            label=f"{name} axis",
        )
    panel.set_xlabel("time [s]")
    panel.set_ylabel("angular velocity [rad/s]")
    panel.margins(y=0.25)
    panel.legend(loc="upper center", ncols=3, fontsize=8.5, handlelength=1.2, columnspacing=1.2)
