"""Where a picture is taken from: cameras of the model, free ones, and those that follow a body."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: cam_projection
ORTHOGRAPHIC = 1
#: distance of a camera over that at which the ball around a body just fits: bodies fill less
MARGIN = 0.9


@dataclass
class Camera:
    """A camera that looks at a point, or at a body that it follows, as MuJoCo's free camera does.

    lookat:    the point in the middle of the picture; the model's centre if it is not given.
    distance:  how far the eye is from it; half as far again as the model's extent.
    azimuth, elevation: the direction in which it looks, in degrees.
    track:     the name or number of a body: the middle is then its subtree's centre of mass.
    """

    lookat: Any = None
    distance: float | None = None
    azimuth: float | None = None
    elevation: float | None = None
    track: str | int | None = None


#: what `render` takes as a camera
CameraLike = Camera | str | int | None


@dataclass
class Lens:
    """A camera as a picture needs it: axes, focal lengths and middle in pixels, depths."""

    pos: np.ndarray
    right: np.ndarray
    up: np.ndarray
    forward: np.ndarray
    focal: tuple[float, float]
    middle: tuple[float, float]
    near: float
    far: float
    parallel: bool
    matrix: np.ndarray = field(init=False)
    offset: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        """Work out what takes points of the world to pixels and depth."""
        if not np.isfinite([self.pos, self.right, self.up, self.forward]).all():
            raise ArgumentError(f"camera: it is at {self.pos}, or turned nowhere: no numbers")
        (fx, fy), (cx, cy) = self.focal, self.middle
        across, down = fx * self.right, -fy * self.up
        if self.parallel:
            self.matrix = np.array([across, down, self.forward])
            self.offset = np.array([cx, cy, 0.0]) - self.matrix @ self.pos
        else:
            self.matrix = np.array(
                [across + cx * self.forward, down + cy * self.forward, self.forward]
            )
            self.offset = -self.matrix @ self.pos

    def rays(self) -> tuple[np.ndarray, np.ndarray]:
        """Matrices that take (x, y, 1) of a pixel to where its ray starts, and to its way."""
        (fx, fy), (cx, cy) = self.focal, self.middle
        across, down = self.right / fx, -self.up / fy
        zero = np.zeros(3)
        first = -cx * across - cy * down
        if self.parallel:
            start = np.stack([across, down, self.pos + first], 1)
            return start, np.stack([zero, zero, self.forward], 1)
        way = np.stack([across, down, self.forward + first], 1)
        return np.stack([zero, zero, self.pos], 1), way

    def mirrored(self, point: np.ndarray, normal: np.ndarray) -> Lens:
        """The same camera behind a mirror."""

        def turned(v: np.ndarray) -> np.ndarray:
            return np.asarray(v - 2.0 * (v @ normal) * normal)

        return Lens(
            turned(self.pos - point) + point,
            turned(self.right),
            turned(self.up),
            turned(self.forward),
            self.focal,
            self.middle,
            self.near,
            self.far,
            self.parallel,
        )


def lens_of(model: Model, data: Data, camera: CameraLike, width: int, height: int) -> Lens:
    """The lens of a camera: its name or number, a Camera, or None for the usual free camera.

    Of a model's own cameras, "track" is also the first one that follows something.
    """
    if camera is None or isinstance(camera, Camera):
        return _free(model, data, camera or Camera(), width, height)
    return _fixed(model, data, camera_number(model, camera), width, height)


def camera_number(model: Model, camera: str | int) -> int:
    """The number of a model's camera. Raises ArgumentError if it has none of that name."""
    names = model.names["camera"]
    if isinstance(camera, str):
        if camera in names:
            return names.index(camera)
    elif isinstance(camera, (int, np.integer)) and not isinstance(camera, bool):
        if 0 <= camera < model.ncam:
            return int(camera)
    else:
        raise ArgumentError(f"camera: expected a name, a number or a Camera, got {camera!r}")
    there = ", ".join(repr(name) for name in names if name) or "no camera with a name"
    raise ArgumentError(f"camera: there is no camera {camera!r}; the model has {there}")


def track_whole(model: Model, data: Data, body: int) -> Camera:
    """A camera that follows a body, far enough away to show its subtree whole."""
    inside = np.zeros(model.nbody, bool)
    inside[body] = True
    for b in range(body + 1, model.nbody):
        inside[b] = inside[model.body_parentid[b]]
    geoms = np.flatnonzero(inside[model.geom_bodyid])
    away = np.linalg.norm(data.geom_xpos[geoms] - data.subtree_com[body], axis=1)
    radius = float((away + model.geom_rbound[geoms]).max(initial=0.0)) or float(model.stat_extent)
    half = math.radians(0.5 * float(vars(model.vis)["global"].fovy))
    distance = MARGIN * radius / math.sin(half)
    return Camera(track=body, distance=distance, azimuth=120.0, elevation=-15.0)


def _free(model: Model, data: Data, camera: Camera, width: int, height: int) -> Lens:
    vis, extent = model.vis, float(model.stat_extent)
    azimuth = _given(camera.azimuth, vis.__dict__["global"].azimuth, "azimuth")
    elevation = _given(camera.elevation, vis.__dict__["global"].elevation, "elevation")
    distance = _given(camera.distance, 1.5 * extent, "distance")
    middle = model.stat_center if camera.lookat is None else camera.lookat
    if camera.track is not None:
        middle = data.subtree_com[_body_number(model, camera.track)]
    middle = np.asarray(middle, float)
    if middle.shape != (3,) or not np.isfinite(middle).all():
        raise ArgumentError(f"camera.lookat: expected 3 finite numbers, got {middle}")
    a, e = math.radians(azimuth), math.radians(elevation)
    ca, sa, ce, se = math.cos(a), math.sin(a), math.cos(e), math.sin(e)
    forward = np.array([ce * ca, ce * sa, se])
    up = np.array([-se * ca, -se * sa, ce])
    fovy = float(vis.__dict__["global"].fovy)
    parallel = bool(vis.__dict__["global"].orthographic)
    return _symmetric(
        model, (middle - distance * forward, np.array([sa, -ca, 0.0]), up, forward),
        fovy, parallel, width, height,
    )  # fmt: skip


def _given(value: float | None, usual: float, name: str) -> float:
    number = float(usual if value is None else value)
    if not math.isfinite(number):
        raise ArgumentError(f"camera.{name}: expected a finite number, got {number}")
    return number


def _body_number(model: Model, body: str | int) -> int:
    names = model.names["body"]
    if isinstance(body, str) and body in names:
        return names.index(body)
    if isinstance(body, (int, np.integer)) and 0 <= body < model.nbody:
        return int(body)
    raise ArgumentError(f"camera.track: there is no body {body!r}")


def _fixed(model: Model, data: Data, number: int, width: int, height: int) -> Lens:
    right, up, back = np.array(data.cam_xmat[number]).reshape(3, 3).T
    axes = (np.array(data.cam_xpos[number]), right, up, -back)
    fovy = float(model.cam_fovy[number])
    if int(model.cam_projection[number]) == ORTHOGRAPHIC:
        return _symmetric(model, axes, fovy, True, width, height)
    if not model.cam_sensorsize[number, 1]:
        return _symmetric(model, axes, fovy, False, width, height)
    # a sensor with its own size, focal lengths and middle, all in metres
    wide, high = (float(n) for n in model.cam_sensorsize[number])
    fx, fy, cx, cy = (float(n) for n in model.cam_intrinsic[number])
    focal = (fx * width / wide, fy * height / high)
    middle = (width * (0.5 - cx / wide), height * (0.5 - cy / high))
    return Lens(*axes, focal, middle, *_range(model), False)


def _symmetric(
    model: Model,
    axes: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    fovy: float,
    parallel: bool,
    width: int,
    height: int,
) -> Lens:
    half = 0.5 * fovy if parallel else math.tan(math.radians(0.5 * fovy))
    focal = 0.5 * height / max(half, 1e-9)
    return Lens(*axes, (focal, focal), (0.5 * width, 0.5 * height), *_range(model), parallel)


def _range(model: Model) -> tuple[float, float]:
    extent = float(model.stat_extent)
    return float(model.vis.map.znear) * extent, float(model.vis.map.zfar) * extent
