"""`python -m benchmarks.install WHEEL`: a fresh install, from its first process on.

A new virtual environment gets the wheel and its dependencies and nothing else: no compiler. Each
task runs in processes of its own with an empty cache, then again with what the first one cached.
Byte code is written by the installer and by one import beforehand, as for any installed program.
Times are medians of whole processes, interpreter included; `bare` is an interpreter that imports
NumPy and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["TASKS", "Task", "measure"]

RESULTS = Path(__file__).with_name("results_install.json")
#: names of modules that compile: a task that imports them compiled something
COMPILERS = ("numba", "llvmlite")
CHECK = """
import sys
from cortenforge.kernel import cache_info
compilers = [name for name in ("numba", "llvmlite") if name in sys.modules]
assert not compilers and not cache_info()["files"], (compilers, cache_info())
"""
HUMANOID = """
import cortenforge as cf
from cortenforge import models
model = cf.Model.from_mjcf(models.find("humanoid"))
"""
#: the humanoid stands on a floor, with contacts, motors and sensors
TASKS = {
    "humanoid": HUMANOID + "data = model.make_data()\ndata.step(1)\nassert data.ncon > 0\n",
    "BatchSim of 64": HUMANOID + "cf.BatchSim(model, 64).step_all(1)\n",
    "render 320x240": HUMANOID + "model.make_data().render('side', width=320, height=240)\n",
    "derivatives": HUMANOID + "model.make_data().transition_derivatives()\n",
    "cloth": (
        "import cortenforge as cf\nfrom cortenforge import models\n"
        "cf.Model.from_mjcf(models.find('cloth')).make_data().step(1)\n"
    ),
}


@dataclass(frozen=True)
class Task:
    """Median seconds of whole processes: with an empty cache, and with what was cached then."""

    name: str
    first: float
    second: float


def measure(wheel: Path, runs: int) -> dict[str, object]:
    """Install a wheel into a new environment and time each task there."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = _environment(place / "venv", wheel)
        before = _size(place / "venv")
        _run(python, HUMANOID, place / "warm")
        tasks = []
        for name, program in TASKS.items():
            # checked once, outside of what is timed: nothing is compiled
            _run(python, program + CHECK, place / f"check {name}")
            first = [_run(python, program, place / f"{name} {k}") for k in range(runs)]
            second = [_run(python, program, place / f"{name} {k}") for k in range(runs)]
            tasks.append(Task(name, statistics.median(first), statistics.median(second)))
        bare = statistics.median(_run(python, "import numpy", place / "bare") for _ in range(runs))
    return {
        "wheel": wheel.name,
        "wheel_bytes": wheel.stat().st_size,
        "installed_bytes": before,
        "python": sys.version.split()[0],
        "bare": bare,
        "tasks": [asdict(task) for task in tasks],
    }


def _environment(folder: Path, wheel: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    for name in COMPILERS:
        found = subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False)
        assert found.returncode, f"{name} is installed: this would not be a fresh install"
    return python


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())


def _run(python: Path, program: str, cache: Path) -> float:
    """Seconds of a process that has a cache folder of its own."""
    known = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    begin = time.perf_counter()
    subprocess.run(
        [python, "-c", program],
        env=known | {"CORTENFORGE_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        cwd=python.parents[2],
        check=True,
    )
    return time.perf_counter() - begin


def main() -> int:
    """Measure, print a table, and keep the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    found = measure(given.wheel.resolve(), given.runs)
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
