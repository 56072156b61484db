"""Classical Runge-Kutta, four stages."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import step_fields
from cortenforge.enums import Integrator
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
