"""Where cameras and lights are, and where they look."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import CamLight
from tests.step.stages import cases, states, written_by


@cases("cameras_and_lights")
def test_fields_are_mujocos(source):
    """Every way to follow, of cameras and of lights."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.cameras_and_lights"))


def modes(both, *wanted: CamLight) -> list[int]:
    found = [c for c, mode in enumerate(both.model.cam_mode) if mode in wanted]
    assert found
    return found


def test_cameras_with_a_target_look_at_it():
    """Along -z, wherever the target has gone."""
    for both in states("cameras_and_lights"):
        model, data = both.model, both.data
        for c in modes(both, CamLight.TARGETBODY, CamLight.TARGETBODYCOM):
            target = model.cam_targetbodyid[c]
            own = model.cam_mode[c] == CamLight.TARGETBODY
            point = data.xpos[target] if own else data.subtree_com[target]
            sight = point - data.cam_xpos[c]
            axis = -data.cam_xmat[c].reshape(3, 3)[:, 2]
            np.testing.assert_allclose(axis, sight / np.linalg.norm(sight), atol=1e-12)
            assert data.cam_xmat[c, 6] == pytest.approx(0, abs=1e-12)  # x is level


def test_cameras_that_track_keep_their_orientation():
    """And their distance from the body's origin, or from its subtree's centre."""
    for both in states("cameras_and_lights"):
        model, data = both.model, both.data
        for c in modes(both, CamLight.TRACK, CamLight.TRACKCOM):
            np.testing.assert_array_equal(data.cam_xmat[c], np.ravel(model.cam_mat0[c]))
            body, by_origin = model.cam_bodyid[c], model.cam_mode[c] == CamLight.TRACK
            base = data.xpos[body] if by_origin else data.subtree_com[body]
            kept = model.cam_pos0[c] if by_origin else model.cam_poscom0[c]
            np.testing.assert_allclose(data.cam_xpos[c] - base, kept, atol=1e-12)
