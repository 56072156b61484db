"""The report of a sweep in words: a page for the docs, and tables for the terminal."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from rich.table import Table

__all__ = ["page", "summary"]

Report = dict[str, Any]


def page(report: Report) -> str:
    """`docs/conformance.md`."""
    parts = [
        _opening(report),
        _fields_overview(report),
        _trajectory_overview(report),
        _constraints(report),
        _lockstep(report),
        _worst_fields(report),
        *(_models(tally) for tally in report["fields"] if "random" not in tally["title"]),
        _differences(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(report: Report) -> str:
    return (
        "# Conformance\n\n"
        "Written by `make conformance`; do not edit.\n\n"
        f"The reference is MuJoCo {report['mujoco']}. Both engines load the same file and evaluate "
        "the same states: the rest position, and seeded random positions, velocities, applied "
        "forces and mocap poses. Integers have to be equal. Reals may differ by "
        f"{report['tolerance']:g} times a size: in Model that of the largest number of the same "
        "object, in Data that of the largest entry of the field, or 1 if that is larger. Nothing "
        "is aligned, sorted or normalised before it is compared, but for the order of a hull's "
        "vertices and polygons, which is a matter of tie-breaking."
    )


def _fields_overview(report: Report) -> str:
    rows = [
        (
            tally["title"],
            tally["compared"],
            len(tally["agreed"]),
            len(tally["refused"]),
            tally["states"] + 1,
            f"{tally['comparisons']:,}",
            f"`{tally['worst_field']}` {_error(tally['worst_error'])}",
        )
        for tally in report["fields"]
    ]
    head = ("models", "compared", "agree", "refused", "states each", "comparisons", "largest error")
    return "## Fields\n\n" + _grid(head, rows)


def _trajectory_overview(report: Report) -> str:
    rows = [
        (
            title,
            run["steps"],
            f"{run['tolerance']:g}",
            run["models"],
            run["tracked"],
            run["chaotic"],
            run["failed"],
            _error(run["worst_tracked_error"]),
            ", ".join(f"{count}: {what}" for what, count in run["given"].items()),
        )
        for title, run in report["trajectories"].items()
    ]
    head = ("models", "steps", "within", "run", "tracked", "chaotic", "lost")
    head = (*head, "largest error while tracked", "of them, given")
    text = (
        "## Trajectories\n\nBoth engines from the same random state, those with constraints from "
        "the model's own position with random velocities, with controls that change every few "
        "steps. A model is tracked when qpos, qvel and act stay within a tolerance. It is chaotic "
        f"when MuJoCo, perturbed by {report['perturbation']:g}, loses itself as early. Some models "
        "cut their solvers short, after one iteration or at a coarse tolerance, and contacts of "
        "convex geoms are as exact as the search for them; what parts is run again with solvers "
        "that converge, and then with MuJoCo's contacts, found in the states that we come to: the "
        "last column.\n\n"
    )
    grid = _grid(head, rows)
    return text + grid + _exploded(report) + _lost(report) + _not_run(report)


def _constraints(report: Report) -> str:
    """Rows, solvers, inverse dynamics and hostile states."""
    runs = report["constraints"]
    if not runs:
        return ""
    head = ("what", "models", "states", "compared", "wrong", "largest error")
    rows = [
        (
            run["title"],
            run["models"],
            f"{run['states']:,}",
            f"{run['compared']:,} {run['unit']}",
            run["wrong"],
            _error(run["worst"]),
        )
        for run in runs
    ]
    text = (
        "## Constraints\n\nStates are the reference position, keyframes, some near them and some "
        "anywhere; both engines have MuJoCo's contacts. *Rows* of both agree to 1e-9. *Solvers*: "
        "accelerations and forces of Newton's method with either cone, converged as far as "
        "numbers go, agree to 1e-8; at default options Newton is within its stopping tolerance of "
        "that, and CG and PGS, where they say that they have converged, within ten times the "
        "distance of MuJoCo's or within the tolerance at which they are asked to stop. Where "
        "MuJoCo's Newton does not come to an end in 500 iterations and ours does, ours must not "
        "cost more, by MuJoCo's own count. *Forward and inverse*: with contacts of our own, "
        "inverse dynamics gives back what was applied, to 1e-8 of the forces. *Steps*: every "
        "model as it is, with its own integrator and solver, runs 100 steps and ends in finite "
        "numbers, or explodes in MuJoCo as well. *One step* of each of MuJoCo's integrators: "
        "without constraints states and qDeriv agree to 1e-9, with them to 1e-8, from MuJoCo's "
        "contacts and with solvers that converge, RK4 without contacts. *Noslip*: scenes whose "
        "friction is not unique, one to ten iterations; forces agree to 1e-8, or cost no more. "
        "*Hostile states* end in finite numbers or in a typed error.\n\n"
    )
    return text + _grid(head, rows) + "".join(map(_details, runs))


def _details(run: Report) -> str:
    """What was counted besides, what was left out, and what was wrong."""
    counts = [f"{what} {count:,}" for what, count in run["notes"].items() if count]
    left = [f"{what} {count}" for what, count in run["left_out"].items()]
    text = f"\n\n{run['title'].capitalize()}: {'; '.join(counts)}." if counts else ""
    text += f" Left out: {'; '.join(left)}." if left else ""
    return text + "".join(f"\n- {line}" for line in run["examples"])


def _exploded(report: Report) -> str:
    """Models whose numbers explode: both engines must stop in the same ten steps."""
    names = [
        f"{name} ({title})"
        for title, run in report["trajectories"].items()
        for name in run["exploded"]
    ]
    if not names:
        return ""
    return (
        "\n\nUnstable at their timestep, in MuJoCo as here; tracked until the numbers explode, "
        f"which both engines notice at the same time: {', '.join(names)}."
    )


def _lost(report: Report) -> str:
    lost = [
        (title, track)
        for title, run in report["trajectories"].items()
        for track in run["not_tracked"]
    ]
    if not lost:
        return ""
    head = ("model", "among", "lost at step", "MuJoCo loses itself at", "verdict")
    rows = [
        (
            track["name"],
            title,
            track["lost_at"],
            track["chaos_at"] or "never",
            "chaotic" if track["chaotic"] else track["failure"] or "differs",
        )
        for title, track in lost
    ]
    return "\n\n" + _grid(head, rows)


def _not_run(report: Report) -> str:
    """What models of other people need that is not there yet."""
    reasons = Counter(
        reason for run in report["trajectories"].values() for reason in run["refused"].values()
    )
    if not reasons:
        return ""
    rows = [(reason.replace("|", "\\|"), n) for reason, n in reasons.most_common()]
    return "\n\nNot run, by what they need:\n\n" + _grid(("needed", "models"), rows)


def _lockstep(report: Report) -> str:
    """Worlds that run eight at a time against the same worlds alone."""
    runs = report["lockstep"]
    if not runs:
        return ""
    head = ("models", "steps", "run", "worlds", "that fail", "fields", "numbers", "mismatches")
    rows = []
    for run in runs:
        integrators = ", ".join(f"{count} {name}" for name, count in run["integrators"].items())
        counts = (run["worlds"], run["failed_worlds"], run["comparisons"], run["numbers"])
        ran = f"{run['models']} ({integrators})"
        numbers = (f"{n:,}" for n in counts)
        rows.append((run["title"], run["steps"], ran, *numbers, run["mismatches"]))
    text = (
        "## Worlds in lockstep\n\nNo reference here but the engine itself: "
        f"{runs[0]['lanes']} worlds at a time, against each world alone. Worlds "
        "start in different random states, some of them at rest. After 1, 10, 100 and all steps, "
        "the state and every derived field of every world must have the same bits, down to the "
        "sign of a zero; a world that fails must fail at the same step with the same words. Each "
        "model runs in three batches: in order on one thread, shuffled and twice as large on two "
        "threads, and a few worlds by themselves. Crowds have two batches more: a hundred or "
        "a thousand worlds on two threads, and some number of them on one, drawn from the same "
        "worlds, so that each has neighbours of all kinds.\n\n"
    )
    found = "".join(f"\n- {line}" for run in runs for line in run["examples"])
    return text + _grid(head, rows) + ("\n" + found if found else "")


def _worst_fields(report: Report) -> str:
    """Largest error of every field over all models, the largest first."""
    worst: dict[str, float] = {}
    for tally in report["fields"]:
        for name, error in tally["fields"].items():
            worst[name] = max(worst.get(name, 0.0), error)
    ranked = sorted(worst.items(), key=lambda item: (-item[1], item[0]))
    inexact = [(f"`{name}`", _error(error)) for name, error in ranked if error > 0]
    exact = ", ".join(f"`{name}`" for name, error in ranked if error == 0)
    text = "## Largest error of each field\n\n" + _grid(("field", "largest error"), inexact)
    return text + f"\n\nEqual to the last bit on every model: {exact}."


def _models(tally: Report) -> str:
    rows = []
    for name in tally["agreed"]:
        rows.append((f"`{name}`", "smooth part" if name in tally["smooth_only"] else "all"))
    text = f"## {tally['title'].capitalize()}\n\n" + _grid(("model", "agrees"), rows)
    if tally["refused"]:
        counts = Counter(tally["refused"].values()).most_common()
        rows = [(reason.replace("|", "\\|"), count) for reason, count in counts]
        text += "\n\nRefused, by the first thing the reader met that is not there yet:\n\n"
        text += _grid(("reason", "models"), rows)
    return text


def _differences(report: Report) -> str:
    lines = [
        f"- {tally['title']}, {name}: {worst[0]}"
        + (f" (and {len(worst) - 1} more)" * bool(worst[1:]))
        for tally in report["fields"]
        for name, worst in tally["differing"].items()
    ]
    return "## Differences\n\n" + "\n".join(lines) if lines else ""


def _grid(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _error(value: float) -> str:
    return f"{value:.1e}" if value else "0"


# ---------------------------------------------------------------------- terminal


def summary(report: Report) -> list[Table]:
    """A table for each part and, when something differs, one more that says what."""
    fields = Table(title="fields, same state")
    for column in ("models", "compared", "agree", "refused", "largest error"):
        fields.add_column(column, justify="left" if column == "models" else "right")
    for tally in report["fields"]:
        good = "green" if not tally["differing"] else "red"
        agree = f"[{good}]{len(tally['agreed'])}[/]"
        error = f"{tally['worst_field']} {_error(tally['worst_error'])}"
        refused = str(len(tally["refused"]))
        fields.add_row(tally["title"], str(tally["compared"]), agree, refused, error)
    tracks = Table(title="trajectories")
    for column in ("models", "steps", "run", "tracked", "chaotic", "lost", "largest error"):
        tracks.add_column(column, justify="left" if column == "models" else "right")
    for title, run in report["trajectories"].items():
        counts = (str(run[key]) for key in ("steps", "models", "tracked", "chaotic", "failed"))
        tracks.add_row(title, *counts, _error(run["worst_tracked_error"]))
    parts = (*_constraint_table(report), *_lockstep_table(report), *_trouble(report))
    return [fields, tracks, *parts]


def _constraint_table(report: Report) -> list[Table]:
    if not report["constraints"]:
        return []
    table = Table(title="constraints")
    for column in ("what", "models", "states", "compared", "wrong", "largest error"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for run in report["constraints"]:
        colour = "green" if run["ok"] else "red"
        counts = (str(run["models"]), f"{run['states']:,}", f"{run['compared']:,} {run['unit']}")
        table.add_row(run["title"], *counts, f"[{colour}]{run['wrong']}[/]", _error(run["worst"]))
    examples = [line for run in report["constraints"] for line in run["examples"]]
    if examples:
        table.caption = "\n".join(examples)
    return [table]


def _lockstep_table(report: Report) -> list[Table]:
    if not report["lockstep"]:
        return []
    table = Table(title="in lockstep, every bit")
    for column in ("models", "steps", "run", "worlds", "fields compared", "mismatches"):
        table.add_column(column, justify="left" if column == "models" else "right")
    for run in report["lockstep"]:
        colour = "red" if run["mismatches"] else "green"
        counts = (str(run["models"]), f"{run['worlds']:,}", f"{run['comparisons']:,}")
        wrong = f"[{colour}]{run['mismatches']}[/]"
        table.add_row(run["title"], str(run["steps"]), *counts, wrong)
    examples = [line for run in report["lockstep"] for line in run["examples"]]
    if examples:
        table.caption = "\n".join(examples)
    return [table]


def _trouble(report: Report) -> list[Table]:
    """Fields that differ, each with one model to look at."""
    models: dict[str, list[tuple[str, str]]] = {}
    for tally in report["fields"]:
        for name, differences in tally["differing"].items():
            for text in differences:
                models.setdefault(re.split(r"[\[:]", text)[0], []).append((name, text))
    if not models:
        return []
    table = Table(title="differences")
    for column in ("field", "models", "for example", "difference"):
        table.add_column(column, justify="right" if column == "models" else "left")
    for field, found in sorted(models.items(), key=lambda item: -len(item[1])):
        table.add_row(field, str(len(found)), *found[0])
    return [table]
