"""Figures; matplotlib is loaded only when one is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cortenforge.cli.trajectory import Trajectory
from cortenforge.disk import replacing
from cortenforge.enums import JointType
from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.model import Model

__all__ = [
    "DARK",
    "RUST",
    "SAND",
    "STEEL",
    "MatplotlibMissingError",
    "matplotlib_pyplot",
    "plot_trajectory",
]

# weathering steel: rust, sand, bare steel, shadow
RUST, SAND, STEEL, DARK = "#b4531f", "#e0a458", "#5c6b73", "#22333b"
#: colours that can be told apart
LINE_COLOURS_OF_PLOTS = (RUST, DARK, SAND, "#3d7a68", STEEL, "#8c2f39", "#2f6690", "#b5a397")
#: with more lines than colours in a panel, a legend helps nobody
LEGEND_LIMIT = len(LINE_COLOURS_OF_PLOTS)


class MatplotlibMissingError(CortenForgeError):
    """A plot was asked for and matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "plots need matplotlib, which is not installed\n  hint: pip install 'cortenforge[plot]'"
        )


def matplotlib_pyplot() -> Any:
    """`matplotlib.pyplot`, drawing to files only, in the house style."""
    try:
        import matplotlib
    except ImportError:
        raise MatplotlibMissingError from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {
            "axes.edgecolor": STEEL,
            "axes.labelcolor": DARK,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.titlecolor": DARK,
            "axes.titlelocation": "left",
            "axes.titlesize": 11,
            "axes.titleweight": "bold",
            "font.size": 9.5,
            "legend.frameon": False,
            "lines.linewidth": 1.4,
            "xtick.color": STEEL,
            "ytick.color": STEEL,
        }
    )
    return plt


def plot_trajectory(model: Model, trajectory: Trajectory, path: Path, *, title: str) -> None:
    """Positions, velocities and energy against time, written as a PNG."""
    plt = matplotlib_pyplot()
    figure, panels = plt.subplots(3, 1, figsize=(9, 8.5), sharex=True, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", weight="bold", color=DARK)
    _lines(panels[0], trajectory.time, trajectory.qpos, _coordinates(model, "qpos"), "position")
    _lines(panels[1], trajectory.time, trajectory.qvel, _coordinates(model, "dof"), "velocity")
    _energy(panels[2], trajectory)
    panels[2].set_xlabel("time [s]")
    with replacing(path) as beside:
        figure.savefig(beside, dpi=130, format="png")
    plt.close(figure)


def _lines(panel: Any, time: Any, values: Any, names: list[str], what: str) -> None:
    panel.set_title(f"{what} ({values.shape[1]} coordinates)")
    panel.set_ylabel("m, rad" if what == "position" else "m/s, rad/s")
    colors = _ramp(values.shape[1])
    for column, name in enumerate(names):
        panel.plot(time, values[:, column], label=name, color=colors[column])
    if 0 < len(names) <= LEGEND_LIMIT:
        _legend_above(panel)


def _legend_above(panel: Any) -> None:
    # beside the title, where no line can run through it
    columns = len(panel.get_lines())
    panel.legend(
        loc="lower right",
        bbox_to_anchor=(1, 1),
        borderpad=0,
        columnspacing=1.0,
        fontsize=8,
        handlelength=1.2,
        ncols=columns,
    )


def _ramp(count: int) -> list[Any]:
    """A colour for each of a few lines; a ramp from shadow over rust to sand for many."""
    if count <= LEGEND_LIMIT:
        return list(LINE_COLOURS_OF_PLOTS[:count])
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("corten", [DARK, RUST, SAND])
    return [ramp(index / max(count - 1, 1)) for index in range(count)]


def _energy(panel: Any, trajectory: Trajectory) -> None:
    panel.set_title("energy")
    panel.set_ylabel("J")
    panel.plot(trajectory.time, trajectory.energy[:, 0], color=STEEL, label="potential")
    panel.plot(trajectory.time, trajectory.energy[:, 1], color=RUST, label="kinetic")
    panel.plot(trajectory.time, trajectory.total_energy, color=DARK, ls="--", label="total")
    _legend_above(panel)


def _coordinates(model: Model, kind: str) -> list[str]:
    """A label for each entry of qpos ("qpos") or qvel ("dof")."""
    suffixes = {
        JointType.FREE: {
            "qpos": (" x", " y", " z", " qw", " qx", " qy", " qz"),
            "dof": (" vx", " vy", " vz", " wx", " wy", " wz"),
        },
        JointType.BALL: {"qpos": (" qw", " qx", " qy", " qz"), "dof": (" wx", " wy", " wz")},
    }
    labels: list[str] = []
    for joint in range(model.njnt):
        name = model.joint(joint).name or f"joint {joint}"
        parts = suffixes.get(JointType(int(model.jnt_type[joint])), {}).get(kind, ("",))
        labels.extend(name + part for part in parts)
    return labels
