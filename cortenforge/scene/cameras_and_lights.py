"""Cameras with their frustums, lights, and rays of range finders and distance sensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ObjType, SensorType
from cortenforge.scene.camera import PROJECTION_ORTHOGRAPHIC, lens_of
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.flags import DOUBLE_SIDED
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import BOX, CYLINDER, SPHERE
from cortenforge.scene.surfaces_and_tubes import Surface, rotations_from_z
from cortenforge.sensors import RAY_DATA

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: width of rays and of edges of frustums, in pixels
RAY_PIXELS = 3.0
#: alpha of a camera that is drawn with its frustum
CAMERA_ALPHA = 0.3


def add_cameras(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add cameras as a box with a lens, and frustums of those with a resolution."""
    size = float(model.stat_meansize) * float(model.vis.scale.camera)
    for i in range(model.ncam):
        pos, mat = np.array(data.cam_xpos[i]), np.reshape(data.cam_xmat[i], (3, 3))
        rgba = np.array(model.vis.rgba.camera, float)
        if (np.asarray(model.cam_resolution[i]) > 1).any():
            rgba[3] = CAMERA_ALPHA
            _add_frustum(decor, model, data, i)
        more = {"objtype": ObjType.CAMERA, "objid": i}
        decor.add(BOX, pos, mat, (size, 0.8 * size, 0.4 * size), rgba, **more)
        front = pos - 0.6 * size * mat[:, 2]
        dark = rgba * [0.5, 0.5, 0.5, 1.0]
        decor.add(CYLINDER, front, mat, (0.4 * size, 0.4 * size, 0.3 * size), dark, **more)
        if options.label == "camera":
            decor.name(model, "camera", i, pos)
        if options.frame == "camera":
            _add_axes(decor, model, pos, mat)


def _add_axes(decor: Decor, model: Model, pos: np.ndarray, mat: np.ndarray) -> None:
    size, scale = float(model.stat_meansize), model.vis.scale
    decor.frame(pos, mat, float(scale.framelength) * size, float(scale.framewidth) * size)


def _add_frustum(decor: Decor, model: Model, data: Data, i: int) -> None:
    """Add the sides of a camera's frustum, and their edges."""
    near, far = _frustum_corners(model, data, i)
    rgba = model.vis.rgba.frustum
    after = np.roll(np.arange(4), -1)
    for k, n in enumerate(after):
        corners = np.array([near[k], far[k], near[n], far[n]])
        side = Surface(corners, [[0, 1, 2], [1, 3, 2]], rgba, flat=True, flags=DOUBLE_SIDED)
        side.objtype, side.objid = ObjType.CAMERA, i
        decor.extra.append(side)
    start = np.concatenate([near, far, near])
    end = np.concatenate([near[after], far[after], far])
    # one item an edge: they are transparent, and are sorted
    for a, b in zip(start, end, strict=True):
        decor.lines(a[None], b[None], RAY_PIXELS, rgba, ObjType.CAMERA, i)


def _frustum_corners(model: Model, data: Data, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners of a frustum in the world, at its near and at its far end: two arrays `(4, 3)`."""
    pos, mat = np.array(data.cam_xpos[i]), np.reshape(data.cam_xmat[i], (3, 3))
    znear = float(model.vis.map.znear) * float(model.stat_extent)
    zfar = float(model.vis.scale.frustum) * float(model.stat_meansize)
    wide, high = (float(n) for n in model.cam_resolution[i])
    fovy = float(model.cam_fovy[i])
    parallel = int(model.cam_projection[i]) == PROJECTION_ORTHOGRAPHIC
    sensor = np.asarray(model.cam_sensorsize[i], float)
    # left, right, bottom and top
    if parallel:
        edges = 0.5 * fovy * np.array([wide / high, wide / high, 1.0, 1.0])
        zfar = 0.5 * (edges[0] + edges[2])
    elif sensor.all():
        fx, fy, cx, cy = (float(n) for n in model.cam_intrinsic[i])
        x, y = 0.5 * sensor
        edges = znear * np.array([(x - cx) / fx, (x + cx) / fx, (y - cy) / fy, (y + cy) / fy])
    else:
        up = znear * math.tan(math.radians(0.5 * fovy))
        edges = up * np.array([wide / high, wide / high, 1.0, 1.0])
    left, right, low, top = edges
    flat = np.array([[-left, -low], [right, -low], [right, top], [-left, top]])
    grown = flat if parallel else flat * (zfar / znear)
    corners = [
        pos + plane @ mat[:, :2].T - z * mat[:, 2] for plane, z in ((flat, znear), (grown, zfar))
    ]
    return corners[0], corners[1]


def add_lights(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add lights as cylinders, just behind their positions."""
    size = float(model.stat_meansize) * float(model.vis.scale.light)
    for i in range(model.nlight):
        way = np.array(data.light_xdir[i])
        mat, _ = rotations_from_z(way)
        pos = np.array(data.light_xpos[i]) - (size + 1e-4) * way
        more = {"objtype": ObjType.LIGHT, "objid": i}
        scale = (0.8 * size, 0.8 * size, size)
        decor.add(CYLINDER, pos, mat, scale, model.vis.rgba.light, **more)
        if options.label == "light":
            decor.name(model, "light", i, pos)
        if options.frame == "light":
            _add_axes(decor, model, np.array(data.light_xpos[i]), mat)


def add_sensor_rays(decor: Decor, model: Model, data: Data) -> None:
    """Add rays of range finders that hit a geom, and segments of GEOMFROMTO sensors."""
    for i in range(model.nsensor):
        first = int(model.sensor_adr[i])
        kind = int(model.sensor_type[i])
        if kind == SensorType.RANGEFINDER:
            _add_rangefinder(decor, model, data, i)
        elif kind == SensorType.GEOMFROMTO:
            ends = np.array(data.sensordata[first : first + 6]).reshape(2, 3)
            if ends.any():
                _add_ray_lines(decor, model, ends[:1], ends[1:], i)


def _add_ray_lines(decor: Decor, model: Model, start: Any, end: Any, sensor: int) -> None:
    decor.lines(start, end, RAY_PIXELS, model.vis.rgba.rangefinder, ObjType.SENSOR, sensor)


def _add_rangefinder(decor: Decor, model: Model, data: Data, i: int) -> None:
    """Add rays of one range finder, with the points and normals among its data."""
    at_site = int(model.sensor_objtype[i]) == ObjType.SITE
    origin, way = (_site_ray if at_site else _camera_rays)(model, data, int(model.sensor_objid[i]))
    found = _ray_data(model, data, i, len(origin))
    far = found["dist"][:, 0] if "dist" in found else np.full(len(origin), -1.0)
    met = np.asarray(far >= 0.0)
    point = np.where(met[:, None], origin + way * far[:, None], 0.0)
    if met.any():
        _add_ray_lines(decor, model, origin[met], point[met], i)
    size, rgba = float(model.stat_meansize), model.vis.rgba.rangefinder
    width = float(model.vis.scale.framewidth) * size
    more = {"objtype": ObjType.SENSOR, "objid": i}
    if "point" in found:
        known = np.asarray(found["point"].any(1))
        point = np.where(known[:, None], found["point"], point)
        radius = (1.5 if at_site else 1.3) * width
        for pos in point[known]:
            decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, rgba, **more)
    if "normal" in found:
        reach = 2.0 * float(model.vis.scale.framelength) * size
        for k in np.flatnonzero(met | point.any(1)):
            end = point[k] + reach * found["normal"][k]
            decor.arrow(point[k], end, width, rgba, head=1.0, **more)


def _ray_data(model: Model, data: Data, i: int, rays: int) -> dict[str, np.ndarray]:
    """Data of a range finder by name, a row for each ray."""
    first, what = int(model.sensor_adr[i]), int(model.sensor_intprm[i, 0])
    names = [name for k, name in enumerate(RAY_DATA) if what >> k & 1]
    cuts = np.cumsum([RAY_DATA[name] for name in names])
    numbers = np.array(data.sensordata[first : first + rays * int(cuts[-1])]).reshape(rays, -1)
    return dict(zip(names, np.split(numbers, cuts[:-1], axis=1), strict=True))


def _site_ray(model: Model, data: Data, site: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array([data.site_xpos[site]]), np.reshape(data.site_xmat[site], (3, 3))[:, 2][None]


def _camera_rays(model: Model, data: Data, camera: int) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions of the rays of a camera's pixels, rows from the top."""
    wide, high = (int(n) for n in model.cam_resolution[camera])
    lens = lens_of(model, data, camera, wide, high)
    row, column = (n.ravel() + 0.5 for n in np.indices((high, wide)))
    if lens.parallel:
        # orthographic range finders cover a square, whatever their resolution
        half = 0.5 * float(model.cam_fovy[camera])
        across = np.outer((2.0 * column / wide - 1.0) * half, lens.right)
        origin = lens.pos + across - np.outer((2.0 * row / high - 1.0) * half, lens.up)
        return origin, np.tile(lens.forward, (len(row), 1))
    _, way = lens.rays()
    ways = np.stack([column, row, np.ones(len(row))], 1) @ way.T
    return np.tile(lens.pos, (len(row), 1)), ways / np.linalg.norm(ways, axis=1, keepdims=True)
