"""A step takes no memory, Python's or Numba's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.subjects import subjects

ROOT = Path(__file__).parents[2]


def test_steps_do_not_allocate() -> None:
    """002-S3, 000.2-AC6: 500 steps of each subject of the benchmarks take no memory.

    In a process of its own: Python counts objects of all threads, and a worker of tests has some.
    """
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.allocation", "--steps", "500"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    taken = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["subject"] for one in taken] == [subject.name for subject in subjects()], done
    for one in taken:
        assert one["steps"] >= 500
        assert not (one["python_growth"] or one["python_peak"] or one["numba_allocations"]), one
    assert done.returncode == 0, done.stderr
