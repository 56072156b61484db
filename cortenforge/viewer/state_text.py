"""States and cameras as text, to paste into a model or a program."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.scene.camera import Camera

if TYPE_CHECKING:
    from cortenforge.model import Data

#: attributes of a keyframe, by the fields of Data that they hold
KEYFRAME_ATTRIBUTES = {
    "qpos": "qpos", "qvel": "qvel", "act": "act", "ctrl": "ctrl",
    "mocap_pos": "mpos", "mocap_quat": "mquat",
}  # fmt: skip


def _joined_numbers(values: Iterable[Any], between: str) -> str:
    """Join numbers as text that reads back as the same numbers."""
    # adding zero turns -0.0 into 0.0
    plain = (float(n) + 0.0 for n in np.ravel(np.asarray(values)))
    return between.join(f"{n!r}".removesuffix(".0") for n in plain)


def keyframe_text(data: Data) -> str:
    """A state as a keyframe of MJCF, without arrays that are zero."""
    parts = [f'time="{_joined_numbers([data.time], " ")}"'] if data.time else []
    for field, attribute in KEYFRAME_ATTRIBUTES.items():
        values = np.ravel(getattr(data, field))
        if values.size and (field == "qpos" or field.startswith("mocap") or values.any()):
            parts.append(f'{attribute}="{_joined_numbers(values, " ")}"')
    return f"<key {' '.join(parts)}/>"


def state_text(data: Data) -> str:
    """A state as lines of Python; the first is a comment with the keyframe."""
    lines = [f"# {keyframe_text(data)}", f"data.time = {float(data.time)!r}"]
    for field in KEYFRAME_ATTRIBUTES:
        values = getattr(data, field)
        if values.size and (field == "qpos" or values.any()):
            # one row for each mocap body
            rows = np.atleast_2d(values)
            parts = [f"[{_joined_numbers(row, ', ')}]" for row in rows]
            whole = parts[0] if values.ndim == 1 else f"[{', '.join(parts)}]"
            lines.append(f"data.{field}[:] = {whole}")
    return "\n".join([*lines, "data.forward()"])


def camera_between(position: Any, look_at: Any) -> Camera:
    """A free camera at `position` that looks at `look_at`, both in the world."""
    position, look_at = np.asarray(position, float), np.asarray(look_at, float)
    distance = float(np.linalg.norm(look_at - position))
    x, y, z = (look_at - position) / max(distance, 1e-12)
    return Camera(
        lookat=tuple(look_at.tolist()),
        distance=distance,
        azimuth=math.degrees(math.atan2(y, x)),
        elevation=math.degrees(math.asin(min(max(z, -1.0), 1.0))),
    )


def camera_text(camera: Camera | str | int) -> str:
    """A camera as a line of Python: its parameters, or the name of a model's camera."""
    if not isinstance(camera, Camera):
        return f"camera = {camera!r}"
    where = _joined_numbers([round(n, 6) for n in camera.lookat], ", ")
    rest = (camera.distance, camera.azimuth, camera.elevation)
    distance, azimuth, elevation = (_joined_numbers([round(float(n or 0.0), 6)], "") for n in rest)
    return (
        f"camera = cf.Camera(lookat=({where}), distance={distance}, azimuth={azimuth}, "
        f"elevation={elevation})"
    )
