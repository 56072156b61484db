"""Semi-implicit Euler: new velocity first, then position with it."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import step_fields
from cortenforge.enums import Disable
from tests.laws.mechanics import dense_inertia
from tests.step.stages import cases, states, written_by

MODELS = ("joint_several", "joint_free", "springdamper", "damping_explicit", "flags_off")


@cases(*MODELS)
def test_fields_are_mujocos(source):
    """The next state; where damping is implicit, the factor of M with damping, too."""
    for both in states(source):
        both.step()
        both.assert_equal(*step_fields(), *written_by("step.integrate.euler"))


@cases("joint_several", "springdamper")
def test_damping_is_taken_implicitly(source):
    """(M + h B) a = f, solved densely; positions move along the new velocity."""
    for both in states(source):
        model, data = both.model, both.data
        model.opt.disableflags &= ~int(Disable.EULERDAMP | Disable.DAMPER)
        data.forward()
        h, speed = model.opt.timestep, np.abs(data.qvel)
        slope = model.dof_damping + speed * (
            2 * model.dof_dampingpoly[:, 0] + 3 * speed * model.dof_dampingpoly[:, 1]
        )
        M = dense_inertia(model, data) + h * np.diag(slope)
        expected = data.qvel + h * np.linalg.solve(M, data.qfrc_smooth)
        start = data.qpos.copy()
        data.step()
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(data.qvel, expected, atol=1e-11 * size)
        moved = model.integrate_pos(start, data.qvel, h)
        np.testing.assert_allclose(data.qpos, moved, rtol=1e-15, atol=1e-15)


@cases("springdamper")
def test_damping_is_taken_explicitly_on_request(source):
    """With eulerdamp off a step is v + h a, with the acceleration of forward."""
    for both in states(source):
        model, data = both.model, both.data
        model.opt.disableflags |= int(Disable.EULERDAMP)
        expected = data.qvel + model.opt.timestep * data.qacc
        data.step()
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(data.qvel, expected, atol=1e-13 * size)


ACTUATORS = """<mujoco><worldbody><body><joint name="j" damping="{} 1 2"/><geom size=".1"
pos=".3 0 0"/><body pos=".3 0 0"><joint name="k"/><geom size=".1" pos=".1 .1 0"/></body></body>
</worldbody><actuator><motor joint="j" damping="2 .3 .4" gear="1.5"/>
<motor joint="{}" armature=".1"/></actuator></mujoco>"""


@pytest.mark.parametrize("source", [ACTUATORS.format("0", "k"), ACTUATORS.format("3", "j")])
def test_damping_of_actuators_is_taken_implicitly(source):
    """With that of their joints, or alone."""
    for both in states(source):
        both.step()
        both.assert_equal(*step_fields(), *written_by("step.integrate.euler"))
