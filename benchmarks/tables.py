"""Results of the benchmarks as tables for the terminal."""

from __future__ import annotations

from typing import Any

from rich.table import Table

__all__ = ["tables"]

Results = dict[str, Any]


def tables(results: Results) -> list[Table]:
    made = [_races(results), _calls(results), _allocations(results)]
    return [*made, _starts(results)] if "starts" in results else made


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _races(results: Results) -> Table:
    title = f"one step against MuJoCo {results['mujoco']} (best of all turns; ratio: median)"
    columns = ("model", "dof", "integrator", "ours us", "MuJoCo us", "steps/s", "ratio")
    table = _table(title, *columns)
    for run in results["races"]:
        colour = "green" if run["ratio"] >= 1 else "red"
        table.add_row(
            run["subject"],
            str(run["nv"]),
            run["integrator"],
            f"{run['ours_us']:.2f}",
            f"{run['theirs_us']:.2f}",
            f"{1e6 / run['ours_us']:,.0f}",
            f"[{colour}]{run['ratio']:.2f}[/]",
        )
    return table


def _calls(results: Results) -> Table:
    table = _table("one call from Python, beyond the step", "model", "ours us", "MuJoCo us")
    for call in results["calls"]:
        table.add_row(call["subject"], f"{call['ours_us']:.2f}", f"{call['theirs_us']:.2f}")
    return table


def _allocations(results: Results) -> Table:
    columns = ("model", "steps", "Python bytes kept", "Python bytes at peak", "Numba allocations")
    table = _table("memory taken while stepping", *columns)
    for row in results["allocations"]:
        counts = ("steps", "python_growth", "python_peak", "numba_allocations")
        table.add_row(row["subject"], *(f"{row[key]:,}" for key in counts))
    return table


def _starts(results: Results) -> Table:
    columns = ("cache", "import s", "load s", "first step s", "whole process s")
    table = _table("start of the humanoid in a fresh process", *columns)
    for row in results["starts"]:
        parts = ("importing", "loading", "first_step", "whole")
        table.add_row(row["cache"], *(f"{row[key]:.2f}" for key in parts))
    return table
