"""Batches on a GPU: the same kernels as WGSL, one thread a world, in f32."""

from cortenforge.errors import (
    BatchTooLarge,
    BufferReadback,
    DeviceLost,
    GpuSimError,
    NotAvailable,
    ShaderCompilation,
)
from cortenforge.gpu.batch import GpuBatchSim, UnsupportedFeature
from cortenforge.gpu.context import GpuSimContext

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
