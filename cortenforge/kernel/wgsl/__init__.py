"""Kernels as WGSL: the same source, in f32, one thread a world, on any GPU."""

from cortenforge.kernel.wgsl.layout import WORKGROUP, BufferLayout, Place
from cortenforge.kernel.wgsl.module import COUNTERS, Module, translate
from cortenforge.kernel.wgsl.source import Fragment, whole

__all__ = [
    "COUNTERS",
    "WORKGROUP",
    "BufferLayout",
    "Fragment",
    "Module",
    "Place",
    "translate",
    "whole",
]
