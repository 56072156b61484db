"""How kernels are written and compiled: one Python source for every target."""

from .cache import cache_folder, cache_info
from .decorator import Kernel, all_kernels, kernel, units
from .values import any_lane, floor_real, inertia, mat3, quat, select, spatial, vec3

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
    from ..batch.program import lane_linker, lane_units
    from ..compile.bvh_build import grow_trees, tree_linker
    from ..step.program import linker

    single, lanes = units(), lane_units()
    linker().load(single, progress=progress)
    lane_linker().load(lanes, progress=progress)
    tree_linker().load([grow_trees], progress=progress)
    return len(single) + len(lanes) + 1
