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


def go_home(server: Any, client: Any, away: np.ndarray) -> None:
    """One browser looks as new ones do. away: how far what it looks at has moved since."""
    start, camera = server.initial_camera, client.camera
    with client.atomic():
        camera.up_direction = (0.0, 0.0, 1.0)
        camera.position = np.asarray(start.position) + away
        camera.look_at = np.asarray(start.look_at) + away
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
