"""Forward and inverse dynamics in the metric of a step."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import mujoco_module
from tests.step.integrate.scenes import scene
from tests.step.stages import field, pair

CHANGES = (
    pytest.param({}, id="pyramidal"),
    pytest.param({"cone": "elliptic"}, id="elliptic"),
    pytest.param({"solref": ".001 1"}, id="stiffer than the step"),
    pytest.param({"solref": ".001 1", "cone": "elliptic"}, id="the same, elliptic"),
    pytest.param({"solref": ".001 .3", "flag": 'refsafe="disable"'}, id="as written"),
    pytest.param({"solref": "-1e6 -10"}, id="direct"),
    pytest.param({"flag": 'diagexact="enable"'}, id="diagexact"),
    pytest.param({"adhesion": "5"}, id="adhesion"),
    pytest.param({"held": "true"}, id="equality"),
    pytest.param({"flag": 'island="disable"'}, id="one island"),
    pytest.param({"flag": 'spring="disable"'}, id="no springs"),
    pytest.param({"flag": 'damper="disable"'}, id="no dampers"),
    pytest.param({"flag": 'actuation="disable"'}, id="no actuation"),
    pytest.param({"option": 'density="1000" viscosity=".1"'}, id="in water"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_constraints_are_solved_in_the_metric(change):
    """Rows, forces and steps are MuJoCo's, as far as solvers converge."""
    both = scene(**change)
    for number in range(3):
        both.step()
        assert number > 0 or both.theirs.nefc > 8
        for name in ("efc_KBIP", "efc_R", "efc_diagA", "efc_aref", "efc_force", "qacc", "qvel"):
            ours, theirs = getattr(both.data, name), getattr(both.theirs, name)
            size = max(1.0, np.abs(theirs).max())
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-8 * size, err_msg=name)
        # what solvers leave is not for the next step
        both.data.qpos[:], both.data.qvel[:] = both.theirs.qpos, both.theirs.qvel


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(("solver", "option"), [("CG", ""), ("PGS", "")])
def test_other_solvers(solver, option, cone):
    """Come to the same, slowly; the dual one has its own metric, without couplings."""
    both = scene(solver=solver, option=option, cone=cone, iterations="20000")
    both.step()
    for name in ("qacc", "qfrc_constraint"):
        theirs = getattr(both.theirs, name)
        # neither engine's conjugate gradients nor its sweeps come nearer than that
        size = 1e-6 * max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(getattr(both.data, name), theirs, atol=size, err_msg=name)


@pytest.mark.parametrize("change", CHANGES[:2] + CHANGES[6:9])
def test_inverse_is_mujocos(change):
    """And gives back what was applied: inverse dynamics takes the same metric."""
    both = scene(**change)
    both.data.forward()
    mujoco_module().mj_forward(both.reference, both.theirs)
    expected = both.data.qfrc_applied + both.data.qfrc_actuator
    both.data.inverse()
    size = max(np.abs(both.data.qfrc_smooth).max(), np.abs(both.data.qfrc_constraint).max())
    np.testing.assert_allclose(both.data.qfrc_inverse, expected, atol=1e-9 * size)
    wanted = np.random.default_rng(3).normal(size=both.model.nv)
    both.data.qacc[:] = both.theirs.qacc[:] = wanted
    both.data.inverse()
    mujoco_module().mj_inverse(both.reference, both.theirs)
    both.assert_equal(field("qfrc_inverse"))
    np.testing.assert_array_equal(both.data.qacc, wanted)


def test_bodies_that_fly_are_turned_by_themselves():
    """Gyroscopic forces of a free body that nothing holds are implicit: no energy is gained."""
    both = pair(
        '<mujoco><option integrator="discrete" timestep="0.005" gravity="0 0 0"><flag '
        'energy="enable"/></option><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" '
        'mass="1"/></body></worldbody></mujoco>'
    )
    both.data.qvel[3:] = both.theirs.qvel[3:] = 1.0, 20.0, 2.0
    energy = []
    for _ in range(200):
        both.step()
        energy.append(both.data.energy.sum())
    both.assert_equal(field("qvel"), field("qacc"))
    assert (np.diff(energy) <= 1e-12 * energy[0]).all()


def test_again_is_the_same():
    """Forward dynamics twice, and a step in halves, give the same bits."""
    data = scene(cone="elliptic").data
    data.forward()
    first = data.qacc.copy(), data.efc_R.copy()
    data.forward()
    np.testing.assert_array_equal(first[1], data.efc_R)
    twin = data.copy()
    data.step()
    twin.step1()
    twin.step2()
    assert data.get_state().vector.tobytes() == twin.get_state().vector.tobytes()
