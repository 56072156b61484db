"""What is left of a step's equations, at accelerations that are given."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.derive.kernels.residuals import constraint_forces_at_qacc
from cortenforge.step.constants import STATE_QUADRATIC

BOX = """<mujoco><option cone="{}"/><worldbody><geom type="plane" size="2 2 .1"/>
<body pos="0 0 .0995"><freejoint/><geom type="box" size=".1 .1 .1"/>
<body pos="0 0 .1"><joint axis="0 1 0" range="-5 5" frictionloss=".2"/>
<geom type="capsule" fromto="0 0 0 .1 0 .2" size=".02"/></body></body></worldbody></mujoco>"""


@pytest.fixture(params=("pyramidal", "elliptic"))
def data(request) -> cf.Data:
    """A box that stands, with a rod that has fallen against its stop."""
    data = cf.Model.from_mjcf(BOX.format(request.param)).make_data()
    data.step(200)
    data.qvel[:] += 0.01 * np.random.default_rng(0).normal(size=data.qvel.shape)
    data.forward()
    assert data.nefc > 12
    return data


def again(data: cf.Data) -> np.ndarray:
    """Forces of constraints at qacc, with the states that rows have."""
    data._function(constraint_forces_at_qacc)(data._call.m, data._call.d)
    return data.qfrc_constraint.copy()


def test_forces_of_a_solution_are_its_own(data):
    """Where nothing has moved, rows push as the solver left them."""
    solved = data.qfrc_constraint.copy()
    np.testing.assert_allclose(again(data), solved, rtol=1e-9, atol=1e-9)


def test_rows_keep_their_states(data):
    """Another acceleration changes forces in proportion, also where a row would let go."""
    if data.model.opt.cone:
        pytest.skip("a row of a cone pushes with the others of its contact")
    # behind the last row there is no state: that says for how many rows states are kept
    data._store.arrays["efc_state"][data.nefc :] = -1
    data.qacc[:] += 100.0
    jacobian = data.efc_J.reshape(data.nefc, -1)
    proportional = data.efc_state[: data.nefc] == STATE_QUADRATIC
    expected = np.where(
        proportional,
        -data.efc_D[: data.nefc] * (jacobian @ data.qacc - data.efc_aref[: data.nefc]),
        data.efc_force[: data.nefc],
    )
    np.testing.assert_allclose(again(data), jacobian.T @ expected, rtol=1e-9, atol=1e-9)
