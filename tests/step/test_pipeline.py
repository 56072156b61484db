"""The order of a step."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import forward_fields, mujoco_module
from cortenforge.enums import Integrator
from cortenforge.errors import InvalidAcceleration, InvalidPosition
from tests.step.stages import cases, field, pair, states

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


@cases("joint_several", "sensors_smooth")
def test_two_halves_are_a_step(source):
    """Bit for bit, and with controls that are set between the halves, as in MuJoCo."""
    for both in states(source):
        model, data, twin = both.model, both.data, both.data.copy()
        model.opt.integrator = both.reference.opt.integrator = int(Integrator.EULER)
        for _ in range(2):
            data.step()
            twin.step1()
            twin.step2()
            assert data.get_state().vector.tobytes() == twin.get_state().vector.tobytes()
            assert data.sensordata.tobytes() == twin.sensordata.tobytes()
        assert twin.steps_done == 1
        both.theirs.qpos[:], both.theirs.qvel[:] = data.qpos, data.qvel
        if model.na:
            both.theirs.act[:] = data.act
        both.theirs.time = data.time
        mujoco_module().mj_step1(both.reference, both.theirs)
        data.step1()
        both.theirs.ctrl[:] = data.ctrl[:] = 0.3
        mujoco_module().mj_step2(both.reference, both.theirs)
        data.step2()
        both.assert_equal(*(field(name) for name in ("qpos", "qvel", "act", "sensordata")))


@cases("joint_several", "sensors_smooth")
def test_halves_with_rk4_are_a_step_of_euler(source):
    """As in MuJoCo: damping of joints is implicit in them; bit for bit those of Euler's method."""
    for both in states(source):
        twin = both.model.copy().make_data()
        twin.set_state(both.data.get_state())
        twin.model.opt.integrator = int(Integrator.EULER)
        both.model.opt.integrator = both.reference.opt.integrator = int(Integrator.RK4)
        both.theirs.qacc_warmstart[:] = both.data.qacc_warmstart
        for _ in range(2):
            mujoco_module().mj_step1(both.reference, both.theirs)
            mujoco_module().mj_step2(both.reference, both.theirs)
            for data in (both.data, twin):
                data.step1()
                data.step2()
        names = ("time", "qpos", "qvel", "act", "history", "qH", "qHDiagInv", "sensordata")
        both.assert_equal(*(field(name) for name in names))
        assert both.data.get_state().vector.tobytes() == twin.get_state().vector.tobytes()


def test_a_half_that_fails_says_so():
    """Positions that are none, before anything else; accelerations, with the state kept."""
    data = pair("joint_several").data
    data.qpos[0] = np.nan
    with pytest.raises(InvalidPosition):
        data.step1()
    data.reset()
    data.step1()
    data.qfrc_applied[0] = np.nan
    before = data.get_state().vector.tobytes()
    with pytest.raises(InvalidAcceleration):
        data.step2()
    assert data.get_state().vector.tobytes() == before and data.steps_done == 0
