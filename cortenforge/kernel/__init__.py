"""How kernels are written and compiled: one Python source for every target."""

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
from cortenforge.kernel.load.cache import cache_folder, cache_info

__all__ = [
    "Kernel",
    "all_kernels",
    "any_lane",
    "cache_folder",
    "cache_info",
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
    from cortenforge.batch.program import lane_linker, lane_units
    from cortenforge.compile.pack.bvh_build import grow_trees, tree_linker
    from cortenforge.step.program import linker

    single, lanes = units(), lane_units()
    linker().load(single, progress=progress)
    lane_linker().load(lanes, progress=progress)
    tree_linker().load([grow_trees], progress=progress)
    return len(single) + len(lanes) + 1
