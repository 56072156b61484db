"""How kernels are written and compiled: one Python source for every target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge.kernel.language.decorator import Kernel, all_kernels, kernel, units
from cortenforge.kernel.language.values import (
    any_lane,
    floor_real,
    inertia,
    mat3,
    quat,
    select,
    spatial,
    vec3,
)
from cortenforge.kernel.load.cache import cache_info
from cortenforge.kernel.load.folder import cache_folder

if TYPE_CHECKING:
    from cortenforge.kernel.load.link import Linker

__all__ = [
    "Kernel",
    "all_kernels",
    "any_lane",
    "cache_folder",
    "cache_info",
    "every_linker",
    "floor_real",
    "inertia",
    "kernel",
    "mat3",
    "quat",
    "select",
    "spatial",
    "units",
    "vec3",
    "warmup",
]


def warmup(*, progress: bool = True) -> int:
    """Compile every unit that is not in the cache yet; how many units there are."""
    count = 0
    for linker, needed in every_linker():
        linker.load(needed, progress=progress)
        count += len(needed)
    return count


def every_linker() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the engine, each with all the units it can load."""
    import cortenforge.batch.program
    import cortenforge.compile.mesh.distance
    import cortenforge.compile.pack.bvh_build
    import cortenforge.math.solve
    import cortenforge.step.program  # noqa: F401 - linkers are registered by their import
    from cortenforge.kernel.load.link import linkers

    return linkers()
