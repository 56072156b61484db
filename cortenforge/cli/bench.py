"""`cortenforge bench MODEL`: steps a second, and the ratio to MuJoCo if it is installed.

With `--worlds 1024` it is many worlds that are stepped, by `BatchSim` and by `mujoco.rollout`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from cortenforge.cli.options import (
    Controls,
    IntegratorName,
    Keyframe,
    ModelName,
    Timestep,
    load_with_options,
    starting_data,
)
from cortenforge.cli.race import race
from cortenforge.cli.race_batch import TIMED_STEPS, race_batch
from cortenforge.cli.screen import notes, results, significant_figures, titled
from cortenforge.cli.streams import finite
from cortenforge.cli.warmup import compile_uncached
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def bench(
    model: ModelName,
    seconds: Annotated[
        float, typer.Option(help="Time to spend on each engine.", min=0.1, max=600, callback=finite)
    ] = 2.0,
    worlds: Annotated[
        int | None,
        typer.Option(help="Worlds of a batch, against mujoco.rollout.", min=1, max=1_000_000),
    ] = None,
    threads: Annotated[
        int, typer.Option(help="Threads that step a batch, in both engines.", min=1, max=256)
    ] = 1,
    keyframe: Keyframe = None,
    ctrl: Controls = None,
    integrator: IntegratorName = None,
    timestep: Timestep = None,
) -> None:
    """Measure steps a second, by turns with MuJoCo if it is installed."""
    path = find(model)
    loaded = load_with_options(path, integrator, timestep)
    start = starting_data(loaded, keyframe, ctrl) if keyframe or ctrl else None
    if worlds is not None:
        bench_batch(path, loaded, start, worlds, threads, seconds)
        return
    compile_uncached(loaded)
    with notes.status("measuring"):
        result = race(path, loaded, seconds=seconds, start=start)
    table = titled(f"{path.stem}, {loaded.nv} dof", "engine", "steps/s", "us a step")
    table.add_row(
        "CortenForge", significant_figures(1 / result.ours), significant_figures(1e6 * result.ours)
    )
    if result.theirs is not None:
        table.add_row(
            f"MuJoCo {result.mujoco_version}",
            significant_figures(1 / result.theirs),
            significant_figures(1e6 * result.theirs),
        )
    results.print(table)
    if result.ratio is None:
        results.print(f"ratio: not measured: {escape(result.alone)}", soft_wrap=True)
    else:
        results.print(
            f"ratio: [bold]{result.ratio:.2f}[/] times MuJoCo's speed "
            f"(median of {result.turns} turns of {result.steps:,} steps)"
        )


def bench_batch(
    path: Path, model: Model, start: Data | None, worlds: int, threads: int, seconds: float
) -> None:
    """The same of many worlds."""
    with notes.status("measuring"):
        result = race_batch(
            path, model, worlds=worlds, threads=threads, seconds=seconds, start=start
        )
    title = f"{path.stem}, {worlds:,} worlds, {threads} thread{'s' * (threads > 1)}"
    table = titled(title, "engine", "steps of worlds/s", "us a step")
    table.add_row(
        "BatchSim", significant_figures(1 / result.ours), significant_figures(1e6 * result.ours)
    )
    if result.theirs is not None:
        table.add_row(
            f"mujoco.rollout {result.mujoco_version}",
            significant_figures(1 / result.theirs),
            significant_figures(1e6 * result.theirs),
        )
    results.print(table)
    results.print(
        f"{result.bytes_per_world:,} bytes a world, {result.nbytes / 1e6:,.1f} MB in all; "
        f"{result.contacts:.1f} contacts a world"
    )
    if result.ratio is None:
        results.print(f"ratio: not measured: {escape(result.alone)}", soft_wrap=True)
    else:
        results.print(
            f"ratio: [bold]{result.ratio:.2f}[/] times the speed of mujoco.rollout "
            f"(median of {result.turns} turns of {TIMED_STEPS} steps)"
        )
