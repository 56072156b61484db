"""The noslip pass."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.noslip import compare_noslip
from cortenforge.enums import Cone
from tests.step import stages

from .touching import HEAP, along, apart, pair

CONES = pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())


@CONES
@pytest.mark.oracle
def test_noslip(cone):
    """Friction without creep, as MuJoCo finds it."""
    options = {"tolerance": 1e-14, "iterations": 200, "noslip_iterations": 300}
    for data, theirs in along(HEAP, cone, 200, 20, noslip_tolerance=1e-14, **options):
        assert apart(data.qacc, theirs.qacc) < 1e-9


@CONES
@pytest.mark.oracle
def test_noslip_stops_when_mujocos_does(cone):
    """At the usual tolerance, where friction is stiff: the same iterations, all counted."""
    most = 0
    for data, theirs in along(HEAP, cone, 200, 10, noslip_iterations=50, impratio=100):
        count = data.nisland
        assert list(data.solver_niter[:count]) == list(theirs.solver_niter[:count])
        most = max(most, *data.solver_niter[:count])
        assert apart(data.qacc, theirs.qacc) < 1e-10
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


#: boxes, a ball, and an arm with dry friction whose joints a tendon and a drive couple
COUPLED = """<mujoco><option integrator="discrete" timestep=".005" tolerance="1e-15"
iterations="200" noslip_iterations="{}" noslip_tolerance="1e-14" cone="{}"/><worldbody>
<geom type="plane" size="3 3 .1" friction=".6"/>
<body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .15 .1"/></body>
<body pos=".05 0 .298"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .099"><freejoint/><geom size=".1"/></body>
<body pos="-1 0 .5"><joint name="h" axis="0 1 0" damping=".5" stiffness="3" frictionloss=".3"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/><body pos=".3 0 0"><joint name="k"
axis="0 1 0" damping=".2"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
</worldbody><tendon><fixed name="t" damping=".3" stiffness="2" frictionloss=".1"><joint joint="h"
coef="1"/><joint joint="k" coef="-1.5"/></fixed></tendon>
<actuator><position joint="h" kp="10" kv="1"/><position tendon="t" kp="5" kv=".4"/></actuator>
</mujoco>"""


@pytest.mark.parametrize("iterations", [1, 3, 200])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_noslip_in_the_metric_of_a_step(cone, iterations):
    """Beside `discrete`: forces are found with the factor of the metric, and couplings come after.

    MuJoCo's own search in the metric needs a tolerance above zero.
    """
    both = stages.pair(COUPLED.format(iterations, cone))
    speeds = 0.5 * np.random.default_rng(0).normal(size=both.model.nv)
    for data in (both.data, both.theirs):
        data.qvel[:], data.ctrl[:] = speeds, (0.3, -0.2)
    for number in range(30):
        both.step()
        for name in ("qacc", "qacc_smooth", "qfrc_constraint", "qvel"):
            ours, theirs = getattr(both.data, name), getattr(both.theirs, name)
            size = max(1.0, np.abs(theirs).max())
            np.testing.assert_allclose(ours, theirs, 0, 1e-9 * size, err_msg=f"{name} {number}")
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(both.data, name)[:] = getattr(both.theirs, name)
    assert both.data.nefc > 10


#: two fingers that slide one way only, and a floor and a ball twice in the same place
FINGERS = """<mujoco><option tolerance="1e-15" iterations="200" cone="{}" noslip_iterations="{}"/>
<default><geom condim="{}"/></default>
<worldbody><geom type="plane" size="1 1 .1"/><geom type="plane" size="1 1 .1"/>
<body pos="-.1 0 .5"><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .05 .05"/></body>
<body pos=".095 0 .52"><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .05 .05"/></body>
<body pos="-.1 0 1"><joint type="slide" axis="1 0 .5"/><geom type="box" size=".1 .05 .05"/></body>
<body pos=".095 .02 1"><joint axis="0 1 0"/><geom type="box" size=".1 .05 .05"/></body>
<body pos="1 0 .098"><freejoint/><geom size=".1"/><geom size=".1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("iterations", [1, 2, 10])
@pytest.mark.parametrize("dim", [3, 4, 6])
@CONES
@pytest.mark.oracle
def test_friction_that_changes_nothing(cone, dim, iterations):
    """Blocks of friction that are singular: forces are finite, and MuJoCo's."""
    both = stages.pair(FINGERS.format(cone.name.lower(), iterations, dim))
    both.data.qvel[:] = both.theirs.qvel[:] = np.linspace(-0.3, 0.5, both.model.nv)
    for _ in range(5):
        both.forward()
        assert both.data.nefc > 20
        assert apart(both.data.efc_force[: both.data.nefc], both.theirs.efc_force) < 1e-9
        assert apart(both.data.qacc, both.theirs.qacc) < 1e-9
        both.step()


def test_friction_that_changes_nothing_in_lockstep():
    """Worlds of a batch have the bits of a world alone."""
    model = cf.Model.from_mjcf(FINGERS.format("elliptic", 5, 6))
    batch, data = cf.BatchSim(model, 9), model.make_data()
    speeds = np.random.default_rng(0).normal(size=(9, model.nv))
    batch.qvel[:] = speeds
    batch.step_all(20)
    for i in (0, 8):
        data.reset()
        data.qvel[:] = speeds[i]
        data.step(20)
        assert np.array_equal(data.qpos, batch.qpos[i]) and np.array_equal(data.qvel, batch.qvel[i])


@pytest.mark.oracle
def test_random_scenes():
    """Contacts of all dimensions, many of them singular, one to ten iterations."""
    found = compare_noslip("noslip", range(40))
    assert found.ok, found.examples
    assert found.compared > 90
    assert found.notes["states with solvers that do not converge"] < 10


@pytest.mark.oracle
def test_the_pass_after_solvers_that_do_not_converge(monkeypatch):
    """Engines start it with forces that differ; afterwards they differ as much, not more."""
    found = compare_noslip("noslip", (491, 511))
    assert found.ok, found.examples
    assert found.notes["states with solvers that do not converge"] >= 4
    monkeypatch.setattr("conformance.noslip.GROWTH", 0.5)
    assert compare_noslip("noslip", (511,)).wrong
