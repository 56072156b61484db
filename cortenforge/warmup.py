"""All kernels of the package, compiled ahead of time."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import cortenforge.batch.program
import cortenforge.compile.constants.respond
import cortenforge.compile.mesh.distance
import cortenforge.compile.pack.bvh_build
import cortenforge.derive.linkers
import cortenforge.math.solve
import cortenforge.query.linkers
import cortenforge.render.linkers
import cortenforge.step.engine  # noqa: F401 - linkers are registered by their import
from cortenforge.errors import ArgumentError
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.cache import collecting, holds_unit, unit_key
from cortenforge.kernel.load.folder import prepare, writable
from cortenforge.kernel.load.link import Linker, linkers


def warmup(*, progress: bool = True) -> int:
    """Compile every unit that is not in the cache yet; how many units there are."""
    count = 0
    for linker, needed in every_linker():
        linker.load(needed, progress=progress)
        count += len(needed)
    return count


def warmup_into(
    folder: str | os.PathLike[str],
    *,
    progress: bool = True,
    more: Callable[[], object] | None = None,
) -> int:
    """Have every unit in a folder of one's choice; how many units there are.

    It is read where CORTENFORGE_SHARED_CACHE names it. What the usual cache has is copied, the
    rest is compiled. What `more` reads and makes, such as meshes of models, is kept there, too.
    Raises ArgumentError where the folder cannot be used or written.
    """
    target, count = Path(folder), 0
    problem = prepare(target)
    if problem or not writable(target):
        raise ArgumentError(problem or f"{target} cannot be written")
    with collecting(target):
        for linker, needed in every_linker():
            linker.keep(needed, progress=progress)
            lost = sum(not holds_unit(unit_key(unit, *linker.structs)) for unit in needed)
            if lost:
                raise ArgumentError(f"{target}: {lost} compiled units could not be written")
            count += len(needed)
        if more is not None:
            more()
    return count


def every_linker() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the engine, each with all the units it can load."""
    return linkers()
