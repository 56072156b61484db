"""All kernels of the package, compiled ahead of time."""

from __future__ import annotations

import cortenforge.batch.program
import cortenforge.compile.constants.respond
import cortenforge.compile.mesh.distance
import cortenforge.compile.pack.bvh_build
import cortenforge.derive.linkers
import cortenforge.query.linkers
import cortenforge.render.linkers
import cortenforge.step.engine  # noqa: F401 - linkers are registered by their import
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Linker, linkers


def warmup(*, progress: bool = True) -> int:
    """Compile every unit that is not in the cache yet; how many units there are."""
    count = 0
    for linker, needed in every_linker():
        linker.load(needed, progress=progress)
        count += len(needed)
    return count


def every_linker() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the engine, each with all the units it can load."""
    return linkers()
