"""The index of units: what is stored of a model does not answer for any model."""

from __future__ import annotations

import cortenforge as cf
from cortenforge.kernel.load.unit_index import UnitIndex
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.models import find
from cortenforge.step.engine import ENGINE
from cortenforge.step.forward import forward_kinematics


def test_units_of_any_model_and_of_one_are_stored_apart():
    """Both with fields and without, in either order."""
    unit = forward_kinematics
    model = plain_model(cf.Model.from_mjcf(find("pendulum")))
    for asked in ({"ncam"}, set()):
        index = UnitIndex(ENGINE.linker.structs)
        index.add_reach(unit, model, asked, [unit], [])
        assert index.reached(unit, model) == ([unit], [])
        assert index.reached(unit, None) is None
        index.add_reach(unit, None, set(), [unit], [unit])
        assert index.reached(unit, None) == ([unit], [unit])
        assert index.reached(unit, model) == ([unit], [])
