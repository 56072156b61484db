"""Stiffness of rows: what a formula gives, for a limit and a contact that a hand can work out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from conformance.rows import make_constraint_rows

WEIGHT = 1 / 0.3
HINGE = """<mujoco><option timestep=".002"><flag contact="disable"/></option><worldbody><body>
  <joint axis="0 1 0" range="-1 1" {}/><inertial pos="0 0 0" mass="1" diaginertia=".3 .3 .3"/>
</body></worldbody></mujoco>"""


def limit(attributes: str, angle: float, speed: float) -> cf.Data:
    """A hinge near its upper limit, in radians."""
    text = HINGE.format(attributes).replace("<option", '<compiler angle="radian"/><option', 1)
    data = cf.Model.from_mjcf(text).make_data()
    data.qpos[0], data.qvel[0] = angle, speed
    data.forward(smooth_only=True)
    make_constraint_rows(data)
    return data


def test_a_limit_with_constant_impedance():
    """002-M1, 002-M3: R = (1 - d) / d / inertia, and aref = -b v - k r of a damped spring."""
    data = limit('solimplimit=".9 .9 .01" solreflimit=".05 1"', 1.02, 3.0)
    assert (data.nefc, data.nl) == (1, 1)
    assert data.efc_pos[0] == pytest.approx(-0.02)
    assert data.efc_J.tolist() == [[-1.0]]
    assert data.efc_R[0] == pytest.approx(0.1 / 0.9 * WEIGHT, rel=1e-12)
    assert data.efc_D[0] * data.efc_R[0] == pytest.approx(1)
    damping, stiffness = 2 / (0.9 * 0.05), 1 / (0.9 * 0.05) ** 2
    wanted = -damping * -3.0 - stiffness * 0.9 * -0.02
    assert data.efc_aref[0] == pytest.approx(wanted, rel=1e-12)


def test_a_tendon_limit_reads_solref_and_solimp():
    """000.4-AC4: its row is that of a joint's limit, along the tendon."""
    text = """<mujoco><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass=".3" diaginertia="1 1 1"/></body></worldbody><tendon>
      <fixed range="-1 1" solimplimit=".9 .9 .01" solreflimit=".05 1"><joint joint="j" coef="2"/>
      </fixed></tendon></mujoco>"""
    data = cf.Model.from_mjcf(text).make_data()
    data.qpos[0], data.qvel[0] = 0.51, 1.5
    data.forward()
    assert (data.nefc, data.nl) == (1, 1) and data.efc_pos[0] == pytest.approx(-0.02)
    assert data.efc_J.tolist() == [[-2.0]]
    assert data.efc_R[0] == pytest.approx(0.1 / 0.9 * 4 * WEIGHT, rel=1e-12)
    damping, stiffness = 2 / (0.9 * 0.05), 1 / (0.9 * 0.05) ** 2
    wanted = -damping * -3.0 - stiffness * 0.9 * -0.02
    assert data.efc_aref[0] == pytest.approx(wanted, rel=1e-12)
    # one row: D (aref - J a) with J a = J J' f / m
    force = wanted / (data.efc_R[0] + 4 / 0.3)
    assert data.ten_limit_frc[0] == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize("depth", [0.0, 0.001, 0.004, 0.006, 0.01, 0.5])
def test_the_impedance_grows_along_two_arcs(depth):
    """000-Q1: from the first bound to the second across the width, by solimp."""
    data = limit('solimplimit=".2 .8 .01 .4 3" margin=".5"', 0.5 + 1e-15 + depth, 0.0)
    x = depth / 0.01
    if x >= 1:
        y = 1.0
    elif x <= 0.4:
        y = x**3 / 0.4**2
    else:
        y = 1 - (1 - x) ** 3 / 0.6**2
    assert data.efc_KBIP[0, 2] == pytest.approx(0.2 + 0.6 * y, rel=1e-9)


def test_a_time_constant_is_at_least_two_steps():
    """Unless `refsafe` is off."""
    data = limit('solimplimit=".9 .9 .01" solreflimit=".001 1"', 1.02, 0.0)
    assert data.efc_KBIP[0, 1] == pytest.approx(2 / (0.9 * 0.004))


def test_direct_references_are_stiffness_and_damping():
    """000-Q1: solref="-k -b" is scaled by the impedance alone."""
    data = limit('solimplimit=".9 .9 .01" solreflimit="-500 -7"', 1.02, 0.0)
    np.testing.assert_allclose(data.efc_KBIP[0, :2], (500 / 0.81, 7 / 0.9), rtol=1e-12)


@pytest.mark.parametrize("angle", [0.98, 1.0])
def test_limits_act_below_their_margin(angle):
    """002-M3: inside the range there is no row, whatever the velocity; at the limit neither."""
    assert limit("", angle, 5.0).nefc == 0
    assert limit('margin=".03"', angle, 5.0).nefc == 1


def test_the_edges_of_a_pyramid_are_as_soft_as_its_cone():
    """A pyramid's D: that of a ball on the ground, worked out."""
    text = """<mujoco><option impratio="4"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1" mass="2" friction=".5"
      solimp=".9 .9 .01"/></body></worldbody></mujoco>"""
    text = text.replace('size="1 1 1"', 'size="1 1 1" solimp=".9 .9 .01" friction=".5"')
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    model._store.assign("missing", 0)
    data.forward()
    normal = 0.1 / 0.9 * (0.5 + 0.25 * 0.5)
    mu = 0.5 * math.sqrt(1 / 4)
    assert data.contact.mu.tolist() == pytest.approx([mu])
    np.testing.assert_allclose(data.efc_R, 2 * mu**2 * normal)
