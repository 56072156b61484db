"""How smooth forces change with velocities, against differences of the forces themselves."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Integrator
from tests.step.integrate.test_implicit import dense_derivative
from tests.step.stages import cases, states

MODELS = cases("joint_several", "joint_free", "tendons", "fluid_box", "fluid_ellipsoid")
EPS = 1e-5


def differences(data: cf.Data, name: str) -> np.ndarray:
    """Central differences of a force with respect to each velocity."""
    found, work = [], data.copy()
    for i in range(len(data.qvel)):
        sides = []
        for sign in (1, -1):
            work.qvel[:] = data.qvel
            work.qvel[i] += sign * EPS
            work.forward()
            sides.append(getattr(work, name).copy())
        found.append((sides[0] - sides[1]) / (2 * EPS))
    return np.array(found).T.reshape(len(data.qvel), len(data.qvel))


def within_pattern(model: cf.Model, dense: np.ndarray) -> np.ndarray:
    """Only what is in the pattern of derivatives."""
    kept = np.zeros_like(dense)
    for i in range(model.nv):
        columns = model.D_colind[model.D_rowadr[i] : model.D_rowadr[i] + model.D_rownnz[i]]
        kept[i, columns] = dense[i, columns]
    return kept


@MODELS
def test_all_smooth_forces(source):
    """qDeriv of an implicit step; differences are good to their square, and to rounding."""
    for both in states(source):
        # as in MuJoCo, what the inertia of tendons adds to bias forces is taken as it is
        both.model.tendon_armature[:] = 0
        if not both.data.qvel.any():
            continue  # quadratic damping has no slope at rest
        both.model.opt.integrator = int(Integrator.IMPLICIT)
        data = both.data
        before = data.copy()
        data.step()
        found = dense_derivative(both.model, data)
        expected = differences(before, "qfrc_passive") - differences(before, "qfrc_bias")
        expected = within_pattern(both.model, expected)
        size = 1 + np.abs(expected).max(initial=0)
        np.testing.assert_allclose(found, expected, atol=1e-7 * size)


CHAIN = """<mujoco><option integrator="implicit"><flag contact="disable"/></option>{}<worldbody>
<body><joint name="a" axis="0 1 0" damping="{}"/><geom size=".05" pos="0 0 -.5" mass="1"/>
<body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping="{}"/><geom size=".05" pos="0 0 -.5"
mass="1"/><body pos="0 0 -.5"><joint name="c" axis="0 1 0" damping="{}"/><geom size=".05"
pos="0 0 -.5" mass="1"/></body></body></body></worldbody>{}</mujoco>"""


def derivative(text: str, qpos=(0.0, 0.0, 0.0), qvel=(0.0, 0.0, 0.0), ctrl=0.0) -> np.ndarray:
    """qDeriv of a chain of three, at a state."""
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
    data.step()
    return dense_derivative(model, data)


def test_damping_of_joints():
    """12-AC12: the diagonal is minus the damping, exactly; there is nothing beside it."""
    found = derivative(CHAIN.format("", 0.5, 1, 1.5, ""))
    np.testing.assert_array_equal(found, -np.diag([0.5, 1, 1.5]))


def test_damping_of_tendons():
    """12-AC13: -b J'J."""
    tendon = """<tendon><fixed damping="3"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/>
    <joint joint="c" coef=".5"/></fixed></tendon>"""
    found = derivative(CHAIN.format("", 0, 0, 0, tendon))
    row = np.array([1, -2, 0.5])
    np.testing.assert_allclose(found, -3 * np.outer(row, row), atol=1e-14)


def test_affine_actuators():
    """12-AC14: gear^2 (gainprm[2] input + biasprm[2])."""
    actuator = """<actuator><general joint="b" gear="3" gaintype="affine" gainprm="0 0 -.7"
    biastype="affine" biasprm="0 0 -.2"/></actuator>"""
    found = derivative(CHAIN.format("", 0, 0, 0, actuator), ctrl=2.0)
    expected = np.zeros((3, 3))
    expected[1, 1] = 9 * (-0.7 * 2 - 0.2)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_bias_of_two_links():
    """12-AC15: against differences; here to their own error."""
    text = CHAIN.format("", 0, 0, 0, "")
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qpos[:2], data.qvel[:2] = (0.3, 0.7), (1, 0.5)
    expected = -differences(data, "qfrc_bias")
    found = derivative(text, (0.3, 0.7, 0), (1, 0.5, 0))
    np.testing.assert_allclose(found, expected, atol=1e-8)


@pytest.mark.parametrize("speed", [-4.0, -1.0, -0.2, 0.3, 1.7])
@pytest.mark.parametrize("kind", ["muscle", "hillmuscle"])
def test_muscles(kind, speed):
    """Both kinds of muscle, shortening and stretched."""
    parts = {
        "muscle": '<muscle joint="a" lengthrange="-.5 .5" force="10" vmax="3"/>',
        "hillmuscle": '<hillmuscle joint="a" offset="1" fmax="10" lopt=".9" slack=".1" vmax="3"/>',
    }
    text = CHAIN.format("", 0, 0, 0, f"<actuator>{parts[kind]}</actuator>")
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qvel[0], data.act[:] = speed, 0.6
    data.forward()
    expected = differences(data, "qfrc_actuator") - differences(data, "qfrc_bias")
    data.step()
    np.testing.assert_allclose(dense_derivative(model, data), expected, atol=1e-7)
