"""Cameras of browsers: the initial one, and those of the model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.quaternions import quats_from_matrices
from cortenforge.scene.camera import lens_of
from cortenforge.viewer.painter import FramePainter
from cortenforge.viewer.session import Session

if TYPE_CHECKING:
    from cortenforge.model import Data

#: initial distance over the width of the square of all worlds of a batch
BATCH_VIEW_RATIO = 0.6
#: aspect ratio below which a window is narrow (a phone); factor on the distance for each unit of
#: height over width, and at most
NARROW_ASPECT, NARROW_FACTOR, MAX_NARROW_FACTOR = 0.8, 1.15, 2.5
#: upward shift of a narrow picture's middle, over its height, since the panel is below
PANEL_SHIFT = 0.28


def set_initial_camera(server: Any, session: Session, painter: FramePainter) -> None:
    """Set the camera of new browsers: MuJoCo's free camera, far enough away for all worlds."""
    model = session.model
    lens = lens_of(model, session.world.shown, None, 640, 480)
    middle = np.asarray(model.stat_center, float)
    distance = float(np.linalg.norm(lens.pos - middle))
    distance = max(distance, BATCH_VIEW_RATIO * float(np.ptp(painter.offsets, axis=0).max()))
    camera = server.initial_camera
    camera.position = tuple(middle - distance * lens.forward)
    camera.look_at = tuple(middle)
    camera.up = (0.0, 0.0, 1.0)
    camera.fov = math.radians(float(model.vis.global_.fovy))
    camera.near, camera.far = lens.near, max(lens.far, 4.0 * distance)


def is_narrow(client: Any) -> bool:
    """Whether a browser's window is narrow, as that of an upright phone."""
    return bool(client.camera.image_width < NARROW_ASPECT * client.camera.image_height)


def reset_camera(server: Any, client: Any, away: np.ndarray) -> None:
    """Reset one browser's camera to the initial one.

    In a narrow window it is farther away, and looks lower, since the panel is below.
    away: offset of the target from its initial position.
    """
    start, camera = server.initial_camera, client.camera
    middle, back = np.asarray(start.look_at), np.subtract(start.position, start.look_at)
    if is_narrow(client):
        ratio = camera.image_height / max(camera.image_width, 1)
        back = back * min(NARROW_FACTOR * ratio, MAX_NARROW_FACTOR)
        distance = float(np.linalg.norm(back))
        right = np.cross([0.0, 0.0, 1.0], back)
        up = np.cross(back, right)
        up = up / max(float(np.linalg.norm(up)), 1e-12)
        middle = middle - PANEL_SHIFT * 2.0 * distance * math.tan(0.5 * start.fov) * up
    with client.atomic():
        camera.up_direction = (0.0, 0.0, 1.0)
        camera.position = middle + back + away
        camera.look_at = middle + away
        camera.fov = start.fov


def set_model_camera(server: Any, data: Data, number: int, away: np.ndarray) -> None:
    """Set the cameras of all browsers to a camera of the model; -1 leaves them free.

    away: offset of the world in the scene.
    """
    if number < 0:
        return
    lens = lens_of(data.model, data, number, 640, 480)
    # a browser's camera has axes right, down, forward
    turned = quats_from_matrices(np.stack([lens.right, -lens.up, lens.forward], 1))[0]
    half = math.atan(0.5 * 480 / lens.focal[1])
    for client in server.get_clients().values():
        with client.atomic():
            client.camera.wxyz = turned
            client.camera.position = lens.pos + away
            client.camera.fov = 2.0 * half
