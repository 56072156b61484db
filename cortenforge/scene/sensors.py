"""Sensors: forces and torques as arrows, frames of IMUs, faces of tactile sensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SensorType
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.flags import DOUBLE_SIDED
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.surfaces_and_tubes import Surface

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

ARROW_SENSORS = (SensorType.FORCE, SensorType.TORQUE)
#: sensors of inertial units: others that report a vector in the frame of their sites
IMU_SENSORS = tuple(
    kind
    for kind in SensorType
    if kind.attached == "site" and kind.dim == 3 and kind not in ARROW_SENSORS
)
#: alpha of triangles without contact
UNTOUCHED_ALPHA = 0.1


def metres_per_newton(model: Model, options: RenderOptions) -> float:
    """Length of a force arrow in metres per newton: MuJoCo's, times `options.forcescale`."""
    return float(model.vis.map.force / model.stat_meanmass) * float(options.forcescale)


def add_sensors(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add readings of force and torque sensors as arrows, and frames of IMUs."""
    size, scale = float(model.stat_meansize), model.vis.scale
    kinds, objects = np.asarray(model.sensor_type), np.asarray(model.sensor_objid)
    for site in np.unique(objects[np.isin(kinds, IMU_SENSORS)]).tolist():
        pos, mat = np.array(data.site_xpos[site]), np.reshape(data.site_xmat[site], (3, 3))
        decor.frame(pos, mat, float(scale.framelength) * size, float(scale.framewidth) * size)
    per_torque = float(model.vis.map.torque / model.stat_meanmass)
    width, rgba = float(scale.forcewidth) * size, model.vis.rgba
    looks = (
        (metres_per_newton(model, options), rgba.contactforce),
        (per_torque, rgba.contacttorque),
    )
    arrows = dict(zip(map(int, ARROW_SENSORS), looks, strict=True))
    for i in np.flatnonzero(np.isin(kinds, list(arrows))).tolist():
        length, colour = arrows[int(kinds[i])]
        site, at = int(objects[i]), int(model.sensor_adr[i])
        pos, mat = np.array(data.site_xpos[site]), np.reshape(data.site_xmat[site], (3, 3))
        reading = mat @ np.array(data.sensordata[at : at + 3])
        more = {"objtype": ObjType.SENSOR, "objid": i}
        decor.arrow(pos, pos + length * reading, width, colour, **more)


def add_tactile_sensors(decor: Decor, model: Model, data: Data) -> None:
    """Add faces of tactile sensors: red by penetration, green and blue by sliding velocity."""
    for i in np.flatnonzero(np.asarray(model.sensor_type) == SensorType.TACTILE).tolist():
        mesh, geom = int(model.sensor_objid[i]), int(model.sensor_refid[i])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        at = int(model.sensor_adr[i])
        reading = np.array(data.sensordata[at : at + int(model.sensor_dim[i])]).reshape(-1, count)
        most = float(np.abs(reading[0]).max(initial=0.0))
        if most == 0.0:
            continue
        start = int(model.mesh_faceadr[mesh])
        face = np.asarray(model.mesh_face[start : start + int(model.mesh_facenum[mesh])])
        mat = np.reshape(data.geom_xmat[geom], (3, 3))
        vert = np.asarray(model.mesh_vert[first : first + count], float) @ mat.T
        vert = vert + data.geom_xpos[geom]
        corners = np.abs(reading[:3, face])
        shares = corners.sum(2) / np.maximum((corners > 0).sum(2), 1) / most
        colours = np.zeros((len(face), 4))
        colours[:, : len(shares)] = shares.T
        colours[:, 3] = np.where(shares.any(0), 1.0, UNTOUCHED_ALPHA)
        for triangle, rgba in zip(face, colours, strict=True):
            decor.extra.append(
                Surface(
                    vert[triangle], [[0, 1, 2]], rgba, flat=True, flags=DOUBLE_SIDED,
                    objtype=ObjType.SENSOR, objid=i,
                )
            )  # fmt: skip
