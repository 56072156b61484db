"""How kernels are written and compiled: one Python source for every target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge.kernel.language.decorator import Kernel, all_kernels, kernel, units
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.values import (
    any_lane,
    bit,
    count_bits,
    floor_real,
    in_lane,
    inertia,
    lane_bits,
    lowest_bit,
    mat3,
    quat,
    select,
    spatial,
    vec3,
    without_lowest,
    world,
    zero_like,
)
from cortenforge.kernel.load.cache import cache_info
from cortenforge.kernel.load.folder import cache_folder

if TYPE_CHECKING:
    from cortenforge.kernel.load.link import Linker

__all__ = [
    "Kernel",
    "Table",
    "all_kernels",
    "any_lane",
    "bit",
    "cache_folder",
    "cache_info",
    "count_bits",
    "every_linker",
    "floor_real",
    "in_lane",
    "inertia",
    "kernel",
    "lane_bits",
    "lowest_bit",
    "mat3",
    "quat",
    "select",
    "spatial",
    "units",
    "vec3",
    "warmup",
    "without_lowest",
    "world",
    "zero_like",
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
    import cortenforge.step.engine  # noqa: F401 - linkers are registered by their import
    from cortenforge.kernel.load.link import linkers

    return linkers()
