"""The compiled step of eight worlds."""

from __future__ import annotations

from cortenforge.batch import lockstep
from cortenforge.batch.layout import LANE_LAYOUT
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.decorator import units_of
from cortenforge.kernel.load.link import Linker, registered


def lane_units() -> list[Kernel]:
    """Every unit that stepping eight worlds can reach."""
    entries = (lockstep.step_groups, lockstep.forward_groups)
    reached = {unit.name: unit for entry in entries for unit in units_of(entry, lazy=True)}
    return list(reached.values())


@registered(lane_units)
def lane_linker() -> Linker:
    """Loads and compiles the units of a step for lanes."""
    return Linker(MODEL_LAYOUT, LANE_LAYOUT)
