"""Derivatives of inverse dynamics, against MuJoCo's differences."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from tests.derive.scenes import SMOOTH, TOUCHING, at_random, reference, settled
from tests.derive.test_positions import SCENES, scene

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


@pytest.mark.parametrize("name", SCENES)
def test_forces_without_constraints_have_formulas(name: str) -> None:
    """Passive forces, tendons, a medium, inertia; actuators and what is applied have no part."""
    data = scene(name)
    rng = np.random.default_rng(0)
    data.qacc[:] = rng.normal(size=data.model.nv)
    data.xfrc_applied[1:] = rng.normal(size=(data.model.nbody - 1, 6))
    found = data.inverse_derivatives(cf.DerivativeConfig(method="analytic"))
    one, two, four = (
        data.inverse_derivatives(cf.DerivativeConfig(eps=eps, method="fd"))
        for eps in (1e-3, 5e-4, 2.5e-4)
    )
    for part in ("dq", "dv", "da"):
        first, second, third = (getattr(matrices, part) for matrices in (one, two, four))
        wanted = (16 * (4 * third - second) / 3 - (4 * second - first) / 3) / 15
        size = max(1.0, np.abs(wanted).max())
        np.testing.assert_allclose(getattr(found, part), wanted, atol=1e-9 * size, err_msg=part)


def test_constraints_have_no_formulas() -> None:
    """Then all methods are differences."""
    data = settled(TOUCHING.format(option=""))
    data.forward()
    for method in ("auto", "analytic"):
        found, wanted = (
            data.inverse_derivatives(cf.DerivativeConfig(sensors=False, method=name))
            for name in (method, "fd")
        )
        np.testing.assert_array_equal(found.dq, wanted.dq)
