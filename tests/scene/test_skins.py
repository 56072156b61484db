"""Skins: where their vertices are."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.scene.skins import skin_surfaces

from ..render.scenes import DECOR

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")]


@pytest.mark.parametrize("angle", [0.0, -0.8, 2.5])
def test_vertices_are_mujocos(angle: float) -> None:
    """Each vertex is where its bones take it, mixed by its weights, as in MuJoCo's scene."""
    mujoco = mujoco_module()
    text = DECOR.replace('inflate=".01"', "")
    assert text != DECOR
    reference = load_reference(text)
    theirs, data = mujoco.MjData(reference), cf.Model.from_mjcf(text).make_data()
    joint = reference.joint("hinge").qposadr[0]
    for both in (theirs, data):
        both.qpos[joint] = angle
    data.forward()
    mujoco.mj_forward(reference, theirs)
    scene = mujoco.MjvScene(reference, 1000)
    kinds = mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(
        reference, theirs, mujoco.MjvOption(), None, mujoco.MjvCamera(), kinds, scene
    )
    (skin,) = skin_surfaces(data.model, data, cf.RenderOptions())
    # the scene is in single precision
    np.testing.assert_allclose(skin.vert, np.reshape(scene.skinvert, (-1, 3)), atol=2e-6)
    assert (np.ptp(skin.vert, axis=0) > 0.1).any()
