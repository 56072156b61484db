"""Compare meshes with MuJoCo's, leaving out what is a matter of order.

`cortenforge.compare.hulls` says what that is.  Single-precision arrays may differ in their last
bit, because sums run in another order.
"""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare.hulls import ORDERED, SINGLE, hull_differences
from cortenforge.compile import CompiledModel, compile_spec
from cortenforge.read import read_mjcf

mujoco = pytest.importorskip("mujoco")

REAL = 1e-9


def mesh_differences(text: str, assets: dict[str, bytes] | None = None) -> list[str]:
    """Fields of a model with meshes that are not MuJoCo's."""
    ours = compile_spec(read_mjcf(text, assets=assets))
    theirs = mujoco.MjModel.from_xml_string(text, assets or {})
    return array_differences(ours, theirs) + hulls(ours, theirs)


def array_differences(ours: CompiledModel, theirs) -> list[str]:
    """Names of arrays and sizes that differ."""
    found = []
    for name, array in ours.arrays.items():
        reference = getattr(theirs, name)
        if name in ORDERED or isinstance(reference, bytes):
            continue
        reference = np.asarray(reference)
        if array.shape != reference.shape:
            found.append(f"{name}: shape {array.shape}, not {reference.shape}")
            continue
        scale = max(1.0, float(np.max(np.abs(reference), initial=0.0)))
        limit = {"float32": SINGLE, "float64": REAL}.get(str(array.dtype), 0.0) * scale
        error = np.abs(array.astype(float) - reference.astype(float))
        if not np.all(error <= limit):
            found.append(f"{name}: {np.max(error):.1e}")
    found += [name for name, size in ours.sizes.items() if size != getattr(theirs, name)]
    return found


def hulls(ours: CompiledModel, theirs) -> list[str]:
    """What differs of the convex hulls, whatever their order."""
    return hull_differences(ours.arrays.__getitem__, lambda name: getattr(theirs, name))
