"""`python -m conformance.sweep`: everything against MuJoCo, lanes against worlds alone; a report.

Writes `conformance/report.json` and `docs/conformance.md`. All seeds are fixed: the same code
gives the same report.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance import trajectory
from conformance.cases import (
    ROOT,
    Case,
    attached_cases,
    driven_cases,
    handmade_cases,
    public_cases,
    public_folder,
    pulled_cases,
    random_cases,
    smooth_cases,
)
from conformance.document import page, summary
from conformance.fieldwise import Tally, sweep_fields
from conformance.findings import Finding
from conformance.hostile import endure, trials
from conformance.integrators import step_constrained, step_smooth
from conformance.lanes import Lockstep, compare_lanes, lane_cases, robot_cases
from conformance.noslip import compare_noslip
from conformance.rows import compare_rows
from conformance.solutions import recover_forces, solve_all
from conformance.stepping import step_all
from conformance.trajectory import Course, Track, track_all
from cortenforge.cli.screen import Screen
from cortenforge.compare import TOLERANCE
from cortenforge.enums import Integrator
from cortenforge.errors import StepWarning

__all__ = ["Sweep", "main"]

REPORT = Path(__file__).with_name("report.json")
PAGE = ROOT / "docs" / "conformance.md"
FREE = "without constraints"
#: as models name them
INTEGRATORS = {
    "Euler": Integrator.EULER,
    "RK4": Integrator.RK4,
    "implicit": Integrator.IMPLICIT,
    "implicitfast": Integrator.IMPLICITFAST,
    "discrete": Integrator.DISCRETE,
}


class Sweep:
    """Runs the parts of a sweep one after another and keeps what they found."""

    def __init__(self, console: Console, only: Sequence[str] = ()) -> None:
        self.console = console
        self.only = only
        self.known: set[str] = set()
        self.tallies: list[Tally] = []
        self.tracks: dict[str, list[Track]] = {}
        self.courses: dict[str, Course] = {}
        self.findings: list[Finding] = []
        self.lockstep: list[Lockstep] = []
        self.began = time.perf_counter()

    def fields(
        self, title: str, cases: Sequence[Case], states: int, *, foreign: bool = False
    ) -> None:
        if self._wanted("fields", title):
            bar = self._bar(title, cases)
            self.tallies.append(sweep_fields(title, bar, states, foreign=foreign))

    def trajectories(
        self, title: str, cases: Sequence[Case], course: Course, *, foreign: bool = False
    ) -> None:
        if self._wanted("trajectories", title):
            bar = self._bar(f"{course.steps} steps, {title}", cases)
            self.courses[title] = course
            self.tracks[title] = list(track_all(bar, course, foreign=foreign))

    def constraints(
        self, title: str, cases: Sequence[Any], look: Callable[[str, Iterator[Any]], Finding]
    ) -> None:
        if self._wanted("constraints", title):
            self.findings.append(look(title, self._bar(title, cases)))

    def lanes(
        self,
        title: str,
        cases: Sequence[Case],
        steps: int,
        *,
        foreign: bool = False,
        crowded: int = 0,
    ) -> None:
        if self._wanted("lockstep", title):
            bar = self._bar(f"{steps} steps in lockstep, {title}", cases)
            run = compare_lanes(bar, steps, title, foreign=foreign, crowded=crowded)
            self.lockstep.append(run)

    def _wanted(self, part: str, title: str) -> bool:
        """Whether a part of the sweep was asked for: all are, or those that were named."""
        self.known.add(f"{part}: {title}")
        return not self.only or f"{part}: {title}" in self.only

    def _bar(self, title: str, cases: Sequence[Any]) -> Iterator[Any]:
        """The cases, with a progress bar while they are worked off."""
        columns = (TextColumn("{task.description:34}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=self.console) as progress:
            yield from progress.track(cases, description=title)

    @property
    def ok(self) -> bool:
        agreed = not any(tally.differing for tally in self.tallies)
        together = all(run.ok for run in self.lockstep)
        tracked = all(track.ok for run in self.tracks.values() for track in run)
        return agreed and tracked and together and all(found.ok for found in self.findings)

    def as_dict(self, settings: dict[str, Any]) -> dict[str, Any]:
        return {
            "mujoco": mujoco.__version__,
            "tolerance": TOLERANCE,
            "perturbation": trajectory.PERTURBATION,
            "settings": settings,
            "ok": self.ok,
            "fields": [tally.as_dict() for tally in self.tallies],
            "trajectories": {
                title: vars(self.courses[title]) | _trajectories(run)
                for title, run in self.tracks.items()
            },
            "constraints": [found.as_dict() for found in self.findings],
            "lockstep": [run.as_dict() for run in self.lockstep],
        }


def _trajectories(run: list[Track]) -> dict[str, Any]:
    return {
        "models": sum(not track.refused for track in run),
        "refused": {track.name: track.refused for track in run if track.refused},
        "tracked": sum(track.tracked for track in run),
        "given": dict(Counter(track.given for track in run if track.tracked and track.given)),
        "chaotic": sum(track.chaotic for track in run),
        "failed": sum(not track.ok for track in run),
        "exploded": [track.name for track in run if track.exploded_at is not None],
        "worst_tracked_error": max((t.error for t in run if t.tracked), default=0.0),
        "not_tracked": [
            track.as_dict() for track in run if not track.tracked and not track.refused
        ],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sweep; exit status 1 when anything differs that is not chaos."""
    options = _options(arguments)
    # both engines warn of singular inertias, which are compared all the same
    warnings.simplefilter("ignore", StepWarning)
    console = Screen()
    console.print(
        f"MuJoCo {mujoco.__version__}; seeds {options.seed} to {options.seed + options.models - 1} "
        f"for fields, {options.seed} to {options.seed + options.tracks - 1} for trajectories"
    )
    sweep = Sweep(console, options.only)
    if public_folder() is None:
        console.print("[yellow]no public models[/]: set CORTENFORGE_MODELS to their folder")
    else:
        sweep_public(sweep, options)
    sweep_own(sweep, options)
    sweep_constrained(sweep, options)
    report = sweep.as_dict({key: value for key, value in vars(options).items() if key != "only"})
    if options.only:
        if unknown := set(options.only) - sweep.known:
            raise SystemExit(f"no such part: {min(unknown)!r}; there are {sorted(sweep.known)}")
        report = merged(json.loads(REPORT.read_text()), report)
    for table in summary(report):
        console.print(table)
    if options.write:
        REPORT.write_text(json.dumps(report, indent=1) + "\n")
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(report))
        console.print(f"wrote {REPORT.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}")
    console.print(f"{time.perf_counter() - sweep.began:.0f} s")
    return 0 if report["ok"] else 1


def merged(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The report before, with the parts that were run again in their places."""
    if before["settings"] | {"write": 0} != now["settings"] | {"write": 0}:
        raise SystemExit("parts of a report have to be run with the settings of the whole")
    rows = {}
    for part in ("fields", "constraints", "lockstep"):
        again = {row["title"]: row for row in now[part]}
        kept = {row["title"]: row for row in before.get(part, [])}
        rows[part] = list((kept | again).values())
    tracks = before["trajectories"] | now["trajectories"]
    differing = any(row["differing"] for row in rows["fields"])
    lost = any(track["failed"] for track in tracks.values())
    held = all(row["ok"] for row in (*rows["lockstep"], *rows["constraints"]))
    return before | rows | {"trajectories": tracks, "ok": not differing and not lost and held}


def sweep_public(sweep: Sweep, options: argparse.Namespace) -> None:
    """Models of other people: as they are, and without constraints."""
    free = public_cases(unconstrained=True)
    sweep.fields("public models", public_cases(), options.states, foreign=True)
    sweep.fields(f"public models, {FREE}", free, options.states, foreign=True)
    sweep.trajectories(f"public models, {FREE}", free, Course(options.public_steps), foreign=True)
    for name, integrator in INTEGRATORS.items():
        cases = public_cases(unconstrained=True, integrator=integrator)
        title = f"public models, {FREE}, {name}"
        sweep.trajectories(title, cases, Course(options.steps), foreign=True)
    sweep.lanes(f"public models, {FREE}", free, options.public_lane_steps, foreign=True)


def sweep_own(sweep: Sweep, options: argparse.Namespace) -> None:
    """Models made for this: by hand, and by drawing lots."""
    sweep.fields("hand-made models", handmade_cases(), options.states)
    drawn = {
        "random models": random_cases,
        "smooth random models": smooth_cases,
        "driven random models": driven_cases,
        "pulled random models": pulled_cases,
    }
    for title, draw in drawn.items():
        sweep.fields(title, list(draw(options.seed, options.models)), options.states)
    attached = list(attached_cases(options.seed, options.tracks))
    sweep.fields("random models in random models", attached, options.states)
    for integrator in INTEGRATORS:
        cases = list(smooth_cases(options.seed, options.tracks, integrator))
        sweep.trajectories(f"smooth random models, {integrator}", cases, Course(options.steps))
    for integrator in INTEGRATORS:
        for title, acting in {"driven": driven_cases, "pulled": pulled_cases}.items():
            cases = list(acting(options.seed, options.models, integrator))
            course = Course(options.driven_steps)
            sweep.trajectories(f"{title} random models, {integrator}", cases, course)
    cases = list(lane_cases(options.seed, options.tracks))
    sweep.lanes("random models", cases, options.lane_steps)


def sweep_constrained(sweep: Sweep, options: argparse.Namespace) -> None:
    """Constraints: rows, solvers, inverse dynamics, runs, lockstep, and what nobody should try."""
    few = options.constrained_states
    drawn = list(random_cases(options.seed, options.models))
    everyone = {"public models": public_cases(), "random models": drawn}
    some = {"public models": everyone["public models"], "random models": drawn[: options.tracks]}
    course = Course(options.constrained_steps, chunk=2, tolerance=1e-6, near=True)
    for title, cases in everyone.items():
        sweep.constraints(f"rows, {title}", cases, partial(compare_rows, states=few))
    for title, cases in some.items():
        sweep.constraints(f"solvers, {title}", cases, partial(solve_all, states=few))
        look = partial(recover_forces, states=few)
        sweep.constraints(f"forward and inverse, {title}", cases, look)
        sweep.trajectories(f"{title}, constrained", cases, course, foreign=True)
        sweep.lanes(
            f"{title}, constrained",
            cases[:: 1 if title == "public models" else 4],
            options.public_lane_steps,
            foreign=True,
        )
    for title, cases in {"random models": drawn, "robots": robot_cases()}.items():
        sweep.lanes(
            f"crowds of {title}",
            cases,
            options.lane_steps,
            foreign=True,
            crowded=options.tracks,
        )
    look = partial(step_all, steps=options.public_steps)
    sweep.constraints("steps, public models", everyone["public models"], look)
    for title, cases in everyone.items():
        smooth, held = (partial(look, states=few) for look in (step_smooth, step_constrained))
        sweep.constraints(f"one step without constraints, {title}", cases, smooth)
        sweep.constraints(f"one step, {title}", cases, held)
    sweep.constraints("noslip", range(options.noslip), compare_noslip)
    sweep.constraints("hostile states", list(trials(options.hostile)), endure)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.sweep", description=__doc__)
    parser.add_argument("--models", type=int, default=500, help="random models to compare")
    parser.add_argument("--states", type=int, default=4, help="random states a model")
    parser.add_argument("--tracks", type=int, default=100, help="random models to run")
    parser.add_argument("--steps", type=int, default=500, help="steps of each run")
    parser.add_argument("--driven-steps", type=int, default=100, help="steps with controls")
    parser.add_argument("--public-steps", type=int, default=100, help="steps of public models")
    parser.add_argument(
        "--public-lane-steps", type=int, default=10, help="steps of public models in lockstep"
    )
    parser.add_argument("--lane-steps", type=int, default=1000, help="steps of worlds in lockstep")
    parser.add_argument("--constrained-states", type=int, default=2, help="states with constraints")
    parser.add_argument("--constrained-steps", type=int, default=20, help="steps with constraints")
    parser.add_argument("--noslip", type=int, default=2000, help="scenes for the noslip pass")
    parser.add_argument("--hostile", type=int, default=1000, help="starts deep inside of others")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first random model")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PART",
        help='run a part again and keep the rest of the report: "fields: random models"',
    )
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
