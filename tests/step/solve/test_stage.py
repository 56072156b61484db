"""From the smooth acceleration to the one with constraints."""

from __future__ import annotations

import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Disable

from .touching import HEAP, pair


def test_a_ball_rests_where_its_contact_holds_it():
    """The contact carries the weight."""
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" mass="2"/></body></worldbody></mujoco>"""
    data = cf.Model.from_mjcf(xml).make_data()
    data.step(2000)
    data.forward()
    assert data.qfrc_constraint[2] == pytest.approx(2 * 9.81, rel=1e-9)
    assert abs(data.qvel).max() < 1e-9


def test_the_last_acceleration_is_where_the_solver_starts():
    model, data, *_ = pair(HEAP, Cone.PYRAMIDAL)
    data.step(50)
    data.forward()
    data.qacc_warmstart[:] = data.qacc
    data.forward()
    assert not data.solver_niter[: data.nisland].any()
    model.opt.disableflags = int(Disable.WARMSTART)
    data.forward()
    assert data.solver_niter[: data.nisland].all()
