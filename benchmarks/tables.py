"""Results of the benchmarks as tables for the terminal."""

from __future__ import annotations

from typing import Any

from rich.table import Table

__all__ = ["batch_tables", "collision_tables", "contact_tables", "tables"]

Results = dict[str, Any]


def tables(results: Results) -> list[Table]:
    made = [_races(results), _calls(results), _allocations(results)]
    if "batch" in results:
        made += batch_tables(results["batch"])
    if "collision" in results:
        made += collision_tables(results["collision"])
    if "contact" in results:
        made += contact_tables(results["contact"])
    return [*made, _starts(results)] if "starts" in results else made


def batch_tables(batch: Results) -> list[Table]:
    """Races of many worlds, throughput against their number, memory."""
    title = f"{batch['worlds']:,} humanoids, {batch['steps']} steps a call (medians of wall time)"
    races = _table(title, "engine", "threads", "us a step", "steps/s", "BatchSim is")
    for race in sorted(batch["races"], key=lambda race: race["threads"]):
        faster = f"{race['ratio']:.2f}x" if race["engine"] != "BatchSim" else ""
        speed = f"{1e6 / race['us']:,.0f}"
        races.add_row(race["engine"], str(race["threads"]), f"{race['us']:.2f}", speed, faster)
    one = ", ".join(
        f"{row['ratio']:.2f}x with {row['threads']}" for row in batch["one_step_a_call"]
    )
    memory = batch["memory"]
    races.caption = (
        f"two threads {batch['two_threads_over_one']:.2f}x one; one step a call, against "
        f"mujoco.batch: {one}; {memory['bytes_per_world']:,} bytes a world, "
        f"{memory['bytes_total'] / 1e6:.0f} MB for {memory['n']:,}, "
        f"{memory['bytes_total_all_fields'] / 1e6:.0f} MB with all fields bound"
    )
    return [races, _throughput(batch["throughput"])]


def collision_tables(collision: Results) -> list[Table]:
    """The stage against MuJoCo's, and what it costs with more and more bodies."""
    columns = ("model", "geoms", "pairs", "contacts", "MuJoCo us", "ours us", "in lanes us")
    stages = _table("collision stage", *columns, "ratio", "in lanes")
    for row in collision["stages"]:
        numbers = ("contacts", "theirs_us", "ours_us", "lanes_us", "ratio", "ratio_in_lanes")
        sizes = (str(row["geoms"]), f"{row['candidates']:,}")
        stages.add_row(row["name"], *sizes, *(f"{row[key]:.2f}" for key in numbers))
    growth = _table("collision stage of scattered bodies", "bodies", *columns[3:6], "ratio")
    for row in collision["growth"]:
        numbers = (row["contacts"], row["theirs_us"], row["ours_us"])
        ratio = row["theirs_us"] / row["ours_us"]
        growth.add_row(f"{row['bodies']:,}", *(f"{x:.1f}" for x in numbers), f"{ratio:.2f}")
    return [stages, growth] if collision["growth"] else [stages]


def contact_tables(contact: Results) -> list[Table]:
    """Whole steps against MuJoCo's, and where their time goes."""
    work = ("model", "dofs", "island", "contacts", "rows", "iterations")
    steps = _table("steps in contact", *work, "MuJoCo us", "ours us", "ratio")
    steps.caption = "island: dofs of the largest; iterations: ours, MuJoCo's"
    stages = _table("where the time of a step in contact goes, in us", "model")
    for name in contact["models"][0]["stages"] if contact["models"] else ():
        stages.add_column(name, justify="right")
    for row in contact["models"]:
        numbers = (f"{row[key]:.0f}" for key in ("nv", "largest", "contacts", "rows"))
        iterations = f"{row['iterations']:.1f}, {row['their_iterations']:.1f}"
        times = (f"{row[key]:.1f}" for key in ("theirs_us", "ours_us"))
        steps.add_row(row["name"], *numbers, iterations, *times, f"{row['ratio']:.2f}")
        stages.add_row(row["name"], *(f"{us:.1f}" for us in row["stages"].values()))
    return [steps, stages]


def _throughput(rows: list[Results]) -> Table:
    lines = list(dict.fromkeys((row["engine"], row["threads"]) for row in rows))
    table = _table("steps of worlds a second", "worlds", *(f"{e}, {t}" for e, t in lines))
    speeds = {(row["engine"], row["threads"], row["n"]): row["steps_per_second"] for row in rows}
    for n in dict.fromkeys(row["n"] for row in rows):
        table.add_row(f"{n:,}", *(f"{speeds[(*line, n)]:,.0f}" for line in lines))
    return table


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
