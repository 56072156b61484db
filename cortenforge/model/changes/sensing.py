"""Derived fields of sensors and cameras, and settings of sensors that are not supported.

A camera with a sensor has, in pixels, with resolution r, sensor size s and intrinsic (f, c) [m]:

    cam_focal = f / s r,   cam_centre = c / s r         else 0, and r / 2: fovy decides
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Disable, GeomType, ObjType, SensorType, Stage
from cortenforge.errors import ModelError
from cortenforge.model.changes.distinct import distinct
from cortenforge.sensors import RAY_DATA, USER_GROUPS, SensorGroup

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def update_sensor_groups(model: Model) -> None:
    """Set the fields `sensing`, `cam_focal`, `cam_centre` and `mesh_polydist`."""
    off = Disable(model.opt.disableflags) & Disable.SENSOR
    model._store.assign("sensing", 0 if off else _sensor_group_bits(model))
    model.cam_focal[:] = _lens_in_pixels(model, 0, np.float32(0))
    model.cam_centre[:] = _lens_in_pixels(model, 2, 0.5 * model.cam_resolution)
    for mesh in distinct(_insidesite_meshes(model)).tolist():
        _set_polygon_distances(model, mesh)


def _sensor_group_bits(model: Model) -> int:
    """Kernel groups of the sensors of a model, as bits."""
    groups = SensorGroup(0)
    for kind in distinct(model.sensor_type).tolist():
        groups |= SensorType(kind).group
    for stage in distinct(model.sensor_needstage[model.sensor_type == SensorType.USER]).tolist():
        groups |= USER_GROUPS[Stage(stage)]
    if np.any(model.sensor_history[:, 0] > 0):
        groups |= SensorGroup.SAMPLED
    return int(groups)


def _lens_in_pixels(model: Model, first: int, without: Any) -> np.ndarray:
    """Focal lengths (first 0) or principal points (first 2) in pixels, in single precision.

    without: values for cameras without a sensor size.
    """
    size = model.cam_sensorsize
    has_lens = np.all(size != 0, axis=1, keepdims=True)
    share = model.cam_intrinsic[:, first : first + 2] / np.where(size == 0, np.float32(1), size)
    pixels = share * model.cam_resolution.astype(np.float32)
    return np.where(has_lens, pixels, without)


def check_camera_resolutions(model: Model) -> None:
    """Check resolutions: positive, and as compiled for cameras of rangefinders."""
    if model.ncam and model.cam_resolution.min() < 1:
        camera = int(np.argwhere(model.cam_resolution < 1)[0, 0])
        raise ModelError(
            f"cam_resolution[{camera}] is {model.cam_resolution[camera].tolist()}: expected "
            "at least one pixel in both directions"
        )
    for i in np.flatnonzero(model.sensor_type == SensorType.RANGEFINDER):
        if model.sensor_objtype[i] == ObjType.CAMERA:
            camera = int(model.sensor_objid[i])
            pixels = int(np.prod(model.cam_resolution[camera].astype(np.int64)))
            what = int(model.sensor_intprm[i, 0])
            numbers = sum(size for k, size in enumerate(RAY_DATA.values()) if what >> k & 1)
            if pixels * numbers != model.sensor_dim[i]:
                name = model.name_of("sensor", int(i))
                raise ModelError(
                    f"cam_resolution[{camera}] is {model.cam_resolution[camera].tolist()}: "
                    f"rangefinder {name!r} has room for {model.sensor_dim[i]} numbers; put it "
                    "back, or change the description and compile it again (cf.Spec)"
                )


def _insidesite_meshes(model: Model) -> np.ndarray:
    """Meshes of sites of insidesite sensors."""
    sites = model.sensor_refid[model.sensor_type == SensorType.INSIDESITE]
    meshed = sites[model.site_type[sites] == GeomType.MESH]
    found: np.ndarray = model.site_dataid[meshed]
    return found


def _set_polygon_distances(model: Model, mesh: int) -> None:
    """Set mesh_polydist: distances of the polygons of a hull from the origin of the mesh."""
    first = int(model.mesh_polyadr[mesh])
    polygons = slice(first, first + int(model.mesh_polynum[mesh]))
    corners = model.mesh_polyvert[model.mesh_polyvertadr[polygons]] + model.mesh_vertadr[mesh]
    places = model.mesh_vert[corners].astype(np.float64)
    model.mesh_polydist[polygons] = (model.mesh_polynormal[polygons] * places).sum(axis=1)


def insidesite_shape_sensors(model: Model) -> np.ndarray:
    """insidesite sensors with `enclosed`: whether a whole shape is inside of a site.

    MuJoCo searches for the outermost point, and may stop far from it; its values depend on the
    search.
    """
    inside = model.sensor_type == SensorType.INSIDESITE
    return np.flatnonzero(inside & (model.sensor_intprm[:, 0] != 0))
