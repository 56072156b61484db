"""How kernels are written and compiled: one Python source for every target.

    kernel   a Python function of a checked subset, marked `@kernel`, on a model m and a data d
    target   what kernels are compiled for: one world on a CPU, worlds in lanes on a CPU (both by
             Numba and LLVM), a GPU (WGSL); and plain Python, for debuggers and small models
    unit     a kernel that is compiled by itself and called through its address; plain kernels are
             compiled into the units that call them. An entry is a unit that Python calls
    world    one simulation: a Data, of one Model; a batch has many
    lane     one element of a SIMD vector. In lane-safe kernels each lane is a world (8, or 4 on
             narrow processors), in loops over `eights` each lane is an element of one world
    group    the worlds that are in lanes together and step in lockstep; also the mark of fields
             that exist for each world and once more for a group
    reach    the units that a model can call: known from source and model before the first step

See docs/kernels.md.
"""

from cortenforge.kernel.language.decorator import Kernel, all_kernels, kernel, units
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.tolerance import Tolerance
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
    "Tolerance",
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
