"""Batches on a GPU: the same kernels as WGSL, one thread a world, in f32."""

from ..errors import (
    BatchTooLarge,
    BufferReadback,
    DeviceLost,
    GpuSimError,
    NotAvailable,
    ShaderCompilation,
)
from .batch import GpuBatchSim, UnsupportedFeature
from .context import GpuSimContext

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
