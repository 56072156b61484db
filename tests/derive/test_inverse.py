"""Derivatives of inverse dynamics, against MuJoCo's differences."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from tests.derive.scenes import SMOOTH, TOUCHING, at_random, reference, settled

#: rounding of forces of order 1e3, over eps
NOISE = 2e-6


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("scene", [SMOOTH, TOUCHING], ids=["smooth", "touching"])
def test_inverse_dynamics(scene: str, centered: bool) -> None:
    """Force and readings by position, velocity and acceleration, as mjd_inverseFD."""
    text = scene.format(option="")
    data = at_random(text) if scene is SMOOTH else settled(text)
    data.forward()
    model, found = reference(text, data)
    found.qacc[:] = data.qacc
    nv, ns = model.nv, model.nsensordata
    theirs = [np.zeros((nv, n)) for n in (nv, nv, nv, ns, ns, ns)]
    mujoco.mjd_inverseFD(model, found, 1e-6, False, *theirs, None)
    ours = data.inverse_derivatives(cf.DerivativeConfig(centered=centered))
    parts = (ours.dq, ours.dv, ours.da, ours.ds_dq, ours.ds_dv, ours.ds_da)
    for number, (one, other) in enumerate(zip(parts, theirs, strict=True)):
        scale = max(1.0, np.abs(other).max())
        # MuJoCo's are to one side: eps over the width of the impedance
        allowed = NOISE if not centered else 1e-3
        assert np.abs(one - other.T).max() < allowed * scale, number


def test_by_acceleration_it_is_inertia() -> None:
    """Without constraints, the derivative by acceleration is M."""
    data = at_random(SMOOTH.format(option=""))
    data.forward()
    found = data.inverse_derivatives(cf.DerivativeConfig(sensors=False))
    wanted = np.array([data.mul_M(column) for column in np.eye(data.model.nv)])
    np.testing.assert_allclose(found.da, wanted, atol=1e-7)
    assert found.ds_dq is None


def test_discrete_inverse_dynamics_of_rk4_has_no_derivatives() -> None:
    """As inverse dynamics itself."""
    text = SMOOTH.format(option='integrator="RK4"')
    data = at_random(
        text.replace("/><worldbody>", '><flag invdiscrete="enable"/></option><worldbody>')
    )
    with pytest.raises(cf.ArgumentError, match="RK4"):
        data.inverse_derivatives()
