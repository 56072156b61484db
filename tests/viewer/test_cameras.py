"""Initial cameras: what stands in the middle of a wide window is above the panel of a phone."""

from __future__ import annotations

import math
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.viewer.cameras import reset_camera, set_initial_camera
from cortenforge.viewer.session import Session
from cortenforge.viewer.worlds import SingleWorld

#: part of an upright phone's height that its panel leaves free
FREE = 0.4


def height_in_picture(camera: SimpleNamespace, point: np.ndarray) -> float:
    """Height of a point in a camera's picture: 0 at the top, 1 at the bottom."""
    forward = np.subtract(camera.look_at, camera.position)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    up = np.cross(right / np.linalg.norm(right), forward)
    way = point - np.asarray(camera.position)
    return 0.5 - 0.5 * (way @ up) / (way @ forward) / math.tan(0.5 * camera.fov)


@pytest.mark.parametrize(
    ("width", "height", "low"), [(390, 760, FREE), (390, 844, FREE), (1280, 760, 1.0)]
)
def test_a_humanoid_is_framed_from_head_to_foot(width: int, height: int, low: float) -> None:
    data = cf.load_model(cf.models.find("humanoid")).make_data()
    data.forward()
    server = SimpleNamespace(initial_camera=SimpleNamespace())
    session = Session(SingleWorld(data))
    set_initial_camera(server, session, SimpleNamespace(offsets=np.zeros((1, 3))))
    camera = SimpleNamespace(image_width=width, image_height=height)
    client = SimpleNamespace(camera=camera, atomic=nullcontext)
    reset_camera(server, client, np.zeros(3))
    head, foot = data.geom("skull"), data.body("left_foot")
    top = np.add(head.xpos, [0, 0, data.model.geom("skull").size[0]])
    assert 0.02 < height_in_picture(camera, top) < height_in_picture(camera, foot.xpos) < low
