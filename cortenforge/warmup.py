"""Ahead-of-time compilation of all kernels of the package."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import cortenforge.batch.program
import cortenforge.compile.constants.inverse_inertia_kernels
import cortenforge.compile.mesh.mesh_distance
import cortenforge.compile.pack.bvh_kernels
import cortenforge.derive.linkers
import cortenforge.query.linkers
import cortenforge.render.linkers
import cortenforge.step.engine  # noqa: F401 - linkers are registered by their import
from cortenforge.errors import ArgumentError, CompilationError
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.cache import cache_collected_in, holds_unit
from cortenforge.kernel.load.folder import prepare, writable
from cortenforge.kernel.load.link import Linker, linkers


def warmup(*, progress: bool = True) -> int:
    """Compile every unit that is not in the cache; returns the number of all units.

    Raises a CompilationError for all units that do not compile, once all others are compiled.
    """
    count = 0
    failures: list[CompilationError] = []
    for linker, needed in every_linker():
        count += len(needed)
        failures += _load_what_compiles(linker, needed, progress=progress)
    if failures:
        listed = "\n".join(str(error) for error in failures)
        raise CompilationError(
            f"{len(failures)} of {count} kernels did not compile; all others are ready\n{listed}"
        )
    return count


def _load_what_compiles(
    linker: Linker, units: list[Kernel], *, progress: bool
) -> list[CompilationError]:
    """Load the units of a linker that compile; returns the errors of the others."""
    failures: list[CompilationError] = []
    while True:
        try:
            linker.load(units, progress=progress)
            return failures
        except CompilationError as error:
            rest = [unit for unit in units if unit.name != error.unit]
            if len(rest) == len(units):
                raise
            layout = " and ".join(struct.name for struct in linker.structs)
            failures.append(CompilationError(f"in the layout {layout}: {error}", error.unit))
            units = rest


def warmup_into(
    folder: str | os.PathLike[str],
    *,
    progress: bool = True,
    more: Callable[[], object] | None = None,
) -> int:
    """Collect every unit in a folder, to be used as CORTENFORGE_SHARED_CACHE; returns their number.

    Units that are in the cache are copied, others compiled. Files that `more` reads or makes, such
    as meshes of models, are collected as well.
    Raises ArgumentError where the folder cannot be used or written.
    """
    target, count = Path(folder), 0
    problem = prepare(target)
    if problem or not writable(target):
        raise ArgumentError(problem or f"{target} cannot be written")
    with cache_collected_in(target):
        for linker, needed in every_linker():
            linker.keep(needed, progress=progress)
            lost = sum(not holds_unit(linker.key(unit)) for unit in needed)
            if lost:
                raise ArgumentError(f"{target}: {lost} compiled units could not be written")
            count += len(needed)
        if more is not None:
            more()
    return count


def every_linker() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the engine, with all units that it can load."""
    return linkers()
