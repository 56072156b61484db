"""The picture of what collisions cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.ticker import FuncFormatter, NullFormatter

from benchmarks.machine import ROOT
from cortenforge.cli.plot import DARK, RUST, STEEL, matplotlib_pyplot

__all__ = ["FIGURE", "by_powers", "draw"]

FIGURE = ROOT / "docs" / "images" / "collision.png"
PALE = "#d9dde0"


def by_powers(panel: Any, counts: list[int]) -> None:
    """Both axes logarithmic: so many of something along x, readable numbers along y."""
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(counts, [f"{n:,}" for n in counts])
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_tick_params(which="minor", length=0)
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_formatter(NullFormatter())
    panel.grid(axis="y", color=PALE, lw=0.8)
    panel.set_axisbelow(True)


def draw(results: dict[str, Any], path: Path = FIGURE) -> None:
    """Microseconds of the stage against the number of bodies, both axes logarithmic."""
    plt = matplotlib_pyplot()
    rows = results["collision"]["growth"]
    bodies = [row["bodies"] for row in rows]
    figure, panel = plt.subplots(figsize=(7.2, 5.0), layout="constrained")
    for key, style, colour, name in (
        ("theirs_us", "o--", DARK, "MuJoCo"),
        ("ours_us", "o-", RUST, "CortenForge"),
    ):
        times = [row[key] for row in rows]
        panel.plot(bodies, times, style, color=colour, lw=2.0, label=name)
    first = rows[0]["ours_us"]
    line = [first * n / bodies[0] for n in bodies]
    panel.plot(bodies, line, ":", color=STEEL, lw=1.2, label="in proportion to bodies")
    by_powers(panel, bodies)
    panel.set_xlabel("spheres and capsules, as close together however many there are")
    panel.set_ylabel("microseconds a collision stage")
    panel.set_title("Cost of finding all contacts of one world")
    panel.legend(frameon=False, loc="upper left")
    text = (
        f"One core of {results['machine']['processor']}, float64, MuJoCo {results['mujoco']}; both "
        "engines in one process, by turns."
    )
    figure.supxlabel(text, fontsize=7.5, color=STEEL, x=0.01, ha="left")
    figure.savefig(path, dpi=140, facecolor="white")
    plt.close(figure)
