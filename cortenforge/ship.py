"""`python -m cortenforge.ship`: compile all units for common processors, as images for wheels.

There is one image for each pair of structs and target; `kernel.load.shipped` loads it. Wheels of a
platform contain images, so that users need no compiler. Object files are kept in a work folder: an
interrupted run can be continued, and unchanged units are not compiled again.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cortenforge.errors import ArgumentError
from cortenforge.kernel import Kernel
from cortenforge.kernel.cpu.compile import Compiler
from cortenforge.kernel.cpu.elf import ObjectFile
from cortenforge.kernel.cpu.link_objects import link_objects
from cortenforge.kernel.cpu.linked_code import LinkedCode
from cortenforge.kernel.cpu.symbols import function_name
from cortenforge.kernel.cpu.targets import SHIPPED, Target
from cortenforge.kernel.language.decorator import kernel_named
from cortenforge.kernel.language.layout import LANES, StructLayout
from cortenforge.kernel.language.processor import fuses_products
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.kernel.load.image import write_image
from cortenforge.kernel.load.link import Linker, linker_at, linkers
from cortenforge.kernel.load.quick import IMAGE_NAME, compiled_shim
from cortenforge.kernel.load.shipped import (
    DESCRIPTION,
    FOLDER,
    IMAGE,
    image_name,
    made_for,
    write_description,
)
from cortenforge.kernel.load.unit_index import UnitIndex
from cortenforge.kernel.load.workers import code_size
from cortenforge.load import load_model
from cortenforge.model import Model
from cortenforge.models import find
from cortenforge.warmup import every_linker, reached_by

#: folder of object files, relative to the working directory
WORK = Path("build") / "units"
#: a compiling process exits after this many units: Numba and LLVM keep ten megabytes of each
MOST_UNITS = 100


@dataclass(frozen=True)
class Task:
    """A unit to be compiled for some targets, with the home of its linker."""

    home: str
    unit: str
    targets: tuple[str, ...]
    work: Path


def ship(
    targets: Sequence[Target],
    *,
    only: Iterable[Model] = (),
    pairs: Iterable[str] = (),
    out: Path = FOLDER,
    work: Path = WORK,
    jobs: int = 1,
) -> list[Path]:
    """Make images for targets with this process's number of lanes; returns their descriptions.

    only: models; units that are not reached with any of them are left out.
    pairs: names of images, such as "Model+Data"; without them, all.
    """
    wrong = [target.name for target in targets if target.lanes != LANES]
    if wrong or not fuses_products():
        raise ArgumentError(
            f"{', '.join(wrong) or 'images'} cannot be made in a process of {LANES} lanes on a "
            "processor that " + ("fuses" if fuses_products() else "does not fuse") + " products"
        )
    every = linkers(functools.partial(reached_by, list(only))) if only else every_linker()
    chosen = [
        (linker, units)
        for linker, units in every
        if units and (not pairs or image_name(*linker.structs) in set(pairs))
    ]
    names = tuple(target.name for target in targets)
    tasks = [
        Task(linker.home, unit.name, names, work) for linker, units in chosen for unit in units
    ]
    _compile(tasks, jobs)
    made = [
        _write_pair(linker, units, target, out, work)
        for target in targets
        for linker, units in chosen
    ]
    return made + [_write(out, target, IMAGE_NAME, (), compiled_shim(target)) for target in targets]


# ---------------------------------------------------------------------- objects


def _compile(tasks: list[Task], jobs: int) -> None:
    """Compile missing object files, in processes that exit after MOST_UNITS units."""
    # units of a pair together: what they share is translated once in a process
    tasks = sorted((task for task in tasks if _missing(task)), key=_pair_and_size)
    spawned = multiprocessing.get_context("spawn")
    if len(tasks) < MOST_UNITS // 10:
        for task in tasks:
            _compile_unit(task)
        return
    with spawned.Pool(jobs, maxtasksperchild=MOST_UNITS) as pool:
        for count, name in enumerate(pool.imap_unordered(_compile_unit, tasks), 1):
            print(f"\r{count} of {len(tasks)}  {name:<60.60}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _pair_and_size(task: Task) -> tuple[str, int]:
    return task.home, -code_size(kernel_named(task.unit))


def _missing(task: Task) -> list[Target]:
    linker, unit = linker_at(task.home), kernel_named(task.unit)
    every = [SHIPPED[name] for name in task.targets]
    return [one for one in every if not _object_file(linker, unit, one, task.work).exists()]


def _object_file(linker: Linker, unit: Kernel, target: Target, work: Path) -> Path:
    return work / target.name / f"{linker.key(unit)}.o"


@functools.cache
def _compiler_at(home: str) -> Compiler:
    return Compiler(*linker_at(home).structs)


def _compile_unit(task: Task) -> str:
    """Write the missing object files of a unit; Numba translates it once for all targets."""
    linker, unit, targets = linker_at(task.home), kernel_named(task.unit), _missing(task)
    objects = _compiler_at(task.home).objects(unit, targets)
    for target, content in zip(targets, objects, strict=True):
        file = _object_file(linker, unit, target, task.work)
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(content)
        unfinished.replace(file)
    return task.unit


# ---------------------------------------------------------------------- images


def _write_pair(linker: Linker, units: list[Kernel], target: Target, out: Path, work: Path) -> Path:
    """Link the units of a pair of structs, and write the image."""
    objects = {unit.name: _object_file(linker, unit, target, work).read_bytes() for unit in units}
    by_function = {function_name(unit): objects[unit.name] for unit in units}
    linked = link_objects(by_function, arm=target.is_arm, page=target.page)
    name = image_name(*linker.structs)
    return _write(out, target, name, linker.structs, linked, objects)


def _write(
    out: Path,
    target: Target,
    name: str,
    structs: tuple[StructLayout, ...],
    linked: LinkedCode,
    objects: dict[str, bytes] | None = None,
) -> Path:
    """Write an image and the file that describes it; returns the path of the latter."""
    file = out / target.name / (name + DESCRIPTION)
    file.parent.mkdir(parents=True, exist_ok=True)
    numbers = {word: number for number, word in enumerate(linked.layout.words)}
    index, slots = UnitIndex(structs), {}
    for unit, content in (objects or {}).items():
        index.add(kernel_named(unit))
        outside = [one.name for one in ObjectFile(content).symbols if one.section == 0]
        slots[unit] = [numbers[one] for one in outside if "." in one and one in numbers]
    described = {
        **made_for(file, structs),
        "sha256": write_image(file.with_suffix(IMAGE), linked),
        "layout": linked.layout.described(),
        "slots": slots,
        "index": index.content(),
    }
    write_description(file, described)
    return file


# ---------------------------------------------------------------------- command


def main() -> None:
    """Run the command: make images, in one process for each number of lanes."""
    parser = argparse.ArgumentParser(prog="python -m cortenforge.ship", description=__doc__)
    known = ", ".join(name + ("" if t.tried else " (untried)") for name, t in SHIPPED.items())
    parser.add_argument("--target", action="append", choices=SHIPPED, help=known)
    parser.add_argument("--only", nargs="+", default=[], metavar="MODEL", help="units of models")
    parser.add_argument("--pairs", nargs="+", default=[], help="images, such as Model+Data")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where images are written")
    parser.add_argument("--work", type=Path, default=WORK, help="where object files are kept")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes that compile")
    given = parser.parse_args()
    targets = [SHIPPED[name] for name in given.target or ("x86-64-v3", "x86-64-v4", "aarch64")]
    for lanes in sorted({target.lanes for target in targets} - {LANES}):
        others = [target.name for target in targets if target.lanes == lanes]
        _again_with(lanes, others)
    here = [target for target in targets if target.lanes == LANES]
    if here:
        made = ship(
            here,
            only=[load_model(find(model)) for model in given.only],
            pairs=given.pairs,
            out=given.out,
            work=given.work,
            jobs=given.jobs,
        )
        total = sum(file.with_suffix(IMAGE).stat().st_size for file in made)
        print(f"{len(made)} images, {total / 1e6:.1f} MB, in {given.out}")


def _again_with(lanes: int, targets: list[str]) -> None:
    """Run this command for some targets in a new process with their number of lanes."""
    rest, arguments = [], iter(sys.argv[1:])
    for argument in arguments:
        if argument == "--target":
            next(arguments)
        elif not argument.startswith("--target="):
            rest.append(argument)
    chosen = [part for name in targets for part in ("--target", name)]
    environment = {**os.environ, "CORTENFORGE_LANES": str(lanes)}
    command = [sys.executable, "-m", "cortenforge.ship", *rest, *chosen]
    subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
