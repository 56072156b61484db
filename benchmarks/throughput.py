"""The picture of the batch benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from cortenforge.cli.plot import DARK, RUST, SAND, STEEL, matplotlib_pyplot

__all__ = ["draw"]

PALE = "#d9dde0"
#: engine -> name in the picture and colour
ENGINES = {
    "BatchSim": ("CortenForge BatchSim", RUST),
    "mujoco.batch": ("mujoco.batch.Batch", STEEL),
    "mujoco.rollout": ("mujoco.rollout", "#9aa5ab"),
    "data.step": ("CortenForge, one world", SAND),
}
STYLES = {1: ("--", "white"), 2: ("-", None)}


def draw(results: dict[str, Any], path: Path) -> None:
    """Throughput against the number of worlds on the left, engines side by side on the right."""
    plt = matplotlib_pyplot()
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(11.5, 4.8), width_ratios=(1.35, 1), layout="constrained"
    )
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.1, wspace=0.06)
    batch = results["batch"]
    _curves(left, batch)
    _bars(right, batch)
    text = (
        f"The bundled {batch['nv']}-dof humanoid falling on a floor, Euler, float64, "
        f"{batch['steps']} steps a call, on {results['machine']['processor']}; "
        f"MuJoCo {results['mujoco']}. Engines by turns, from the same states; medians."
    )
    if batch["disturbed"]:
        text += "\nOther programs ran meanwhile: too low."
    figure.supxlabel(text, fontsize=8.5, color=STEEL, x=0.01, ha="left")
    figure.savefig(path, dpi=140, facecolor="white")
    plt.close(figure)


def _curves(panel: Axes, batch: dict[str, Any]) -> None:
    """Steps a second against n, both axes logarithmic."""
    rows = batch["throughput"]
    alone = next(1e6 / race["us"] for race in batch["races"] if race["engine"] == "data.step")
    panel.axhline(alone, color=SAND, lw=1.6, zorder=1)
    # in the order of the legend: the fastest first
    for engine, threads in ((e, t) for e in ENGINES for t in (2, 1)):
        name, colour = ENGINES[engine]
        dash, inside = STYLES[threads]
        points = [r for r in rows if (r["engine"], r["threads"]) == (engine, threads)]
        if not points:
            continue
        panel.plot(
            [row["n"] for row in points],
            [row["steps_per_second"] for row in points],
            f"o{dash}",
            color=colour,
            mfc=inside or colour,
            ms=5.5,
            lw=2.2 if engine == "BatchSim" else 1.6,
            label=f"{name}, {threads} thread{'s' * (threads > 1)}",
            zorder=3 if engine == "BatchSim" else 2,
        )
    panel.set_xscale("log")
    panel.set_yscale("log")
    sizes = list(dict.fromkeys(row["n"] for row in rows))
    panel.set_xticks(sizes, [f"{n:,}" for n in sizes])
    panel.xaxis.set_minor_locator(NullLocator())
    _thousands(panel, [row["steps_per_second"] for row in rows])
    panel.grid(axis="y", color=PALE, lw=0.8)
    panel.set_axisbelow(True)
    panel.annotate(
        "one world alone: data.step",
        (sizes[-1], alone),
        (0, -5),
        textcoords="offset points",
        va="top",
        ha="right",
        color="#a8742c",
    )
    panel.set_xlabel("worlds in the batch")
    panel.set_ylabel("steps of worlds a second")
    panel.set_title("Throughput of a batch", pad=12)
    panel.legend(loc="upper left", fontsize=9)


def _thousands(panel: Axes, speeds: list[float]) -> None:
    """Round ticks of 1, 2 and 5 on a logarithmic axis."""
    low, high = 0.8 * min(speeds), 2.6 * max(speeds)
    ticks = [m * 10**e for e in range(3, 9) for m in (1, 2, 5) if low <= m * 10**e <= high]
    panel.set_ylim(low, high)
    panel.set_yticks(ticks)
    panel.yaxis.set_major_formatter(FuncFormatter(_short))
    panel.yaxis.set_minor_formatter(NullFormatter())
    panel.yaxis.set_minor_locator(NullLocator())


def _short(value: float, _: object = None) -> str:
    return f"{value / 1e6:g} M" if value >= 1e6 else f"{value / 1e3:g} k"


def _bars(panel: Axes, batch: dict[str, Any]) -> None:
    """Engines at one size, for each number of threads, and how much slower they are than ours."""
    races = sorted(batch["races"], key=lambda race: (race["threads"], race["us"]))
    places, place, last = [], 0.0, races[0]["threads"]
    for race in races:
        place += 1.0 if race["threads"] == last else 1.7
        last = race["threads"]
        places.append(place)
    speeds = [1e6 / race["us"] for race in races]
    colours = [ENGINES[race["engine"]][1] for race in races]
    panel.barh(places, speeds, 0.8, color=colours)
    for at, speed, race in zip(places, speeds, races, strict=True):
        ours = race["engine"] == "BatchSim"
        note = _short(float(f"{speed:.3g}")) if ours else f"{race['ratio']:.1f}x slower"
        panel.annotate(
            note,
            (speed, at),
            (5, 0),
            textcoords="offset points",
            va="center",
            weight="bold" if ours else "normal",
            color=RUST if ours else DARK,
        )
    for threads in dict.fromkeys(race["threads"] for race in races):
        top = min(at for at, race in zip(places, races, strict=True) if race["threads"] == threads)
        title = "one thread" if threads == 1 else "two threads"
        panel.text(0, top - 0.5, title, va="bottom", color=DARK, weight="bold")
    panel.set_yticks(places, [race["engine"] for race in races])
    panel.invert_yaxis()
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)
    panel.set_xlim(0, 1.18 * max(speeds))
    panel.xaxis.set_major_formatter(FuncFormatter(_short))
    panel.set_xlabel("steps of worlds a second (longer is faster)")
    panel.set_title(f"{batch['worlds']:,} worlds", pad=12)
