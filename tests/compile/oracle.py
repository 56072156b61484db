"""Compile a model with CortenForge and with MuJoCo, and list the fields that differ."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare.difference import SINGLE_PRECISION, SINGLE_UNIT
from cortenforge.compare.hulls import ORDER_DEPENDENT, hull_differences
from cortenforge.compile import compile_spec
from cortenforge.fields import ENGINE, EXTENSION_FIELDS
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.read import read_mjcf

mujoco = pytest.importorskip("mujoco")

TOLERANCE = 1e-10
#: what MuJoCo has no field for
OWN = {field.name for field in ENGINE} | EXTENSION_FIELDS
STATISTICS = ("meaninertia", "meanmass", "meansize", "extent", "center")


def compiled(text: str, assets: dict[str, bytes] | None = None) -> CompiledModel:
    """The model that CortenForge makes of MJCF text."""
    return compile_spec(read_mjcf(text, assets=assets))


def differences(text: str, assets: dict[str, bytes] | None = None) -> list[str]:
    """Fields of the model that are not MuJoCo's."""
    ours = compiled(text, assets)
    return model_differences(ours, mujoco.MjModel.from_xml_string(text, assets or {}))


def model_differences(ours: CompiledModel, theirs) -> list[str]:
    """Fields of a compiled model that are not those of MuJoCo's.

    Of convex hulls only that is compared which does not depend on the order of lists.
    """
    found = [name for name, array in ours.arrays.items() if not _same(name, array, theirs)]
    found += hull_differences(ours.arrays.__getitem__, lambda name: getattr(theirs, name))
    sizes = {name: size for name, size in ours.sizes.items() if name not in OWN}
    found += [name for name, size in sizes.items() if size != getattr(theirs, name)]
    found += [
        f"opt.{name}"
        for name, value in ours.opt.items()
        if f"opt_{name}" not in OWN and not close(value, getattr(theirs.opt, name))
    ]
    found += [
        f"stat.{name}"
        for name in STATISTICS
        if not close(ours.stat[name], getattr(theirs.stat, name))
    ]
    return found


def _same(name: str, array: np.ndarray, theirs) -> bool:
    if name in ORDER_DEPENDENT or name in OWN:
        return True
    reference = getattr(theirs, name)
    if isinstance(reference, bytes):
        return array.tobytes().rstrip(b"\0") == reference.rstrip(b"\0")
    reference = np.asarray(reference)
    kind = np.uint8 if reference.dtype == bool else reference.dtype
    if array.shape != reference.shape or array.dtype != kind:
        return False
    real = np.dtype(kind).kind == "f"
    tolerance = SINGLE_UNIT if name in SINGLE_PRECISION else TOLERANCE
    return close(array, reference, tolerance) if real else np.array_equal(array, reference)


def close(value, reference, tolerance: float = TOLERANCE) -> bool:
    """Equal relative to the largest number of the reference, or to 1 if that is larger."""
    value, reference = np.asarray(value, float), np.asarray(reference, float)
    scale = max(1.0, float(np.max(np.abs(reference), initial=0.0)))
    return value.shape == reference.shape and bool(
        np.all(np.abs(value - reference) <= tolerance * scale)
    )
