"""Cameras that follow a robot."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.scene.camera import subtree_camera


@pytest.mark.parametrize("name", ["humanoid", "ant", "quadruped", "arm"])
@pytest.mark.parametrize("size", [(160, 120), (120, 160)], ids=["wide", "tall"])
def test_the_whole_robot_is_in_the_picture(name: str, size: tuple[int, int]) -> None:
    """No geom of it at the picture's edges, and it is not small in the middle."""
    width, height = size
    model = cf.load_model(cf.models.find(name))
    data = model.make_data()
    data.reset_to_keyframe(0)
    data.forward()
    body = int(np.flatnonzero(model.body_dofnum)[0])
    camera = subtree_camera(model, data, body, width / height)
    options = cf.RenderOptions(static=False)
    renderer = cf.Renderer(model, width=width, height=height, options=options)
    seen = renderer.render(data, camera, mode="segmentation")[..., 0]
    inside = model.body_rootid[model.geom_bodyid] == model.body_rootid[body]
    robot = (seen >= 0) & inside[np.maximum(seen, 0)]
    rows, columns = np.flatnonzero(robot.any(1)), np.flatnonzero(robot.any(0))
    assert rows[0] > 0 and rows[-1] < height - 1
    assert columns[0] > 0 and columns[-1] < width - 1
    assert max(np.ptp(rows) / height, np.ptp(columns) / width) > 0.4


def test_a_body_without_geoms_is_tracked_from_afar() -> None:
    model = cf.Model.from_mjcf(
        "<mujoco><worldbody><geom size='2'/><body name='b'><joint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>"
    )
    data = model.make_data()
    data.forward()
    assert subtree_camera(model, data, 1).distance > model.stat_extent
