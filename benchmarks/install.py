"""`python -m benchmarks.install WHEEL [--compiled PLAIN]`: starts of a fresh install.

WHEEL carries compiled kernels. A new virtual environment gets it and its dependencies, and no
compiler. Each task is timed in new processes: first with an empty cache, then again with what the
first one cached. PLAIN carries none: its environment gets the extra `compile`, and the first start
compiles. MuJoCo has an environment of its own, and its processes alternate with ours.

Byte code is written by the installer, as for any installed program. Times are of whole processes,
interpreter included: seconds by the clock, and of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.criteria import Criterion, all_met
from benchmarks.machine import ROOT, Neighbours, machine

__all__ = ["criteria", "measure"]

RESULTS = Path(__file__).with_name("results_install.json")
MUJOCO = "mujoco==4.0.0"
#: bytes of a wheel, at most
LARGEST = 15e6
#: the task without a model
IMPORT = "import"
#: run once after each task: nothing was compiled, and nothing that compiles was imported
CHECK = """
import sys
from cortenforge.kernel import cache_info
compilers = [name for name in ("numba", "llvmlite") if name in sys.modules]
assert not compilers and not cache_info()["files"], (compilers, cache_info())
"""
LOAD = """
import cortenforge as cf
from cortenforge import models
model = cf.Model.from_mjcf(models.find({model!r}))
"""
HUMANOID = LOAD.format(model="humanoid")
THEIRS = f"""
import mujoco
model = mujoco.MjModel.from_xml_path({str(ROOT / "cortenforge" / "models" / "humanoid.xml")!r})
data = mujoco.MjData(model)
"""
#: the feet of the humanoid touch the floor
LOWER = "data.qpos[2] -= 0.03\n"
DERIVATIVES = """
import numpy as np
a, b = np.zeros((2 * model.nv, 2 * model.nv)), np.zeros((2 * model.nv, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, False, a, b, None, None)
"""


@dataclass(frozen=True)
class Task:
    """A program, MuJoCo's program that does the same, and limits in seconds by the clock.

    first, second: limits with an empty cache, and of a second start; 0 for none.
    """

    name: str
    program: str
    theirs: str = ""
    first: float = 0.0
    second: float = 0.0


#: the humanoid of `cortenforge/models` stands on a floor, with motors and sensors
TASKS = (
    Task(IMPORT, "import cortenforge", "import mujoco"),
    Task(
        "step of the humanoid",
        HUMANOID + f"data = model.make_data()\n{LOWER}data.step(1)\nassert data.ncon > 0\n",
        THEIRS + f"{LOWER}mujoco.mj_step(model, data)\nassert data.ncon > 0\n",
        first=0.5,
        second=0.35,
    ),
    Task(
        "step of 64 humanoids in a batch",
        HUMANOID + "cf.BatchSim(model, 64).step_all(1)\n",
        first=0.7,
        second=0.45,
    ),
    Task(
        "derivatives of the humanoid",
        HUMANOID + "model.make_data().transition_derivatives()\n",
        THEIRS + DERIVATIVES,
        first=0.7,
        second=0.45,
    ),
    Task(
        "picture of the humanoid, 320 x 240",
        HUMANOID + "model.make_data().render('side', width=320, height=240)\n",
        first=0.7,
        second=0.45,
    ),
    Task(
        "step of a cloth",
        LOAD.format(model="cloth") + "model.make_data().step(1)\n",
        first=0.7,
        second=0.45,
    ),
)


def measure(wheel: Path, plain: Path | None, runs: int) -> dict[str, Any]:
    """Time each task in a new environment, and compilation in another one."""
    neighbours = Neighbours()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        ours = _environment(place / "ours", str(wheel))
        theirs = _environment(place / "theirs", MUJOCO)
        bytes_installed = _size(place / "ours")
        tasks = [_timed_task(task, ours, theirs, place, runs) for task in TASKS]
        found = {
            "machine": machine(),
            "wheel": wheel.name,
            "wheel_bytes": wheel.stat().st_size,
            "installed_bytes": bytes_installed,
            "runs": runs,
            "tasks": tasks,
        }
        if plain is not None:
            found["compiled"] = _timed_compilation(plain, place, runs)
    return found | {"cores_of_other_programs": neighbours.cores()}


def _timed_task(task: Task, ours: Path, theirs: Path, place: Path, runs: int) -> dict[str, Any]:
    """Median times of a task; ours and MuJoCo's processes alternate."""
    _timed(ours, task.program + CHECK, place / "check")
    first, second, mujoco = [], [], []
    for k in range(runs):
        cache = place / f"{task.name} {k}"
        first.append(_timed(ours, task.program, cache))
        second.append(_timed(ours, task.program, cache))
        if task.theirs:
            mujoco.append(_timed(theirs, task.theirs, cache))
    return {
        "name": task.name,
        "first": _medians(first),
        "second": _medians(second),
        "mujoco": _medians(mujoco) if mujoco else None,
    }


def _timed_compilation(plain: Path, place: Path, runs: int) -> dict[str, Any]:
    """Times of a step of the humanoid where kernels are compiled: once, then from the cache."""
    python = _environment(place / "compiling", f"{plain}[compile]")
    program = next(task.program for task in TASKS if "humanoid" in task.name)
    cache = place / "compiled"
    first = _timed(python, program, cache)
    second = _medians([_timed(python, program, cache) for _ in range(runs)])
    size = _size(place / "compiling")
    return {"first": _medians([first]), "second": second, "installed_bytes": size}


def _environment(folder: Path, *wanted: str) -> Path:
    """The interpreter of a new virtual environment with some packages."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())


def _timed(python: Path, program: str, cache: Path) -> tuple[float, float]:
    """Seconds by the clock and of the processor of a process that has a cache of its own."""
    known = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    before, begin = _processor_seconds(), time.perf_counter()
    subprocess.run(
        [python, "-c", program],
        env=known | {"CORTENFORGE_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        cwd=python.parents[2],
        check=True,
    )
    return time.perf_counter() - begin, _processor_seconds() - before


def _processor_seconds() -> float:
    """Seconds of the processor that ended child processes took, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _medians(times: list[tuple[float, float]]) -> dict[str, float]:
    wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
    return {"wall": wall, "cpu": cpu}


def criteria(found: dict[str, Any]) -> Iterator[Criterion]:
    """What a fresh install is held to."""
    yield Criterion("megabytes of the wheel", found["wheel_bytes"] / 1e6, most=LARGEST / 1e6)
    limits = {task.name: task for task in TASKS}
    for row in found["tasks"]:
        if row["name"] == IMPORT:
            most = row["mujoco"]["wall"]
            yield Criterion("seconds of the import", row["first"]["wall"], most=most)
            continue
        limit = limits[row["name"]]
        yield Criterion(f"{row['name']}, first", row["first"]["wall"], most=limit.first)
        yield Criterion(f"{row['name']}, again", row["second"]["wall"], most=limit.second)


def table_of(found: dict[str, Any]) -> Table:
    """Seconds by the clock, and of the processor in brackets."""
    table = Table(title=f"{found['wheel']}, {found['wheel_bytes'] / 1e6:.1f} MB")
    for head in ("seconds (of the processor)", "first start", "second start", "MuJoCo"):
        table.add_column(head)
    compiled = found.get("compiled")
    rows = [*found["tasks"], {"name": "the same, compiled", **compiled}] if compiled else []
    for row in rows or found["tasks"]:
        kinds = (row.get(kind) for kind in ("first", "second", "mujoco"))
        table.add_row(
            row["name"], *(f"{one['wall']:.2f} ({one['cpu']:.2f})" if one else "" for one in kinds)
        )
    return table


def main() -> int:
    """Measure, print, keep the results; exit status 1 when a criterion is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--compiled", type=Path, metavar="PLAIN", help="a wheel without kernels")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    plain = None if given.compiled is None else given.compiled.resolve()
    found = measure(given.wheel.resolve(), plain, given.runs)
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    console = Console()
    console.print(table_of(found))
    console.print(f"other programs used {found['cores_of_other_programs']:.1f} cores")
    return 0 if all_met(list(criteria(found)), console) else 1


if __name__ == "__main__":
    sys.exit(main())
