"""Classical Runge-Kutta, four stages."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import step_fields
from cortenforge.enums import Integrator
from tests.step.actuation.driven import driven_cases
from tests.step.stages import cases, field, pair, states

MODELS = ("joint_hinge", "joint_ball", "joint_free", "joint_several", "fluid_ellipsoid")


@cases(*MODELS)
def test_fields_are_mujocos(source):
    """The next state, and the acceleration of the step as a whole."""
    for both in states(source):
        for side in (both.model, both.reference):
            side.opt.integrator = int(Integrator.RK4)
        both.step()
        moved = [f for f in step_fields() if f.name not in ("qH", "qHDiagInv")]
        both.assert_equal(*moved, field("qacc"))


@driven_cases()
def test_activations_go_through_all_stages(source):
    """000.8-S1: act and act_dot are MuJoCo's after every RK4 step, whatever the dynamics."""
    both, rng = pair(source), np.random.default_rng(4)
    for side in (both.model, both.reference):
        side.opt.integrator = int(Integrator.RK4)
    both.write(rng)
    for _ in range(5):
        both.step()
        both.assert_equal(field("act"), field("act_dot"), field("actuator_force"), field("qvel"))


def test_activations_are_combined_as_in_the_textbook():
    """000.8-S1: a filter of a constant control, after one step: four terms of its exponential."""
    h, tau = 0.1, 0.4
    data = cf.Model.from_mjcf(
        f'<mujoco><option integrator="RK4" timestep="{h}"/><worldbody><body><joint name="j"/>'
        f'<geom size=".1"/></body></worldbody><actuator><general joint="j" dyntype="filter" '
        f'dynprm="{tau}"/></actuator></mujoco>'
    ).make_data()
    data.ctrl[0] = 1.0
    data.step()
    x = h / tau
    assert data.act[0] == pytest.approx(x - x**2 / 2 + x**3 / 6 - x**4 / 24, rel=1e-14)
    # the rate is that of the last stage, as MuJoCo leaves it
    last = 1 - (x - x**2 / 2 + x**3 / 4)
    assert data.act_dot[0] == pytest.approx(last / tau, rel=1e-14)


SPINNING = """
<mujoco>
  <option integrator="RK4"/>
  <worldbody>
    <body pos="0 0 1">
      <{joint}/>
      <inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.025"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.oracle
@pytest.mark.parametrize("joint", ['joint type="ball"', "freejoint"])
@pytest.mark.parametrize("turns", [0.4, 0.6, 0.9, 1.3, 2.6])
def test_more_than_half_a_turn_in_a_step(joint, turns):
    """A stage that has gone round the long way is where the short way leads, as in MuJoCo."""
    both = pair(SPINNING.format(joint=joint))
    speed = turns * 2 * np.pi / both.model.opt.timestep
    for data in (both.data, both.theirs):
        data.qvel[-3:] = speed * np.array([0.6, 0.0, -0.8])
    both.step()
    both.assert_equal(field("qpos"), field("qvel"), field("qacc"))


def rate(data: cf.Data, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
    """Velocity and acceleration, as the engine has them in a state."""
    data.qpos[:], data.qvel[:] = qpos, qvel
    data.forward()
    return np.concatenate([qvel, data.qacc])


@pytest.mark.parametrize("source", ["joint_hinge", "joint_slide"])
def test_stages_are_those_of_the_textbook(source):
    """On models without rotations, four evaluations of forward give the step."""
    for both in states(source):
        model, data = both.model, both.data
        assert (model.jnt_type >= 2).all()  # positions of balls and free joints cannot be added
        model.opt.integrator = int(Integrator.RK4)
        h, nv = model.opt.timestep, model.nv
        x = np.concatenate([data.qpos, data.qvel])
        k1 = rate(data, *np.split(x, [nv]))
        k2 = rate(data, *np.split(x + h / 2 * k1, [nv]))
        k3 = rate(data, *np.split(x + h / 2 * k2, [nv]))
        k4 = rate(data, *np.split(x + h * k3, [nv]))
        expected = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        data.qpos[:], data.qvel[:] = np.split(x, [nv])
        data.step()
        found = np.concatenate([data.qpos, data.qvel])
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(found, expected, atol=1e-11 * size)
