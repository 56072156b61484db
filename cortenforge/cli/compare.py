"""`cortenforge compare MODEL`: every field of a model against MuJoCo."""

from __future__ import annotations

from typing import Annotated

import typer

from cortenforge.cli.options import ModelName
from cortenforge.cli.screen import notes, results
from cortenforge.cli.warmup import compile_uncached
from cortenforge.models import find


def compare(
    model: ModelName,
    states: Annotated[int, typer.Option(help="Random states to compare.", min=0, max=10000)] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the random states.", min=0)] = 0,
    every_field: Annotated[
        bool, typer.Option("--all", help="List the fields that agree, too.")
    ] = False,
) -> None:
    """Compare every field with MuJoCo, at rest and in random states; exit 1 if any differs."""
    from cortenforge.compare import mujoco_module, run
    from cortenforge.load import load_model

    path = find(model)
    mujoco_module()  # if it is missing, say so before compiling anything
    compile_uncached(load_model(path))
    with notes.status("comparing"):
        report = run(path, states=states, seed=seed)
    if every_field or not report.ok:
        results.print(report.table(every_field=every_field))
    good = sum(row.ok for row in report.rows)
    left_out = " (constraints left out: not supported yet)" if report.smooth_only else ""
    results.print(
        f"{path.stem}: {good} of {len(report.rows)} fields agree with MuJoCo {report.version} "
        f"in {report.states + 1} states{left_out}; "
        f"largest error {report.worst.error:.1e} in {report.worst.field}",
        soft_wrap=True,
    )
    if not report.ok:
        raise typer.Exit(1)
