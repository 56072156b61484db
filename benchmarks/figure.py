"""The picture of the speed benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

from cortenforge.cli.plot import DARK, RUST, SAND, STEEL, matplotlib_pyplot

__all__ = ["draw"]

PALE = "#d9dde0"
COLOURS = {"Euler": RUST, "RK4": SAND}


def draw(results: dict[str, Any], path: Path) -> None:
    """Ratios to MuJoCo on the left, microseconds a step against size on the right."""
    plt = matplotlib_pyplot()
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(11.5, 6.2), width_ratios=(1.15, 1), layout="constrained"
    )
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.1, wspace=0.06)
    _ratios(left, results["races"])
    _costs(right, results["races"])
    _footnote(figure, results)
    figure.savefig(path, dpi=140, facecolor="white")
    plt.close(figure)


def _ratios(panel: Axes, races: list[dict[str, Any]]) -> None:
    """One pair of bars a model: how many times as fast as MuJoCo."""
    names = list(dict.fromkeys(run["subject"] for run in races))
    height = 0.36
    for shift, integrator in enumerate(COLOURS):
        ratios = {r["subject"]: r["ratio"] for r in races if r["integrator"] == integrator}
        run = [i for i, name in enumerate(names) if name in ratios]
        places = [i + (shift - 0.5) * height for i in run]
        values = [ratios[names[i]] for i in run]
        panel.barh(places, values, height * 0.92, color=COLOURS[integrator], label=integrator)
        for place, value in zip(places, values, strict=True):
            panel.annotate(
                f"{value:.2f}",
                (value, place),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
            )
    panel.axvline(1, color=DARK, lw=1.2, ls=(0, (4, 3)))
    panel.set_yticks(range(len(names)), [_label(name) for name in names])
    panel.invert_yaxis()
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)
    top = max(run["ratio"] for run in races)
    panel.set_xlim(0, 1.15 * max(top, 1.1))
    panel.text(1, -0.72, "MuJoCo", ha="center", va="bottom", fontsize=9.5)
    panel.set_xlabel("speed, as a multiple of MuJoCo's (longer is faster)")
    panel.set_title("CortenForge against MuJoCo", pad=24)
    panel.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=2)


def _label(name: str) -> str:
    kind, _, size = name.rpartition(" ")
    return f"{size}-link {kind}" if size.isdigit() else name


def _costs(panel: Axes, races: list[dict[str, Any]]) -> None:
    """Cost of a step against the number of links, both axes logarithmic."""
    for integrator, colour in COLOURS.items():
        chain = [r for r in races if r["integrator"] == integrator and r["links"]]
        links = [run["links"] for run in chain]
        ours, theirs = [r["ours_us"] for r in chain], [r["theirs_us"] for r in chain]
        panel.plot(links, theirs, "o--", color=colour, ms=5, lw=1.3, mfc="white", zorder=2)
        panel.plot(links, ours, "o-", color=colour, ms=6, lw=2.2, zorder=3)
        panel.annotate(
            integrator,
            (links[-1], ours[-1]),
            (9, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            weight="bold",
        )
    panel.plot([], [], "o-", color=DARK, lw=2.2, label="CortenForge")
    panel.plot([], [], "o--", color=DARK, ms=5, mfc="white", lw=1.3, label="MuJoCo")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(links, [str(n) for n in links])
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_tick_params(which="minor", length=0)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_formatter(NullFormatter())
    panel.grid(axis="y", color=PALE, lw=0.8)
    panel.set_axisbelow(True)
    panel.set_xlim(0.85, 55)
    panel.set_xlabel("links of the pendulum")
    panel.set_ylabel("microseconds a step")
    panel.set_title("Cost of one step", pad=24)
    panel.legend(frameon=False, loc="upper left")


def _footnote(figure: Any, results: dict[str, Any]) -> None:
    machine = results["machine"]
    text = (
        f"One core of {machine['processor']}, float64, MuJoCo {results['mujoco']}; both engines in "
        "one process, by turns, from the same states."
    )
    figure.supxlabel(text, fontsize=8.5, color=STEEL, x=0.01, ha="left")
