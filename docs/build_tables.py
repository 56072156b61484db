"""Fill tables of the README and of docs from the reports of `make conformance` and `make bench`.

python docs/build_tables.py            write the pages
python docs/build_tables.py --check    exit 1 if a page is not what would be written
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
NOT_MEASURED = "*Not measured yet.*"

Json = dict[str, Any]

ENGINES = {
    "data.step": "`data.step`, one world",
    "BatchSim": "**BatchSim**",
    "mujoco.batch": "`mujoco.batch.Batch`",
    "mujoco.rollout": "`mujoco.rollout`",
}


def parity(report: Json) -> str:
    """Tables of fields in equal states, of trajectories and of constraints."""
    fields = grid(
        ("models", "compared", "agree", "states per model", "largest error"),
        (
            (
                tally["title"],
                tally["compared"],
                len(tally["agreed"]),
                tally["states"] + 1,
                f"{tally['worst_error']:.1e} (`{tally['worst_field']}`)",
            )
            for tally in report["fields"]
        ),
    )
    tracks = grid(
        ("trajectories", "steps", "within", "models", "tracked", "chaotic", "lost"),
        (
            (
                title,
                run["steps"],
                f"{run['tolerance']:g}",
                *(run[key] for key in ("models", "tracked", "chaotic", "failed")),
            )
            for title, run in report["trajectories"].items()
        ),
    )
    lockstep = _lockstep(report["lockstep"])
    explanation = (
        "A model agrees if every field of Model and Data differs by at most "
        f"{report['tolerance']:g}, and those computed by the constraint solver, from the same "
        "contacts, by at most 1e-08. A trajectory is tracked while it stays within its tolerance. "
        f"It is chaotic if MuJoCo, with its start perturbed by {report['perturbation']:g}, "
        f"diverges from itself as early. Reference: MuJoCo {report['mujoco']}. [All models and "
        "fields](docs/conformance.md)."
    )
    parts = (fields, tracks, explanation, _constraints(report["constraints"]), lockstep)
    return "\n\n".join(part for part in parts if part)


def _constraints(runs: list[Json]) -> str:
    """Table of rows, solvers, inverse dynamics and hostile states."""
    if not runs:
        return ""
    return grid(
        ("constraints", "models", "states", "compared", "wrong"),
        (
            (
                run["title"],
                *(f"{run[key]:,}" for key in ("models", "states")),
                f"{run['compared']:,} {run['unit']}",
                run["wrong"],
            )
            for run in runs
        ),
    )


def _lockstep(runs: list[Json]) -> str:
    """Table of worlds in lockstep, compared with single worlds."""
    if not runs:
        return ""
    keys = ("steps", "models", "worlds", "numbers", "mismatches")
    rows = grid(
        ("in lockstep, compared with single worlds", *keys),
        ((run["title"], *(f"{run[key]:,}" for key in keys)) for run in runs),
    )
    return rows + (
        "\n\nWorlds in lockstep are compared bit by bit with the same worlds stepped alone, in "
        "batches of several sizes and orders, on one and two threads."
    )


def speed(results: Json) -> str:
    """Steps a second of both engines, and the overhead of calls and starts."""
    races = grid(
        ("model", "dof", "integrator", "steps/s", "us a step", "MuJoCo, us a step", "ratio"),
        (
            (
                run["subject"],
                run["nv"],
                run["integrator"],
                f"{1e6 / run['ours_us']:,.0f}",
                f"{run['ours_us']:.2f}",
                f"{run['theirs_us']:.2f}",
                f"**{run['ratio']:.2f}**",
            )
            for run in results["races"]
        ),
    )
    notes = " ".join([*_calls(results), *_starts(results)])
    return "\n\n".join([races, notes, *_contact(results)]).rstrip()


def _contact(results: Json) -> Iterable[str]:
    """Whole steps in contact, and the share of each stage."""
    rows = results.get("contact", {}).get("models", [])
    if not rows:
        return
    work = ("in contact", "dof", "contacts", "rows", "iterations")
    yield grid(
        (*work, "us a step", "MuJoCo, us a step", "ratio", *rows[0]["stages"]),
        (
            (
                row["name"],
                row["nv"],
                f"{row['contacts']:.0f}",
                f"{row['rows']:.0f}",
                f"{row['iterations']:.1f}",
                f"{row['ours_us']:.1f}",
                f"{row['theirs_us']:.1f}",
                f"**{row['ratio']:.2f}**",
                *_shares(row["stages"]),
            )
            for row in rows
        ),
    )
    yield (
        "Whole steps, with the options of each model (Euler where it specifies an implicit "
        "integrator), from twelve states of one simulation. Iterations are Newton iterations over "
        "all islands. The last columns are shares of the time."
    )


def _shares(stages: Json) -> Iterable[str]:
    whole = sum(stages.values())
    return (f"{100 * us / whole:.0f}%" for us in stages.values())


def _calls(results: Json) -> Iterable[str]:
    worst = max((call["ours_us"] for call in results.get("calls", ())), default=None)
    if worst is not None:
        yield f"A call of `data.step()` from Python adds up to {worst:.2f} us to the step."
    counters = ("python_growth", "python_peak", "numba_allocations")
    rows = results.get("allocations", [])
    if rows and not any(row[counter] for row in rows for counter in counters):
        yield "A step allocates nothing."


def _starts(results: Json) -> Iterable[str]:
    for row in results.get("starts", ()):
        yield (
            f"With the cache {row['cache']}, a new process loads the humanoid and completes a step "
            f"in {row['whole']:.1f} s."
        )


def starts_installed(found: Json) -> str:
    """Starts of a fresh install, and where kernels are compiled instead."""
    rows = [(row["name"], row["first"], row["second"], row["mujoco"]) for row in found["tasks"]]
    compiled = found.get("compiled")
    if compiled:
        rows.append(("step of the humanoid, compiled", compiled["first"], compiled["second"], None))
    table = grid(
        ("process, interpreter included", "first start, s", "second start, s", "MuJoCo, s"),
        ((name, *(_wall(one) for one in times)) for name, *times in rows),
    )
    wheel, installed = found["wheel_bytes"] / 1e6, found["installed_bytes"] / 1e6
    note = "Nothing is compiled but in the last row. " if compiled else ""
    note += (
        f"Medians of {found['runs']} processes on {found['machine']['cores']} cores; the first "
        "start has an empty cache. "
        f"The wheel has {wheel:.1f} MB. An environment with it and what it needs has "
        f"{installed:.0f} MB"
    )
    if compiled:
        note += f", and with Numba {compiled['installed_bytes'] / 1e6:.0f} MB"
    return f"{table}\n\n{note}."


def _wall(times: Json | None) -> str:
    return f"{times['wall']:.2f}" if times else ""


def batch(results: Json) -> str:
    """Batches, compared with one world at a time and with MuJoCo's batches."""
    run = results.get("batch")
    if not run:
        return NOT_MEASURED
    races = grid(
        ("engine", "threads", "steps of worlds/s", "us a step", "BatchSim is faster by"),
        (
            (
                ENGINES[race["engine"]],
                race["threads"],
                f"{1e6 / race['us']:,.0f}",
                f"{race['us']:.2f}",
                "" if race["engine"] == "BatchSim" else f"**{race['ratio']:.2f}**",
            )
            for race in sorted(run["races"], key=lambda race: (race["threads"], race["us"]))
        ),
    )
    single = " and ".join(f"{row['ratio']:.2f}" for row in run["one_step_a_call"])
    memory = run["memory"]
    note = (
        f"{run['worlds']:,} humanoids of {run['nv']} degrees of freedom that fall on a floor, with "
        f"motors, limits and sensors, {run['steps']} steps a call. With one step a call, BatchSim "
        f"is faster than `mujoco.batch` by {single} on one "
        f"and two threads. Two threads give {run['two_threads_over_one']:.2f} times the throughput "
        f"of one. A world takes {memory['bytes_per_world']:,} bytes; {memory['n']:,} worlds take "
        f"{memory['bytes_total'] / 1e6:.0f} MB, or {memory['bytes_total_all_fields'] / 1e6:.0f} MB "
        "if every derived field of every world is stored."
    )
    if run["disturbed"]:
        note += f" Other programs ran during {run['disturbed']} rounds; these numbers are too low."
    return "\n\n".join([*_in_contact(results), races, note])


def _in_contact(results: Json) -> Iterable[str]:
    """Batches of robots in contact."""
    run = results.get("contact_batch")
    if run:
        yield grid(
            (
                "in contact",
                "dof",
                "contacts",
                "rows",
                "MuJoCo, us a step",
                "BatchSim, us a step",
                "faster by",
                "one step a call",
                "per-world parameters",
            ),
            (
                (
                    row["name"],
                    row["nv"],
                    f"{row['contacts']:.1f}",
                    f"{row['rows']:.0f}",
                    f"{row['theirs_us']:.1f}",
                    f"{row['ours_us']:.2f}",
                    f"**{row['ratio']:.2f}**",
                    f"{row['one_step']:.2f}",
                    f"{row['expanded']:.2f}",
                )
                for row in run["rows"]
            ),
        )
        yield (
            f"{run['worlds']} worlds of each, moving under random controls, on one thread, 10 "
            "steps a call, compared with the faster of `mujoco.batch` and `mujoco.rollout`. In the "
            "last column every world has its own masses and friction. The next table compares "
            "humanoids with one world at a time, and on two threads:"
        )


def grid(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table; the first column is text, the others numbers."""
    head = list(head)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def derivative_times(results: Json) -> str:
    """Times of A and B by each method, in MuJoCo steps."""
    methods = ("fd", "hybrid", "auto")
    return grid(
        ("state", "dofs", "contacts", "MuJoCo", *methods),
        (
            (
                row["name"],
                row["nv"],
                row["contacts"],
                _both(row["theirs"], _short),
                *(_both(row["steps"][method], _short) for method in methods),
            )
            for row in results["derivatives"]["rows"]
        ),
    )


def derivative_errors(results: Json) -> str:
    """Errors of A by each method."""
    methods = ("fd", "hybrid", "auto")
    return grid(
        ("error of A", "MuJoCo", *methods),
        (
            (
                row["name"],
                _both(row["theirs_errors"], _power),
                *(_both(row["errors"][method], _power) for method in methods),
            )
            for row in results["derivatives"]["rows"]
        ),
    )


def _both(numbers: Iterable[float], written: Callable[[float], str]) -> str:
    """Numbers of forward and of centred differences."""
    return " / ".join(written(number) for number in numbers)


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.1f}"


def _power(number: float) -> str:
    digit, power = f"{number:.0e}".split("e")
    return f"{digit}e{int(power)}"


def cloths(results: Json) -> str:
    """A cloth over a ball compared with MuJoCo, and the time of frames of deformables."""
    found = results.get("deformables")
    if not found:
        return NOT_MEASURED
    ours = found["drapes"][0]["seconds"]
    race = grid(
        ("40 x 40 cloth over a ball", "step, ms", "s a simulated second", "mean sag, m", "ratio"),
        (
            (
                f"{row['engine']}, {row['settings']}",
                f"{1e3 * row['timestep']:.1f}",
                f"{row['seconds']:.2f}",
                f"{row['sag']:.3f}",
                "" if row["engine"] == "CortenForge" else f"**{row['seconds'] / ours:.1f}**",
            )
            for row in found["drapes"]
        ),
    )
    sizes = grid(
        ("frames of 1/60 s", "vertices", "elements", "substeps", "ms a frame", "us a vertex"),
        (
            (
                row["name"],
                *(f"{row[key]:,}" for key in ("vertices", "elements", "substeps")),
                f"{row['ms']:.2f}",
                f"{1e3 * row['ms'] / row['vertices']:.2f}",
            )
            for row in [*found["growth"], *found["others"]]
        ),
    )
    return f"{race}\n\n{sizes}"


def headline_agreement(report: Json) -> str:
    """Models that agree in every field, and worlds in lockstep."""
    rows = [
        (tally["title"], "every field, in equal states", tally["compared"], tally["agreed"])
        for tally in report["fields"]
        if tally["title"] in ("public models", "random models")
    ]
    table = grid(
        ("agreement with MuJoCo 4.0.0", "what is compared", "models", "agree"),
        ((title, what, models, len(agreed)) for title, what, models, agreed in rows),
    )
    wrong = sum(run["mismatches"] for run in report["lockstep"])
    numbers = sum(run["numbers"] for run in report["lockstep"])
    same = f"Worlds in lockstep and the same worlds alone: {numbers:,} numbers, {wrong} differ."
    return f"{table}\n\n{same}"


def headline_steps(results: Json) -> str:
    """A step in contact on one core."""
    shown = ("humanoid", "anymal", "G1", "shadow hand", "200 boxes, one island")
    return grid(
        ("a step in contact, one core", "dof", "MuJoCo, us", "CortenForge, us", "faster by"),
        (
            (
                row["name"],
                row["nv"],
                f"{row['theirs_us']:.1f}",
                f"{row['ours_us']:.1f}",
                f"**{row['ratio']:.1f}**",
            )
            for row in results["contact"]["models"]
            if row["name"] in shown
        ),
    )


def headline_worlds(results: Json) -> str:
    """A batch in contact on one thread."""
    run = results["contact_batch"]
    title = f"{run['worlds']} worlds, one thread"
    return grid(
        (title, "dof", "MuJoCo, us a step", "BatchSim, us a step", "faster by"),
        (
            (
                row["name"],
                row["nv"],
                f"{row['theirs_us']:.1f}",
                f"{row['ours_us']:.1f}",
                f"**{row['ratio']:.1f}**",
            )
            for row in run["rows"]
            if row["name"] in ("humanoid", "ant", "anymal", "G1")
        ),
    )


REPORT = ROOT / "conformance" / "report.json"
RESULTS = ROOT / "benchmarks" / "results.json"
INSTALL = ROOT / "benchmarks" / "results_install.json"
#: for each page, its markers with the file of numbers and the function that writes the table
Tables = dict[str, tuple[Path, Callable[[Json], str]]]
PAGES: dict[Path, Tables] = {
    README: {
        "agreement": (REPORT, headline_agreement),
        "step": (RESULTS, headline_steps),
        "worlds": (RESULTS, headline_worlds),
    },
    ROOT / "docs" / "engineering" / "performance.md": {
        "install": (INSTALL, starts_installed),
        "speed": (RESULTS, speed),
        "batch": (RESULTS, batch),
    },
    ROOT / "docs" / "engineering" / "agreement.md": {"parity": (REPORT, parity)},
    ROOT / "docs" / "derivatives.md": {
        "times": (RESULTS, derivative_times),
        "errors": (RESULTS, derivative_errors),
    },
    ROOT / "docs" / "deformables.md": {"cloths": (RESULTS, cloths)},
}


def to_docs(page: Path) -> str:
    """How links of a page begin that lead to pages of docs."""
    up = len(page.relative_to(ROOT).parts) - 2
    return "docs/" if up < 0 else "../" * up


def filled(page: Path, tables: Tables) -> str:
    """The page with each table filled in between its markers."""
    text = page.read_text(encoding="utf-8")
    for name, (source, build) in tables.items():
        table = build(json.loads(source.read_text())) if source.exists() else NOT_MEASURED
        table = table.replace("](docs/", f"]({to_docs(page)}")
        marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text, count = marked.subn(lambda found, table=table: f"{found[1]}{table}\n{found[2]}", text)
        if count != 1:
            markers = f"<!-- {name} --> and <!-- /{name} -->"
            raise SystemExit(f"{page.name} needs the markers {markers} once")
    return text


def main() -> int:
    """Write the pages, or check that they are up to date."""
    stale = 0
    for page, tables in PAGES.items():
        after = filled(page, tables)
        if "--check" not in sys.argv[1:]:
            page.write_text(after, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != after:
            print(f"{page.name} is out of date: run python docs/build_tables.py")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
