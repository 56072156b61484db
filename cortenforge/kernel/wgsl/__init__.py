"""Kernels as WGSL: the same source, in f32, one thread a world, on any GPU."""

from .layout import WORKGROUP, BufferLayout, Place
from .module import Module, translate
from .source import Fragment, whole

__all__ = ["WORKGROUP", "BufferLayout", "Fragment", "Module", "Place", "translate", "whole"]
