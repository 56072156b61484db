"""What kernels want to know about the sensors of a model, and what is missing of their physics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable, GeomType, SensorType
from cortenforge.step.sensing.kinds import GROUPS, OF_CONTACTS, OF_LIMITS, SAMPLED, USER_GROUPS

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def look_at_sensors(model: Model) -> None:
    """Take over which groups of sensors are to be read, and the lenses of cameras."""
    off = Disable(model.opt.disableflags) & Disable.SENSOR
    model.sensing = 0 if off else _groups(model)
    model.cam_focal[:] = _focal_lengths(model)
    for mesh in np.unique(_meshes_to_be_in(model)).tolist():
        _measure_hull(model, mesh)


def _groups(model: Model) -> int:
    """Groups of all sensors whose physics is there, as bits."""
    groups = 0
    for kind in np.unique(model.sensor_type):
        groups |= GROUPS.get(int(kind), 0)
    for stage in np.unique(model.sensor_needstage[model.sensor_type == SensorType.USER]):
        groups |= USER_GROUPS[int(stage)]
    return groups | (SAMPLED if np.any(model.sensor_history[:, 0] > 0) else 0)


def _focal_lengths(model: Model) -> np.ndarray:
    """Focal lengths in pixels, in single precision as MuJoCo works them out."""
    size = model.cam_sensorsize
    has_lens = np.all(size != 0, axis=1, keepdims=True)
    share = model.cam_intrinsic[:, :2] / np.where(size == 0, np.float32(1), size)
    pixels = share * model.cam_resolution.astype(np.float32)
    return np.where(has_lens, pixels, np.float32(0))


def _meshes_to_be_in(model: Model) -> np.ndarray:
    """Meshes of sites of which sensors ask what is inside."""
    sites = model.sensor_refid[model.sensor_type == SensorType.INSIDESITE]
    meshed = sites[model.site_type[sites] == GeomType.MESH]
    found: np.ndarray = model.site_dataid[meshed]
    return found


def _measure_hull(model: Model, mesh: int) -> None:
    """Work out how far the polygons of a mesh's hull are from its origin."""
    first = int(model.mesh_polyadr[mesh])
    polygons = slice(first, first + int(model.mesh_polynum[mesh]))
    corners = model.mesh_polyvert[model.mesh_polyvertadr[polygons]] + model.mesh_vertadr[mesh]
    places = model.mesh_vert[corners].astype(np.float64)
    model.mesh_polydist[polygons] = (model.mesh_polynormal[polygons] * places).sum(axis=1)


def missing_types(model: Model) -> dict[str, np.ndarray]:
    """Sensors whose types have no physics yet, by the types' names."""
    kinds = model.sensor_type
    return {
        SensorType(kind).name.lower(): np.flatnonzero(kinds == kind)
        for kind in np.unique(kinds).tolist()
        if kind not in GROUPS
    }


def of_contacts(model: Model) -> np.ndarray:
    """Sensors that read contacts."""
    return np.flatnonzero(np.isin(model.sensor_type, OF_CONTACTS))


def of_limits(model: Model) -> np.ndarray:
    """Sensors that read limits of joints and tendons."""
    return np.flatnonzero(np.isin(model.sensor_type, OF_LIMITS))


def of_shapes_inside(model: Model) -> np.ndarray:
    """Sensors that ask how far a whole shape is inside of a site.

    MuJoCo searches for the point that is farthest out, and may stop far from it; its numbers are
    those of the search.
    """
    inside = model.sensor_type == SensorType.INSIDESITE
    return np.flatnonzero(inside & (model.sensor_intprm[:, 0] != 0))
