"""Limbs that tendons move."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.muscles import PRESETS


def test_arm_is_at_its_best_at_sixty_degrees() -> None:
    """Both muscles pull with F_max cos(pennation) there, along spatial tendons."""
    data = cf.models.muscle_arm().make_data()
    data.qpos[0], data.act[:] = np.pi / 3, 1
    data.forward()
    for i, name in enumerate(("biceps", "triceps")):
        preset = PRESETS[name]
        expected = -preset.fmax * np.cos(preset.pennation)
        assert data.actuator_force[i] == pytest.approx(expected, rel=1e-6)
    assert data.ten_J[0] < -0.03 and data.ten_J[1] > 0.015


@pytest.mark.parametrize("strain", [0.0, 0.049])
def test_muscles_move_the_arm(strain: float) -> None:
    model = cf.models.muscle_arm(tendon_strain=strain)
    assert not model.supported()
    assert model.na == (4 if strain else 2)
    data = model.make_data()
    data.ctrl[:] = [0.3, 0]
    data.step(1500)
    bent = data.qpos[0]
    data.ctrl[:] = [0, 0.6]
    data.step(1500)
    assert np.radians(60) < bent < np.radians(125)
    assert data.qpos[0] < 0.5 * bent


def test_tendons_move_the_finger() -> None:
    model = cf.models.tendon_finger()
    assert not model.supported()
    assert (model.nv, model.ntendon, model.nu) == (3, 2, 2)
    data = model.make_data()
    data.ctrl[0] = 0.1
    data.step(3000)
    assert (data.qpos > 0.3).all()
    assert data.ten_length[0] < model.tendon_length0[0]
    data.ctrl[:] = [0, 0.1]
    data.step(3000)
    assert (data.qpos < -0.3).all()
