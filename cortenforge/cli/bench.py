"""`cortenforge bench MODEL`: steps a second, and the ratio to MuJoCo if it is installed.

With `--worlds 1024`, many worlds are stepped, by `BatchSim` and by `mujoco.rollout`; with `--gpu`,
64 to 16,384 worlds on a GPU, beside `BatchSim`.
"""

from __future__ import annotations

import json
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
from cortenforge.cli.race import Race, race
from cortenforge.cli.race_batch import race_batch
from cortenforge.cli.race_gpu import SIZES, race_gpu
from cortenforge.cli.screen import notes, results, significant_figures, titled
from cortenforge.cli.streams import finite
from cortenforge.cli.warmup import compile_uncached
from cortenforge.disk import replacing
from cortenforge.models import find

if TYPE_CHECKING:
    from rich.table import Table

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
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Worlds on a GPU, beside BatchSim; 64 to 16,384 of them.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="With --gpu: a JSON file of all that was measured.")
    ] = None,
    threads: Annotated[
        int, typer.Option(help="Threads that step a batch, in both engines.", min=1, max=256)
    ] = 1,
    keyframe: Keyframe = None,
    ctrl: Controls = None,
    integrator: IntegratorName = None,
    timestep: Timestep = None,
) -> None:
    """Measure steps a second, alternating with MuJoCo if it is installed."""
    if report is not None and not gpu:
        raise typer.BadParameter("--report is for --gpu")
    path = find(model)
    loaded = load_with_options(path, integrator, timestep)
    if gpu:
        bench_gpu(path, loaded, worlds, report)
        return
    start = starting_data(loaded, keyframe, ctrl) if keyframe or ctrl else None
    if worlds is not None:
        bench_batch(path, loaded, start, worlds, threads, seconds)
        return
    compile_uncached(loaded)
    with notes.status("measuring"):
        result = race(path, loaded, seconds=seconds, start=start)
    title = f"{path.stem}, {loaded.nv} dof"
    show_race(result, titled(title, "engine", "steps/s", "us a step"), "CortenForge", "MuJoCo")


def bench_batch(
    path: Path, model: Model, start: Data | None, worlds: int, threads: int, seconds: float
) -> None:
    """Measure steps of worlds a second, alternating with mujoco.rollout."""
    with notes.status("measuring"):
        result = race_batch(
            path, model, worlds=worlds, threads=threads, seconds=seconds, start=start
        )
    title = f"{path.stem}, {worlds:,} worlds, {threads} thread{'s' * (threads > 1)}"
    table = titled(title, "engine", "steps of worlds/s", "us a step")
    note = (
        f"{result.bytes_per_world:,} bytes a world, {result.nbytes / 1e6:,.1f} MB in all; "
        f"{result.contacts:.1f} contacts a world"
    )
    show_race(result.race, table, "BatchSim", "mujoco.rollout", note)


def bench_gpu(path: Path, model: Model, worlds: int | None, report: Path | None) -> None:
    """Measure steps of worlds a second on a GPU, and the time of each shader."""
    sizes = SIZES if worlds is None else (worlds,)
    with notes.status("compiling shaders and measuring"):
        found = race_gpu(model, path.stem, sizes)
    title = f"{path.stem} on {found.adapter['device']}, steps of worlds/s"
    table = titled(title, "worlds", "chunks", "GPU", "BatchSim", "ratio")
    for size in found.sizes:
        speeds = (size.gpu, size.cpu, size.gpu / size.cpu)
        numbers = (significant_figures(speed) for speed in speeds)
        table.add_row(f"{size.worlds:,}", str(size.chunks), *numbers)
    results.print(table)
    results.print(f"{found.bytes_per_world:,} bytes a world, {found.dispatches} dispatches a step")
    table = titled(f"shaders, {found.sizes[0].worlds} worlds", "shader", "loops", "us")
    for shader in found.shaders:
        table.add_row(shader.name, str(shader.loops), significant_figures(1e6 * shader.seconds))
    results.print(table)
    if report is not None:
        with replacing(report) as part:
            part.write_text(json.dumps(found.as_json(), indent=1) + "\n")
        results.print(f"wrote {report}")


def show_race(result: Race, table: Table, ours: str, theirs: str, *notes: str) -> None:
    """Print times of both engines, notes, and the ratio or why there is none."""
    rows = [(ours, result.ours), (f"{theirs} {result.mujoco_version}", result.theirs)]
    for name, seconds in rows:
        if seconds is not None:
            table.add_row(name, *(significant_figures(n) for n in (1 / seconds, 1e6 * seconds)))
    results.print(table)
    for note in notes:
        results.print(note)
    if result.ratio is None:
        results.print(f"ratio: not measured: {escape(result.alone)}", soft_wrap=True)
    else:
        results.print(
            f"ratio: [bold]{result.ratio:.2f}[/] times {theirs}'s speed "
            f"(median of {result.turns} turns of {result.steps:,} steps)"
        )
