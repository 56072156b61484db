"""A step that finds contacts and does not move, for worlds in lockstep."""

from __future__ import annotations

from cortenforge.batch.program import lane_linker
from cortenforge.fields import CAPACITIES, DATA_FIELDS
from cortenforge.kernel import any_lane, kernel
from cortenforge.kernel.load.link import Linker
from cortenforge.step.engine import Engine
from cortenforge.step.forward import touch
from cortenforge.step.pipeline import keep_state, settle
from cortenforge.step.status import well


@kernel(lanes=True, unit=True)
def still_step(m, d):
    """Place everything and find contacts."""
    keep_state(m, d)
    if any_lane(well(d)):
        touch(m, d)
    settle(m, d)


ENGINE = Engine(
    "StillData", DATA_FIELDS, CAPACITIES, step=still_step, home=f"{__name__}:ENGINE.linker"
)


def lanes() -> Linker:
    """Its units for worlds in lockstep, which workers find here."""
    return lane_linker(ENGINE, False)


lanes().home = f"{__name__}:lanes"
