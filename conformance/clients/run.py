"""One part: its tasks with the module, MuJoCo beside it; results as lines of JSON."""

from __future__ import annotations

import argparse
import json
import time
import warnings
from typing import Any


def parsed() -> argparse.Namespace:
    """Arguments of the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--only", default="", help="tasks whose name contains this text")
    parser.add_argument("--without", nargs="*", default=[], help="tasks that are known already")
    return parser.parse_args()


def result(name: str, run: Any, beside: Any, steps: int) -> dict[str, Any]:
    """Run a task; what went wrong, and how far both engines were apart."""
    from conformance.clients.beside import Report

    beside.report = report = Report()
    start, failed = time.perf_counter(), ""
    try:
        run(steps)
    except Exception as error:
        failed = f"{type(error).__name__}: {error}"[:300]
    return {
        "task": name,
        "failed": failed,
        "steps": report.steps,
        "worst": report.worst,
        "where": report.where,
        "contacts": report.contacts,
        "unfinished": report.unfinished,
        "by_tolerance": report.by_tolerance,
        "ours_from_end": report.ours_from_end,
        "theirs_from_end": report.theirs_from_end,
        "rows": report.rows,
        "beyond": dict(report.beyond),
        "ties": dict(report.ties),
        "unloaded": report.unloaded,
        "skipped": report.skipped,
        "seconds": round(time.perf_counter() - start, 1),
    }


def main() -> None:
    """Run the tasks of a part."""
    given = parsed()
    warnings.simplefilter("ignore")
    from conformance.clients.beside import Beside, real_mujoco

    real = real_mujoco()
    import cortenforge.mujoco as ours

    ours.install()
    beside = Beside(real, ours)
    from conformance.clients.tasks import PARTS

    tasks = [(n, run) for n, run in PARTS[given.part]() if given.only in n]
    tasks = [(name, run) for name, run in tasks if name not in given.without]
    print(json.dumps({"tasks": len(tasks)}), flush=True)
    for name, run in tasks:
        print(json.dumps(result(name, run, beside, given.steps)), flush=True)


if __name__ == "__main__":
    main()
