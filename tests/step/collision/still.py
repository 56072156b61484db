"""A step that finds contacts and does not move, for worlds in lockstep."""

from __future__ import annotations

from cortenforge.batch.program import lane_linker
from cortenforge.fields import CAPACITIES, DATA_FIELDS
from cortenforge.kernel import any_lane, kernel
from cortenforge.kernel.load.link import Linker
from cortenforge.step.engine import Engine
from cortenforge.step.forward import forward_collision
from cortenforge.step.pipeline import restore_if_failed, store_state
from cortenforge.step.status import is_ok


@kernel(lanes=True, unit=True)
def still_step(m, d):
    """Place everything and find contacts."""
    store_state(m, d)
    if any_lane(is_ok(d)):
        forward_collision(m, d)
    restore_if_failed(m, d)


ENGINE = Engine(
    "StillData", DATA_FIELDS, CAPACITIES, step=still_step, home=f"{__name__}:ENGINE.linker"
)


def lanes() -> Linker:
    """Its units for worlds in lockstep, which workers find here."""
    return lane_linker(ENGINE, False)


lanes().home = f"{__name__}:lanes"
