"""Tendons in motion: velocity, springs and dampers, and the bias force of their inertia."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_model
from cortenforge.compare import mujoco_module
from cortenforge.enums import Disable
from tests.step.position.test_tendons import LINE, dense_jacobian, smooth
from tests.step.stages import field, pair, states, written_by
from tests.step.tendon_models import arm, wraps

#: what MuJoCo has, too
FIELDS = [f for f in written_by("step.velocity.tendons") if f.group != "own"]
SUMS = (field("qfrc_passive"), field("energy"))


@pytest.mark.parametrize("source", ["tendons", "flags_off", wraps(20)], ids=str.strip)
def test_fields_are_mujocos(source):
    """000.4-AC1, 000.4-AC3: velocity, spring, damper, bias, and the energy of springs."""
    for both in states(source):
        both.assert_equal(*FIELDS, *SUMS)


@pytest.mark.parametrize("seed", range(3200, 3208))
def test_fields_of_random_models(seed):
    """000.4-AC3: springs, dampers and armature of all kinds, with actuators' own."""
    both, rng = smooth(pair(random_model(seed))), np.random.default_rng(seed)
    for _ in range(3):
        both.write(rng)
        both.forward()
        both.assert_equal(*FIELDS)


@pytest.mark.parametrize("source", ["tendons", wraps(21, 10)], ids=["tendons", "wraps"])
@pytest.mark.parametrize("integrator", [0, 1])
def test_steps_are_mujocos(source, integrator):
    """A hundred steps of both engines."""
    both = pair(source)
    both.model.opt.integrator = both.reference.opt.integrator = integrator
    for _ in range(100):
        both.step()
    np.testing.assert_allclose(both.data.qpos, both.theirs.qpos, atol=1e-9)
    np.testing.assert_allclose(both.data.qvel, both.theirs.qvel, atol=1e-8)


@pytest.mark.parametrize(("turn", "zone"), [(1.2, "long"), (0.0, "rest"), (-1.2, "short")])
def test_force_of_springs_and_dampers(turn, zone):
    """000.4-AC3: ten_force = -k(L - Ls) - b V with a dead band; joints feel J' of it."""
    path = '<fixed {numbers}><joint joint="h" coef="2"/></fixed>'
    data = pair(arm(path, 'stiffness="3 .5 .2" springlength="-1 1.5" damping=".4 .3 .1"')).data
    data.qpos[:], data.qvel[:] = turn, -0.7
    data.forward()
    length, speed = 2 * turn, -1.4
    x = {"long": length - 1.5, "rest": 0.0, "short": length + 1}[zone]
    spring = -x * (3 + 0.5 * x + 0.2 * x * x)
    damper = -speed * (0.4 + 0.3 * abs(speed) + 0.1 * speed * speed)
    assert data.ten_length[0] == pytest.approx(length) and data.ten_velocity[0] == speed
    assert data.ten_force[0] == pytest.approx(spring + damper, abs=1e-14)
    assert data.qfrc_spring[0] == pytest.approx(2 * spring, abs=1e-14)
    assert data.qfrc_damper[0] == pytest.approx(2 * damper, abs=1e-14)
    assert data.qfrc_passive[0] == pytest.approx(2 * (spring + damper), abs=1e-14)


def test_force_is_what_joints_feel():
    """000.4-AC3: qfrc_passive of tendons alone is J' ten_force."""
    both = pair(wraps(22))
    both.write(np.random.default_rng(0))
    both.forward()
    data = both.data
    felt = dense_jacobian(both.model, data).T @ data.ten_force
    np.testing.assert_allclose(data.qfrc_passive, felt, atol=1e-10)


LIMITED = """<mujoco><option integrator="{}"/><worldbody>
<body><joint name="a" type="slide"/><geom size=".1" mass="1"/></body>
<body pos="0 1 0"><joint name="b"/><geom size=".1" pos=".3 0 0" mass="2"/></body></worldbody>
<tendon><fixed range="-.1 .1" margin="{}" stiffness="3" damping=".4"><joint joint="a" coef="1"/>
<joint joint="b" coef="-.5"/></fixed></tendon></mujoco>"""
#: positions at which no limit acts, the upper one, the lower one
PLACES = (0.0, 0.3, -0.3)


@pytest.mark.parametrize("margin", [0, 0.15])
@pytest.mark.parametrize("place", PLACES)
def test_force_of_limits(place, margin):
    """000.4-AC1: spring, damper and limit, or both limits, are ten_force: joints feel J' of it.

    MuJoCo has no such field, but what joints feel of its tendons.
    """
    both = pair(LIMITED.format("Euler", margin))
    for data in (both.data, both.theirs):
        data.qpos[:], data.qvel[:] = (place, 0.0), (0.5, -1.0)
    both.forward()
    rows = int(place != 0.0) if margin == 0 else 1 + int(place == 0.0)
    assert both.data.nefc == both.theirs.nefc == rows
    felt = both.theirs.qfrc_passive + both.theirs.qfrc_constraint
    jacobian = np.array([1.0, -0.5])
    np.testing.assert_allclose(jacobian * both.data.ten_force, felt, rtol=1e-10, atol=1e-12)
    assert both.data.ten_passive[0] == pytest.approx(-3 * place - 0.4 * 1.0, rel=1e-12)
    # again, from the same forces: nothing adds up
    both.data.step2()
    np.testing.assert_allclose(jacobian * both.data.ten_force, felt, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_force_of_limits_in_lanes(integrator):
    """000.4-AC1: worlds at neither limit, at one and at the other, bit by bit; after each stage."""
    model = cf.Model.from_mjcf(LIMITED.format(integrator, 0))
    batch = cf.BatchSim(model, 9, threads=1)
    batch.bind("ten_force", "ten_passive")
    batch.qpos[:, 0] = np.resize(PLACES, 9)
    batch.qvel[:] = 0.5, -1.0
    start = batch.get_states()
    assert batch.step_all(3) == [None] * 9
    for i in range(9):
        data = model.make_data()
        data.set_state(start[i])
        data.step(3)
        np.testing.assert_array_equal(batch.ten_force[i], data.ten_force)
        np.testing.assert_array_equal(batch.ten_passive[i], data.ten_passive)
    assert len(np.unique(np.sign(batch.ten_force - batch.ten_passive))) == 3


def test_force_of_limits_in_inverse_dynamics():
    """000.4-AC1: forces of limits at the accelerations that are given."""
    both = pair(LIMITED.format("Euler", 0))
    for data in (both.data, both.theirs):
        data.qpos[:], data.qvel[:], data.qacc[:] = (0.3, 0.0), (0.5, -1.0), (3.0, -4.0)
    both.data.inverse()
    mujoco_module().mj_inverse(both.reference, both.theirs)
    felt = both.theirs.qfrc_passive + both.theirs.qfrc_constraint
    np.testing.assert_allclose(np.array([1.0, -0.5]) * both.data.ten_force, felt, rtol=1e-10)
    assert both.data.ten_limit_frc[0] == pytest.approx(both.theirs.efc_force[0], rel=1e-10)


@pytest.mark.parametrize("flag", ["spring", "damper"])
def test_flags_leave_one_of_them(flag):
    """Springs or dampers off: the other one stays; both off: neither."""
    both = pair("tendons")
    both.write(np.random.default_rng(3))
    bit = {"spring": Disable.SPRING, "damper": Disable.DAMPER}[flag]
    for model in (both.model, both.reference):
        model.opt.disableflags |= int(bit)
    both.forward()
    both.assert_equal(*FIELDS, *SUMS)
    both.model.opt.disableflags |= int(Disable.SPRING | Disable.DAMPER)
    both.data.forward()
    assert not both.data.ten_force.any()


def test_heavy_tendons_keep_energy():
    """Without springs and dampers, inertia of a tendon takes no energy: its bias is right."""
    source = arm(LINE, 'armature="2"').replace('"h" axis', '"h" damping="0" axis')
    model = cf.Model.from_mjcf(source)
    model.opt.integrator = 1
    data = model.make_data()
    data.qvel[:] = 3.0
    data.forward()
    before = data.energy.sum()
    for _ in range(500):
        data.step()
    data.forward()
    assert data.energy[1] > 0.1
    assert data.energy.sum() == pytest.approx(before, rel=1e-8)
