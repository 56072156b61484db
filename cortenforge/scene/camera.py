"""Cameras: those of the model, free ones, and ones that track a body; their projection.

A point p of the world is at q = matrix p + offset, which is (column * z, row * z, z), or, for an
orthographic camera, (column, row, z). With axes r (right), u (up), f (forward), focal lengths
(fx, fy) and principal point (cx, cy) in pixels, the rows of matrix are

    perspective   fx r + cx f,   -fy u + cy f,   f        offset = -matrix pos
    orthographic  fx r,          -fy u,          f        offset = (cx, cy, 0) - matrix pos

Source: Hartley and Zisserman, Multiple View Geometry, chapter "Camera Models"; MuJoCo: XML
Reference, "camera" (fovy, focal, principal, sensorsize).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.scene.checks import (
    MAX_NUMBER,
    checked_integer,
    checked_real,
    checked_reals,
    clip_distances,
    half_height_at_one,
)
from cortenforge.suggest import Declared

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: cam_projection
PROJECTION_ORTHOGRAPHIC = 1
#: distance of a camera over that at which the body's bounding sphere just fits
FIT_MARGIN = 1.0


@dataclass
class Camera(Declared):
    """A free camera that looks at a point, or at a body that it tracks, as MuJoCo's.

    lookat:    point in the middle of the picture; by default the model's centre.
    distance:  of the eye from it; by default 1.5 times the model's extent.
    azimuth, elevation: viewing direction, in degrees.
    track:     name or number of a body: lookat is then its subtree's centre of mass.
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
    """The projection of a camera.

    right, up, forward: unit axes.   focal, middle: focal lengths and principal point, in pixels.
    near, far: clipping distances.   parallel: orthographic.   matrix, offset: see the module.
    """

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
        """Compute the projection from the world to pixels and depth."""
        axes = np.array([self.pos, self.right, self.up, self.forward])
        if not (np.abs(axes) <= MAX_NUMBER).all():
            raise ArgumentError(
                f"camera: non-finite pose: pos={self.pos}, forward={self.forward}, up={self.up}"
            )
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
        """Matrices that take (column, row, 1) to a ray's origin, and to its direction."""
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
        """The camera reflected in a plane through `point` with unit normal `normal`."""

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
    """The lens of a camera: name or number, a Camera, or None for the default free camera."""
    if camera is None or isinstance(camera, Camera):
        return _free_lens(model, data, camera or Camera(), width, height)
    return _fixed_lens(model, data, camera_id(model, camera), width, height)


def camera_id(model: Model, camera: str | int) -> int:
    """Number of a model's camera.  Raises ArgumentError if there is none of that name."""
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
    # a width given in the place of the camera
    sizes = "; sizes and modes are keyword-only: width=640, height=480"
    hint = "" if isinstance(camera, str) else sizes
    raise ArgumentError(f"camera: there is no camera {camera!r}; the model has {there}{hint}")


def subtree_camera(model: Model, data: Data, body: int, aspect: float = 1.0) -> Camera:
    """A camera that tracks a body, far enough away to show its whole subtree.

    aspect: width over height of the picture.
    """
    inside = np.zeros(model.nbody, bool)
    inside[body] = True
    for b in range(body + 1, model.nbody):
        inside[b] = inside[model.body_parentid[b]]
    geoms = np.flatnonzero(inside[model.geom_bodyid])
    away = np.linalg.norm(data.geom_xpos[geoms] - data.subtree_com[body], axis=1)
    radius = float((away + model.geom_rbound[geoms]).max(initial=0.0)) or float(model.stat_extent)
    half = math.radians(0.5 * float(model.vis.global_.fovy))
    narrow = math.atan(min(1.0, aspect) * math.tan(half))
    distance = FIT_MARGIN * radius / math.sin(narrow)
    return Camera(track=body, distance=distance, azimuth=120.0, elevation=-15.0)


def _free_lens(model: Model, data: Data, camera: Camera, width: int, height: int) -> Lens:
    vis, extent = model.vis, float(model.stat_extent)
    depths = clip_distances(model)
    azimuth = _value_or_default(camera.azimuth, vis.global_.azimuth, "azimuth")
    elevation = _value_or_default(camera.elevation, vis.global_.elevation, "elevation")
    distance = _value_or_default(camera.distance, 1.5 * extent, "distance")
    middle = model.stat_center if camera.lookat is None else camera.lookat
    if camera.track is not None:
        middle = data.subtree_com[_body_id(model, camera.track)]
    middle = checked_reals(middle, (3,), "camera.lookat")
    a, e = math.radians(azimuth), math.radians(elevation)
    ca, sa, ce, se = math.cos(a), math.sin(a), math.cos(e), math.sin(e)
    forward = np.array([ce * ca, ce * sa, se])
    up = np.array([-se * ca, -se * sa, ce])
    fovy = float(vis.global_.fovy)
    parallel = bool(vis.global_.orthographic)
    return _centred_lens(
        (middle - distance * forward, np.array([sa, -ca, 0.0]), up, forward),
        half_height_at_one(fovy, parallel, "vis.global.fovy"), depths, parallel, width, height,
    )  # fmt: skip


def _value_or_default(value: float | None, usual: float, name: str) -> float:
    return checked_real(usual if value is None else value, f"camera.{name}")


def _body_id(model: Model, body: str | int) -> int:
    names = model.names["body"]
    if isinstance(body, str) and body in names:
        return names.index(body)
    if isinstance(body, str):
        raise ArgumentError(f"camera.track: there is no body {body!r}")
    return checked_integer(body, "camera.track", 0, model.nbody - 1)


def _fixed_lens(model: Model, data: Data, number: int, width: int, height: int) -> Lens:
    right, up, back = np.array(data.cam_xmat[number]).reshape(3, 3).T
    axes = (np.array(data.cam_xpos[number]), right, up, -back)
    depths, parallel = (
        clip_distances(model),
        int(model.cam_projection[number]) == PROJECTION_ORTHOGRAPHIC,
    )
    if parallel or not model.cam_sensorsize[number, 1]:
        half = half_height_at_one(float(model.cam_fovy[number]), parallel, f"cam_fovy[{number}]")
        return _centred_lens(axes, half, depths, parallel, width, height)
    # sensor size, focal lengths and principal point, all in metres
    wide, high = (float(n) for n in model.cam_sensorsize[number])
    fx, fy, cx, cy = (float(n) for n in model.cam_intrinsic[number])
    focal = (fx * width / wide, fy * height / high)
    middle = (width * (0.5 - cx / wide), height * (0.5 - cy / high))
    checked_reals((*focal, *middle), (4,), f"cam_intrinsic[{number}], cam_sensorsize[{number}]")
    return Lens(*axes, focal, middle, *depths, False)


def _centred_lens(
    axes: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    half: float,
    depths: tuple[float, float],
    parallel: bool,
    width: int,
    height: int,
) -> Lens:
    focal = 0.5 * height / max(half, 1e-9)
    return Lens(*axes, (focal, focal), (0.5 * width, 0.5 * height), *depths, parallel)
