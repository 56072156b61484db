"""Units by which a step calls functions of the user's.

What they do with a user's functions is held against MuJoCo in tests/model/test_callbacks.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.kernel.language.reach import Reach
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step import callbacks
from cortenforge.step.run import run_steps
from tests.model.callback_kernels import MODEL

CALLS = {
    name: getattr(callbacks, f"call_{name}")
    for name in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias")
}


def reached(model: cf.Model) -> set[str]:
    return {unit.name for unit in Reach(plain_model(model)).follow(run_steps).found(alone=False)}


@pytest.mark.parametrize("name", CALLS)
def test_a_model_reaches_the_units_of_its_callbacks_alone(name):
    """Nothing is loaded, compiled or called for callbacks that are not there."""
    model = cf.Model.from_mjcf(MODEL.format(integrator="RK4", flags=""))
    assert not reached(model) & {unit.name for unit in CALLS.values()}
    numbers = () if name in ("control", "passive") else (0,)
    setattr(model.callbacks, name, lambda model, data, *numbers: None)
    assert reached(model) & {unit.name for unit in CALLS.values()} == {CALLS[name].name}
    assert callbacks.__dict__[name](None, None, *numbers) in (None, 0.0, 1.0)


def test_user_types_without_callbacks():
    """Gain one, bias zero, rates zero: force is the activation, which stays."""
    data = cf.Model.from_mjcf(MODEL.format(integrator="Euler", flags="")).make_data()
    data.act[:] = (0.5, 1.0, 2.0, 3.0)
    data.step()
    np.testing.assert_array_equal(data.act_dot, 0.0)
    np.testing.assert_array_equal(data.act, (0.5, 1.0, 2.0, 3.0))
    np.testing.assert_array_equal(data.actuator_force, (0.5, 3.0))
