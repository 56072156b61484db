"""The order of a step."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import forward_fields
from cortenforge.enums import Integrator
from tests.step.stages import cases, states

BOTH = pytest.mark.parametrize("integrator", [Integrator.EULER, Integrator.RK4])


@BOTH
@cases("joint_several", "joint_free")
def test_steps_at_once_are_steps_one_by_one(source, integrator):
    """Five steps in one call have the bits of five calls."""
    for both in states(source):
        model, data = both.model, both.data
        model.opt.integrator = int(integrator)
        twin = data.copy()
        data.step(5)
        for _ in range(5):
            twin.step()
        assert data.get_state().vector.tobytes() == twin.get_state().vector.tobytes()


@cases("joint_several", "springdamper")
def test_derived_fields_are_of_the_state_before(source):
    """As MuJoCo's: a step evaluates, then integrates; what it evaluated stays."""
    for both in states(source):
        model, data = both.model, both.data
        names = [f.name for f in forward_fields(model) if f.role == "derived"]
        before = {name: np.array(getattr(data, name)) for name in names}
        data.step()
        for name in names:
            np.testing.assert_array_equal(getattr(data, name), before[name], err_msg=name)


@cases("joint_several")
def test_time_goes_on_by_the_step(source):
    """Added up as MuJoCo adds it."""
    for both in states(source):
        for _ in range(7):
            both.step()
        assert both.data.time == both.theirs.time
