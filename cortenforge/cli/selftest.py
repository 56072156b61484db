"""`cortenforge selftest`: does this installation compute what the release computed."""

from __future__ import annotations

from time import perf_counter

import typer
from rich.markup import escape

from cortenforge.cli.screen import results, titled
from cortenforge.selftest import run


def selftest() -> None:
    """Compare steps, derivatives, a batch, a cloth and a picture with stored numbers."""
    start, failed = perf_counter(), 0
    table = titled("Self test", "check", "largest difference", "")
    for outcome in run():
        failed += not outcome.passed
        shown = "" if outcome.error is None else f"{outcome.error:.1e}"
        mark = "[green]passed[/]" if outcome.passed else "[red]FAILED[/]"
        table.add_row(outcome.name, shown, f"{mark} {escape(outcome.message)}")
    results.print(table)
    count = f"{failed} checks failed" if failed else "all checks passed"
    results.print(f"{count}, in {perf_counter() - start:.1f} s")
    if failed:
        raise typer.Exit(1)
