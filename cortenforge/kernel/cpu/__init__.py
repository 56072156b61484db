"""Kernels as machine code: what the language is to Numba, and how a unit is compiled."""
