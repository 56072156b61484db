"""How kernels are written and compiled: one Python source for every target."""

from cortenforge.kernel.language.decorator import Kernel, all_kernels, kernel, units
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.values import (
    any_lane,
    bit,
    count_bits,
    eights,
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

__all__ = [
    "Kernel",
    "Table",
    "all_kernels",
    "any_lane",
    "bit",
    "cache_folder",
    "cache_info",
    "count_bits",
    "eights",
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
    "without_lowest",
    "world",
    "zero_like",
]
