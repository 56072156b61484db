"""`cortenforge bench MODEL`: steps a second, and the ratio to MuJoCo if it is installed."""

from __future__ import annotations

from typing import Annotated

import typer

from cortenforge.cli.race import race
from cortenforge.cli.screen import figures, notes, results, titled
from cortenforge.cli.warmup import compile_cold
from cortenforge.models import find


def bench(
    model: Annotated[str, typer.Argument(help="MJCF or URDF file, or bundled model.")],
    seconds: Annotated[
        float, typer.Option(help="Time to spend on each engine.", min=0.1, max=600)
    ] = 2.0,
) -> None:
    """Measure steps a second, by turns with MuJoCo if it is installed."""
    from cortenforge.load import load_model

    path = find(model)
    loaded = load_model(path)
    compile_cold(loaded)
    with notes.status("measuring"):
        result = race(path, loaded, seconds=seconds)
    table = titled(f"{path.stem}, {loaded.nv} dof", "engine", "steps/s", "us a step")
    table.add_row("CortenForge", figures(1 / result.ours), figures(1e6 * result.ours))
    if result.theirs is not None:
        table.add_row(
            f"MuJoCo {result.mujoco_version}",
            figures(1 / result.theirs),
            figures(1e6 * result.theirs),
        )
    results.print(table)
    if result.ratio is None:
        results.print("ratio: not measured, the mujoco package is not installed")
    else:
        results.print(
            f"ratio: [bold]{result.ratio:.2f}[/] times MuJoCo's speed "
            f"(median of {result.turns} turns of {result.steps:,} steps)"
        )
