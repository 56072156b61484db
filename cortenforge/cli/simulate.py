"""`cortenforge simulate MODEL`: run a model for a while, and keep or plot what it did."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cortenforge.cli.options import (
    Controls,
    IntegratorName,
    Keyframe,
    ModelName,
    Timestep,
    load_with_options,
    require_suffix,
    starting_data,
)
from cortenforge.cli.plot import matplotlib_pyplot, plot_trajectory
from cortenforge.cli.screen import notes, results, significant_figures, titled
from cortenforge.cli.streams import finite, naming_failures
from cortenforge.cli.trajectory import Trajectory, record, sample_count
from cortenforge.cli.warmup import compile_uncached
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: a recording larger than this is more likely a slip of the keyboard than a wish
LARGEST_RECORDING = 2 * 10**9
#: samples between two looks at the progress bar
BAR_INTERVAL = 200


def simulate(
    model: ModelName,
    seconds: Annotated[
        float, typer.Option(help="How long to simulate.", min=0, callback=finite)
    ] = 10.0,
    every: Annotated[int, typer.Option(help="Keep one state in so many steps.", min=1)] = 1,
    keyframe: Keyframe = None,
    ctrl: Controls = None,
    integrator: IntegratorName = None,
    timestep: Timestep = None,
    out: Annotated[Path | None, typer.Option(help="Write time, qpos, qvel, energy (npz).")] = None,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw a PNG beside --out, or MODEL.png.")
    ] = False,
) -> None:
    """Simulate a model and report its energy; optionally keep and plot the trajectory."""
    path = find(model)
    require_folder(out)
    require_suffix(out, ".npz", "--out")
    picture = (out or Path(path.name)).with_suffix(".png") if plot else None
    require_folder(picture)
    if plot:
        matplotlib_pyplot()  # a missing matplotlib is said before the simulation, not after it
    loaded = load_with_options(path, integrator, timestep)
    data = starting_data(loaded, keyframe, ctrl)
    count = _checked_count(loaded, seconds, every)

    compile_uncached(loaded)
    trajectory, elapsed = _run(loaded, data, count, every, out)
    _report(path.stem, trajectory, elapsed)
    if out is not None:
        results.print(f"trajectory: {out}", soft_wrap=True)
    if picture is not None:
        with naming_failures(picture):
            plot_trajectory(loaded, trajectory, picture, title=path.stem)
        results.print(f"plot: {picture}", soft_wrap=True)


def require_folder(target: Path | None, option: str = "--out") -> None:
    """Refuse a file that cannot be written, before anything is done."""
    if target is None:
        return
    if not target.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {target.parent}", param_hint=option)
    if target.is_dir():
        raise typer.BadParameter(f"{target} is a folder", param_hint=option)
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise typer.BadParameter(f"{target} cannot be written", param_hint=option)


def _checked_count(model: Model, seconds: float, every: int) -> int:
    count = sample_count(seconds, float(model.opt.timestep), every)
    size = 8 * count * (model.nq + model.nv + 3)
    if size > LARGEST_RECORDING:
        raise typer.BadParameter(
            f"this would keep {count:,} states ({size / 1e9:.0f} GB); keep fewer with --every",
            param_hint="--seconds",
        )
    return count


def _run(
    model: Model, data: Data, count: int, every: int, out: Path | None
) -> tuple[Trajectory, float]:
    """Record under a progress bar; what was recorded is saved even if a step fails."""
    kept = Trajectory.allocate(model, count)
    done = 0
    bar = Progress(
        TextColumn("[bold]Simulating[/]"),
        BarColumn(),
        TextColumn("{task.completed:.2f} of {task.total:.2f} s"),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
        disable=not notes.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=every * (count - 1) * float(model.opt.timestep))

        def on_sample(index: int) -> None:
            nonlocal done
            done = index + 1
            if index % BAR_INTERVAL == 0:
                bar.update(task, completed=kept.time[index] - kept.time[0])

        start = time.perf_counter()
        try:
            record(model, data, kept, every=every, on_sample=on_sample)
        finally:
            if out is not None:
                with naming_failures(out):
                    kept.until(done).save(out)
    return kept, time.perf_counter() - start


def _report(title: str, trajectory: Trajectory, elapsed: float) -> None:
    simulated = trajectory.time[-1] - trajectory.time[0]
    total = trajectory.total_energy
    table = titled(title, "", "start", "end")
    table.add_row(
        escape("time [s]"),
        significant_figures(trajectory.time[0]),
        significant_figures(trajectory.time[-1], 6),
    )
    for label, values in (
        ("potential energy [J]", trajectory.energy[:, 0]),
        ("kinetic energy [J]", trajectory.energy[:, 1]),
        ("total energy [J]", total),
    ):
        table.add_row(escape(label), f"{values[0]:,.4f}", f"{values[-1]:,.4f}")
    results.print(table)
    results.print(
        f"{len(trajectory.time):,} states in {elapsed:.2f} s, "
        f"{significant_figures(simulated / max(elapsed, 1e-9))} times real time; "
        f"energy changed by {significant_figures(float(total[-1] - total[0]))} J"
    )
