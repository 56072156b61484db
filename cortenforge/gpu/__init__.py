"""Batches on a GPU: the same kernels as WGSL, one thread a world, in f32.

There are no lanes here: a GPU runs a thread for each world, and `select` and `any_lane` are
ordinary expressions of it. What a kernel does is split into shaders by `schedule`, and dispatched
in order.
"""

from cortenforge.errors import (
    BatchTooLarge,
    BufferReadback,
    DeviceLost,
    GpuSimError,
    NotAvailable,
    ShaderCompilation,
)
from cortenforge.gpu.batch import GpuBatchSim
from cortenforge.gpu.context import GpuSimContext
from cortenforge.gpu.features import UnsupportedFeature

__all__ = [
    "BatchTooLarge",
    "BufferReadback",
    "DeviceLost",
    "GpuBatchSim",
    "GpuSimContext",
    "GpuSimError",
    "NotAvailable",
    "ShaderCompilation",
    "UnsupportedFeature",
]
