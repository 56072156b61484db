"""Newton's method against MuJoCo's, and against what a minimum has to be."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Cone

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
