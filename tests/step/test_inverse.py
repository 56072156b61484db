"""Inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.enums import Enable
from cortenforge.errors import UnsupportedFeature
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


def test_constraints_are_refused():
    """A model that needs them says so."""
    text = """<mujoco><worldbody><body><joint range="0 1" limited="true"/><geom size=".1"/></body>
    </worldbody></mujoco>"""
    with pytest.raises(UnsupportedFeature, match="limits"):
        cf.Model.from_mjcf(text).make_data().inverse()
