"""The index of units: what a model reaches is stored, and found again."""

from __future__ import annotations

import cortenforge as cf
from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel.load.unit_index import UnitIndex
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE
from cortenforge.step.forward import forward_kinematics


def test_what_one_model_reaches_is_not_what_any_model_does():
    """An entry of a model is not used where a unit is linked for any model, and the reverse."""
    index = UnitIndex((MODEL_LAYOUT, DATA_LAYOUT))
    body = '<body><joint/><geom size=".1"/></body>'
    model = plain_model(cf.Model.from_mjcf(f"<mujoco><worldbody>{body}</worldbody></mujoco>"))
    some = ENGINE.linker.reach([forward_kinematics], model).found(alone=False)
    index.add_reach(forward_kinematics, model, {"ncam", "nlight"}, some, [])
    assert index.reached(forward_kinematics, model) == (some, [])
    assert index.reached(forward_kinematics, None) is None
    every = ENGINE.linker.reach([forward_kinematics]).found(alone=False)
    index.add_reach(forward_kinematics, None, set(), every, [])
    assert index.reached(forward_kinematics, None) == (every, [])
    assert len(every) > len(some)
