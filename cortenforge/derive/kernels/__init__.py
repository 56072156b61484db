"""Kernels of the linearised equations of a step: partials of forces, assembly, solving."""
