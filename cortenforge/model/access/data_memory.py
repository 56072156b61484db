"""Where the fields of a Data stand in memory: planned once for all Data of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge.fields import Field
from cortenforge.model.access.store import StorePlan
from cortenforge.step.sleeping.sleep_constants import FULLY_AWAKE

if TYPE_CHECKING:
    from cortenforge.model.model import Model
    from cortenforge.step.engine import Engine

#: fields in front, one after another: a step keeps the state, and state vectors have inputs, too
FRONT_ROLES = {"state": 1, "input": 2}


def data_plan(model: Model, engine: Engine) -> StorePlan:
    """Where the fields of every Data of a model stand."""
    plan = model._plans.get(engine)
    if plan is None:
        plan = model._plans[engine] = StorePlan(
            engine.fields,
            engine.layout,
            model._store.sizes,
            in_front=lambda field: FRONT_ROLES.get(field.role, 0),
            survives_reset=survives_reset,
            capacities=engine.capacities,
        )
        plan.initial_values("tree_asleep")[...] = FULLY_AWAKE
        plan.initial_values("xquat")[:1, 0] = 1.0
    return plan


def survives_reset(field: Field) -> bool:
    """Whether a reset leaves a field: scratch that calls write before they read it."""
    is_scratch = field.role == "scratch" and not field.marks & {"kept", "shown", "alias"}
    return is_scratch or "lasting" in field.marks
