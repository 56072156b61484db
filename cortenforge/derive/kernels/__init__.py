"""Kernels of derivations: the equations of a step, put up and solved."""
