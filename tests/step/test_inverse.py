"""Inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.enums import Enable, Integrator
from cortenforge.errors import UnsupportedFeature
from cortenforge.step.inverse import compare_forward_inverse
from tests.step.borrowed import borrow, take
from tests.step.solve.test_constraint_update import EVERYTHING
from tests.step.stages import STATES, cases, field, one, pair

SMOOTH = cases("tendons", "tree_branching", "joint_free", "springdamper")


@SMOOTH
def test_force_is_mujocos(source):
    """For accelerations of any size, whatever they came from; sensors and energy included."""
    both, rng = pair(source), np.random.default_rng(3)
    for _ in range(STATES):
        both.write(rng)
        wanted = rng.normal(size=both.model.nv)
        both.data.qacc[:] = both.theirs.qacc[:] = wanted
        both.data.inverse()
        mujoco_module().mj_inverse(both.reference, both.theirs)
        both.assert_equal(field("qfrc_inverse"), field("sensordata"), field("energy"))
        np.testing.assert_array_equal(both.data.qacc, wanted)


@SMOOTH
def test_forward_then_inverse_gives_the_applied_force(source):
    """What users apply, and what actuators do, comes back."""
    both, rng = pair(source), np.random.default_rng(4)
    data = both.data
    both.write(rng)
    data.qfrc_applied[:] = rng.normal(size=both.model.nv)
    data.xfrc_applied[:] = 0
    data.forward()
    expected = data.qfrc_applied + data.qfrc_actuator
    data.inverse()
    size = 1 + np.abs(data.qfrc_bias).max(initial=0)
    np.testing.assert_allclose(data.qfrc_inverse, expected, rtol=0, atol=1e-10 * size)


def test_weight():
    """A body held still takes its weight; one that falls takes nothing."""
    data = one('<worldbody><body><freejoint/><geom size=".1" mass="2"/></body></worldbody>')
    data.qacc[:] = 0
    data.inverse()
    np.testing.assert_allclose(data.qfrc_inverse, [0, 0, 19.62, 0, 0, 0], atol=1e-14)
    data.qacc[2] = -9.81
    data.inverse()
    np.testing.assert_allclose(data.qfrc_inverse, 0, atol=1e-14)


def test_comparison_with_the_inverse():
    """Without constraints, the flag `fwdinv` finds no difference, and touches no force."""
    both = pair("joint_free")
    for options in (both.model.opt, both.reference.opt):
        options.enableflags |= int(Enable.FWDINV)
    for data in (both.data, both.theirs):
        data.solver_fwdinv[:] = 3
        data.qfrc_inverse[:] = 5
    both.step()
    both.assert_equal(field("solver_fwdinv"), field("qfrc_inverse"), field("qpos"))
    assert both.data.solver_fwdinv.tolist() == [0, 0]


DAMPED = """<mujoco><option integrator="Euler"><flag invdiscrete="enable" contact="disable"/>
</option><worldbody><body><joint damping="3"/><geom size=".1" pos=".3 0 0"/>
<body pos=".5 0 0"><joint type="ball" damping=".2 .3 .4"/><geom size=".1" pos=".1 .2 0"/></body>
</body></worldbody><actuator><motor joint="j" damping="2"/></actuator></mujoco>""".replace(
    '<joint damping="3"/>', '<joint name="j" damping="3"/>'
)


def test_force_of_a_step_is_mujocos():
    """In discrete time: what changes the velocity over a step, damping taken implicitly."""
    both, rng = pair(DAMPED), np.random.default_rng(6)
    for _ in range(STATES):
        both.write(rng)
        wanted = rng.normal(size=both.model.nv)
        both.data.qacc[:] = both.theirs.qacc[:] = wanted
        both.data.inverse()
        mujoco_module().mj_inverse(both.reference, both.theirs)
        both.assert_equal(field("qfrc_inverse"))
        np.testing.assert_array_equal(both.data.qacc, wanted)


def test_force_of_a_step_is_what_was_applied():
    """From the velocities before and after."""
    both = pair(DAMPED)
    data, rng = both.data, np.random.default_rng(7)
    both.write(rng)
    data.qfrc_applied[:] = rng.normal(size=both.model.nv)
    data.xfrc_applied[:] = 0
    before = data.copy()
    data.step()
    before.qacc[:] = (data.qvel - before.qvel) / both.model.opt.timestep
    before.inverse()
    expected = data.qfrc_applied + data.qfrc_actuator
    np.testing.assert_allclose(before.qfrc_inverse, expected, atol=1e-9)


def test_discrete_time_is_not_for_rk4():
    """Neither asked for, nor compared with."""
    model = pair(DAMPED).model
    model.opt.integrator = Integrator.RK4
    data = model.make_data()
    data.step()
    with pytest.raises(cf.ArgumentError, match="RK4"):
        data.inverse()
    model.opt.enableflags |= int(Enable.FWDINV)
    with pytest.raises(UnsupportedFeature, match="invdiscrete"):
        data.step()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_comparison_with_the_inverse_of_constraints(cone):
    """With rows and forces that MuJoCo found, and an acceleration that is a little off."""
    both = pair(EVERYTHING.format(cone=cone))
    both.reference.opt.enableflags |= int(Enable.FWDINV)
    rng = np.random.default_rng(3)
    for name in ("qvel", "qfrc_applied", "xfrc_applied"):
        array = getattr(both.theirs, name)
        array[:] = getattr(both.data, name)[:] = rng.normal(size=array.shape)
    borrow(both)
    both.theirs.qacc[:] += rng.normal(size=both.model.nv)
    take(both)
    kept = both.data.efc_force.copy(), both.data.qfrc_constraint.copy()
    mujoco_module().mj_compareFwdInv(both.reference, both.theirs)
    both.data._run_unit(compare_forward_inverse)
    assert both.theirs.solver_fwdinv[0] > 1e-3
    np.testing.assert_allclose(both.data.solver_fwdinv, both.theirs.solver_fwdinv, rtol=1e-8)
    size = np.abs(both.theirs.qfrc_inverse).max()
    np.testing.assert_allclose(both.data.qfrc_inverse, both.theirs.qfrc_inverse, atol=1e-12 * size)
    np.testing.assert_array_equal(both.data.efc_force, kept[0])
    np.testing.assert_array_equal(both.data.qfrc_constraint, kept[1])
