"""The picture of the demo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cortenforge.cli.plot import DARK, RUST, SAND, STEEL, matplotlib_pyplot
from cortenforge.demo.falls import BIN_HALF_WIDTH, Fall
from cortenforge.demo.runs import DoublePendulum, Somersault, TumblingBox
from cortenforge.demo.side_views import SideViews
from cortenforge.disk import replacing

#: seconds between two figures of the strobe picture
STROBE_SECONDS = 0.125
#: when the falling humanoid is drawn [s], and how far apart [m]
FALL_TIMES = (0.0, 0.6, 0.9, 1.2, 10.0)
FALL_SPACING = 1.3
#: where the double pendulum hangs (x, z)
PIVOT = (0.0, 1.5)


def draw_figure(
    pendulum: DoublePendulum,
    box: TumblingBox,
    flight: Somersault,
    falls: tuple[Fall, Fall, Fall],
    path: Path,
) -> None:
    """Draw all runs on one page and write it as a PNG.

    falls: the humanoid, the stack and the pile.
    """
    plt = matplotlib_pyplot()
    figure = plt.figure(figsize=(12, 11.6), layout="constrained", facecolor="white")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
    above, middle, below = figure.subfigures(3, 1, height_ratios=(1.45, 0.72, 1), hspace=0.03)
    _flight(above.subplots(), flight)
    lying, stacked, heaped = middle.subplots(1, 3, width_ratios=(2.6, 0.5, 0.85))
    _fall(lying, falls[0])
    _stack(stacked, falls[1])
    _pile(heaped, falls[2])
    left, centre, right = below.subplots(1, 3, width_ratios=(1, 1.2, 1.2))
    _tip(left, pendulum)
    _energy(centre, pendulum)
    _tumble(right, box)
    with replacing(path) as beside:
        figure.savefig(beside, dpi=130, format="png")
    plt.close(figure)


def _flight(panel: Any, flight: Somersault) -> None:
    """The humanoid at equal intervals, seen from the side."""
    panel.set_title("27-dof humanoid in flight: its centre of mass keeps to the parabola")
    every = round(STROBE_SECONDS / (flight.time[1] - flight.time[0]))
    samples = range(0, len(flight.time), every)
    views = SideViews(flight.model)
    for layer, sample in enumerate(samples):
        views.draw(panel, flight.qpos[sample], layer=layer)
    path = flight.parabola()
    panel.plot(path[:, 0], path[:, 2], color=DARK, lw=1, ls="--", zorder=900, label="parabola")
    shown = flight.com[list(samples)]
    panel.plot(
        shown[:, 0], shown[:, 2], "o", color="white", mec=DARK, ms=6, zorder=901,
        label="centre of mass",
    )  # fmt: skip
    _fit_to_pictures(panel)
    panel.set_xlabel("distance [m]")
    panel.set_ylabel("height [m]")
    panel.legend(loc="upper right")


def _fall(panel: Any, fall: Fall) -> None:
    """The humanoid at some times, one beside the other."""
    panel.set_title("on a floor it falls, and lies")
    views = SideViews(fall.model)
    for place, at in enumerate(FALL_TIMES):
        sample = int(np.searchsorted(fall.time, at - 1e-9))
        views.draw(panel, fall.qpos[sample], shift=FALL_SPACING * place)
        panel.text(
            FALL_SPACING * place, -0.16, f"{fall.time[sample]:.1f} s", ha="center", color=STEEL
        )
    _floor(panel)


def _stack(panel: Any, fall: Fall) -> None:
    """The start, pale, and the end."""
    panel.set_title("balls stack")
    views = SideViews(fall.model)
    views.draw(panel, fall.qpos[0], alpha=0.18)
    views.draw(panel, fall.qpos[-1], layer=50)
    _floor(panel)


def _pile(panel: Any, fall: Fall) -> None:
    """The heap between its walls."""
    panel.set_title("a pile settles")
    SideViews(fall.model).draw(panel, fall.qpos[-1])
    for x in (-BIN_HALF_WIDTH, BIN_HALF_WIDTH):
        panel.plot([x, x], [0, 1], color=DARK, lw=1)
    _floor(panel)


def _fit_to_pictures(panel: Any, anchor: str = "C") -> None:
    """Set limits to all pictures of a panel: each one had set them to its own."""
    panel.use_sticky_edges = False
    panel.autoscale_view()
    panel.set_aspect("equal", anchor=anchor)


def _floor(panel: Any) -> None:
    panel.axhline(0, color=DARK, lw=1, zorder=5)
    _fit_to_pictures(panel, anchor="S")
    panel.set_axis_off()


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
