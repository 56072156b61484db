"""Where browsers look from: at first, and through cameras of the model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.render.camera import lens_of
from cortenforge.viewer.meshes import quats_of
from cortenforge.viewer.painter import Painter
from cortenforge.viewer.session import Session

if TYPE_CHECKING:
    from cortenforge.model import Data

#: of a crowd, how much of its width fits in front of the eye
WIDE = 0.6
#: width of a picture, of its height, below which it is narrow; and how much farther away one goes
NARROW, FARTHEST = 0.8, 2.2
#: how far above the middle of a narrow picture, of its height, is the middle of what is free
PANEL = 0.3


def begin_with(server: Any, session: Session, painter: Painter) -> None:
    """New browsers look as MuJoCo's viewer does, or from far enough away to see all worlds."""
    model = session.model
    lens = lens_of(model, session.world.shown, None, 640, 480)
    middle = np.asarray(model.stat_center, float)
    distance = float(np.linalg.norm(lens.pos - middle))
    distance = max(distance, WIDE * float(np.ptp(painter.offsets, axis=0).max()))
    camera = server.initial_camera
    camera.position = tuple(middle - distance * lens.forward)
    camera.look_at = tuple(middle)
    camera.up = (0.0, 0.0, 1.0)
    camera.fov = math.radians(float(model.vis.global_.fovy))
    camera.near, camera.far = lens.near, max(lens.far, 4.0 * distance)


def is_narrow(client: Any) -> bool:
    """Whether a browser is that of a phone that is held upright."""
    return bool(client.camera.image_width < NARROW * client.camera.image_height)


def go_home(server: Any, client: Any, away: np.ndarray) -> None:
    """One browser looks as new ones do.

    A narrow one looks from farther away, so that all fits in, and lower, since the panel is below.
    away: how far what it looks at has moved since.
    """
    start, camera = server.initial_camera, client.camera
    middle, back = np.asarray(start.look_at), np.subtract(start.position, start.look_at)
    if is_narrow(client):
        back = back * min(camera.image_height / max(camera.image_width, 1), FARTHEST)
        distance = float(np.linalg.norm(back))
        right = np.cross([0.0, 0.0, 1.0], back)
        up = np.cross(back, right)
        up = up / max(float(np.linalg.norm(up)), 1e-12)
        middle = middle - PANEL * 2.0 * distance * math.tan(0.5 * start.fov) * up
    with client.atomic():
        camera.up_direction = (0.0, 0.0, 1.0)
        camera.position = middle + back + away
        camera.look_at = middle + away
        camera.fov = start.fov


def look_through(server: Any, data: Data, number: int, away: np.ndarray) -> None:
    """All browsers look through a camera of the model; -1 lets them look as they like.

    away: where the world stands in the scene.
    """
    if number < 0:
        return
    lens = lens_of(data.model, data, number, 640, 480)
    # axes of a camera as browsers are told: right, down, forward
    turned = quats_of(np.stack([lens.right, -lens.up, lens.forward], 1))[0]
    half = math.atan(0.5 * 480 / lens.focal[1])
    for client in server.get_clients().values():
        with client.atomic():
            client.camera.wxyz = turned
            client.camera.position = lens.pos + away
            client.camera.fov = 2.0 * half
