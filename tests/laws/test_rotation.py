"""Bodies that turn freely, against the solution of Euler's equations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cortenforge as cf


def free_body(inertia: str, integrator: str, timestep: float = 0.001) -> cf.Data:
    return cf.Model.from_mjcf(
        f'<mujoco><option gravity="0 0 0" integrator="{integrator}" timestep="{timestep}"/>'
        f'<worldbody><body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="{inertia}"/>'
        "</body></worldbody></mujoco>"
    ).make_data()


def orientation(data: cf.Data) -> Rotation:
    return Rotation.from_quat(data.qpos[3:7], scalar_first=True)


def angle_between(a: Rotation, b: Rotation) -> float:
    return float((a.inv() * b).magnitude())


def turn(data: cf.Data, steps: int) -> None:
    """Step one by one; the quaternion is of unit length after each step."""
    for _ in range(steps):
        data.step()
        assert abs(np.linalg.norm(data.qpos[3:7]) - 1) < 1e-10


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_spin_about_a_principal_axis(integrator, axis):
    """000.8-AC6: 2 s of steady spin: the angle is rate times time, every quaternion a unit one."""
    data = free_body("0.01 0.02 0.025", integrator)
    data.qvel[3 + axis] = 3.0
    turn(data, 2000)
    expected = Rotation.from_rotvec(np.eye(3)[axis] * 6.0)
    assert angle_between(orientation(data), expected) < 1e-6


def test_symmetric_top():
    """000.8-AC6: a tilted top turns about its angular momentum and about itself, at fixed rates."""
    across, along = 0.02, 0.03
    data = free_body(f"{across} {across} {along}", "RK4")
    start = Rotation.from_rotvec([0.3, -0.2, 0.5])
    data.qpos[3:7] = start.as_quat(scalar_first=True)
    spin = np.array([1.0, -0.5, 4.0])  # a free joint's rotational velocity is in the body's axes
    data.qvel[3:6] = spin
    turn(data, 2000)
    momentum = start.apply(np.array([across, across, along]) * spin)
    precession = Rotation.from_rotvec(momentum / across * 2.0)
    own = Rotation.from_rotvec([0, 0, spin[2] * (across - along) / across * 2.0])
    assert angle_between(orientation(data), precession * start * own) < 1e-6


def test_unequal_moments_keep_energy_and_momentum():
    """The tumbling of a body with three different moments, near its unstable axis."""
    data = free_body("0.01 0.02 0.025", "RK4")
    data.qvel[3:6] = (0.01, 5.0, 0.01)
    moments = np.array([0.01, 0.02, 0.025])

    def kept() -> np.ndarray:
        spin = data.qvel[3:6]
        return np.append(orientation(data).apply(moments * spin), spin @ (moments * spin))

    before = kept()
    data.step(3000)
    np.testing.assert_allclose(kept(), before, atol=1e-8)
    # it has turned over on the way, or this would test nothing
    assert np.abs(data.qvel[3:6]).max() < 5.5


@pytest.mark.parametrize("scale", [0.3, 4.0])
def test_quaternions_of_any_length_are_the_same_orientation(scale):
    """Kinematics normalises what a caller writes."""
    data = free_body("0.01 0.02 0.025", "Euler")
    quat = np.array([0.5, -0.5, 0.1, 0.7])
    data.qpos[3:7] = quat / np.linalg.norm(quat)
    data.forward()
    unit = data.xmat[1].copy()
    data.qpos[3:7] *= scale
    data.forward()
    np.testing.assert_allclose(data.xmat[1], unit, atol=1e-15)
