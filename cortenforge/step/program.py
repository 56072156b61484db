"""The compiled step: one linker for the engine's two structs."""

from __future__ import annotations

from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel import units
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.step import momentum, pipeline  # noqa: F401 - every kernel is registered by its import


@registered(units)
def linker() -> Linker:
    """Loads and compiles the units of a step."""
    return Linker(MODEL_LAYOUT, DATA_LAYOUT)
