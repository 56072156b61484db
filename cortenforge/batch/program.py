"""The compiled step of eight worlds."""

from __future__ import annotations

import functools

from ..fields import MODEL_LAYOUT
from ..kernel import Kernel
from ..kernel.decorator import units_of
from ..kernel.link import Linker
from . import lockstep
from .layout import LANE_LAYOUT


@functools.cache
def lane_linker() -> Linker:
    """Loads and compiles the units of a step for lanes."""
    return Linker(MODEL_LAYOUT, LANE_LAYOUT, "cortenforge.batch.program:lane_linker")


def lane_units() -> list[Kernel]:
    """Every unit that stepping eight worlds can reach."""
    entries = (lockstep.step_groups, lockstep.forward_groups)
    reached = {unit.name: unit for entry in entries for unit in units_of(entry, lazy=True)}
    return list(reached.values())
