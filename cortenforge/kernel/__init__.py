"""How kernels are written and compiled: one Python source for every target."""

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
from cortenforge.kernel.load.cache import cache_folder, cache_info

__all__ = [
    "Kernel",
    "Table",
    "all_kernels",
    "any_lane",
    "bit",
    "cache_folder",
    "cache_info",
    "count_bits",
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
    from cortenforge.batch.program import lane_linker, lane_units
    from cortenforge.compile.pack.bvh_build import grow_trees, tree_linker
    from cortenforge.step.program import linker

    single, lanes = units(), lane_units()
    linker().load(single, progress=progress)
    lane_linker().load(lanes, progress=progress)
    tree_linker().load([grow_trees], progress=progress)
    return len(single) + len(lanes) + 1
