"""Newton's method against MuJoCo's, and against what a minimum has to be."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Disable

from .touching import HEAP, along, apart, pair

HARD = {"tolerance": 1e-14, "iterations": 200}
CONES = pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())


@CONES
@pytest.mark.oracle
def test_accelerations_and_forces_are_mujocos(cone):
    rows = 0
    for data, theirs in along(HEAP, cone, 200, 10, **HARD):
        assert data.nefc == theirs.nefc
        rows += data.nefc
        assert apart(data.qacc, theirs.qacc) < 1e-8
        assert apart(data.qfrc_constraint, theirs.qfrc_constraint) < 1e-8
        assert apart(data.efc_force[: data.nefc], theirs.efc_force) < 1e-8
    assert rows > 500


@CONES
@pytest.mark.oracle
def test_at_the_usual_tolerance_iterations_are_as_many(cone):
    ours, mujocos = [], []
    for data, theirs in along(HEAP, cone, 150, 10):
        assert data.nisland == theirs.nisland
        ours += data.solver_niter[: data.nisland].tolist()
        mujocos += theirs.solver_niter[: theirs.nisland].tolist()
        # what is left at a tolerance of 1e-8 in the cost
        assert apart(data.qacc, theirs.qacc) < 1e-4
    assert sum(ours) <= 1.05 * sum(mujocos) + 2


@CONES
def test_forces_lie_in_their_cones(cone):
    _, data, *_ = pair(HEAP, cone)
    data.step(150)
    data.forward()
    assert data.ncon > 3
    friction = 0.0
    for contact in data.contact:
        first, dim = contact.efc_address, contact.dim
        if cone == Cone.PYRAMIDAL or dim == 1:
            count = 1 if dim == 1 else 2 * (dim - 1)
            assert np.all(data.efc_force[first : first + count] >= 0)
        else:
            normal, *rest = data.efc_force[first : first + dim]
            scaled = np.linalg.norm(np.array(rest) / contact.friction[: dim - 1])
            assert normal >= 0 and scaled <= normal * (1 + 1e-9)
            friction += scaled
    assert cone == Cone.PYRAMIDAL or friction > 0


def test_a_minimum_has_no_gradient():
    """At the minimum, M (qacc - qacc_smooth) is the force of the constraints."""
    _, data, *_ = pair(HEAP, Cone.ELLIPTIC, **HARD)
    data.step(100)
    data.forward()
    left = data.qfrc_smooth + data.qfrc_constraint
    M = np.zeros((data.model.nv, data.model.nv))
    for i in range(data.model.nv):
        start = data.model.M_rowadr[i]
        for at in range(start, start + data.model.M_rownnz[i]):
            j = data.model.M_colind[at]
            M[i, j] = M[j, i] = data.M[at]
    assert np.max(np.abs(M @ data.qacc - left)) < 1e-9 * np.max(np.abs(left))


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
