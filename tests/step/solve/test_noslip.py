"""The noslip pass."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Cone

from .touching import HEAP, along, apart, pair

CONES = pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())


@CONES
@pytest.mark.oracle
def test_noslip(cone):
    """Friction without creep, as MuJoCo finds it."""
    options = {"tolerance": 1e-14, "iterations": 200, "noslip_iterations": 300}
    for data, theirs in along(HEAP, cone, 200, 20, noslip_tolerance=1e-14, **options):
        # both stop when an iteration gains less than 1e-14 of the cost
        assert apart(data.qacc, theirs.qacc) < 1e-5


@CONES
@pytest.mark.oracle
def test_noslip_stops_when_mujocos_does(cone):
    """At the usual tolerance, where friction is stiff: the same iterations, all counted."""
    most = 0
    for data, theirs in along(HEAP, cone, 200, 10, noslip_iterations=50, impratio=100):
        count = data.nisland
        assert list(data.solver_niter[:count]) == list(theirs.solver_niter[:count])
        most = max(most, *data.solver_niter[:count])
        # MuJoCo solves for the friction of a cone to a tolerance of its own
        assert apart(data.qacc, theirs.qacc) < (1e-11 if cone == Cone.PYRAMIDAL else 1e-5)
    assert most > 10


def test_noslip_stops_creep():
    """A box on a slope does not creep down."""
    xml = """<mujoco><option cone="elliptic" noslip_iterations="{}"/><worldbody>
    <geom type="plane" size="5 5 1" euler="15 0 0"/>
    <body pos="0 0 .104" euler="15 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>"""
    crept = []
    for iterations in (0, 20):
        _, data, *_ = pair(xml.format(iterations), Cone.ELLIPTIC)
        data.step(200)
        before = data.qpos[:3].copy()
        data.step(500)
        crept.append(np.linalg.norm(data.qpos[:3] - before))
    assert crept[1] < 1e-3 * crept[0]
