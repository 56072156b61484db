"""What sensors feel, where they feel it: forces and torques as arrows, frames of IMUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SensorType
from cortenforge.render.options import RenderOptions
from cortenforge.render.pieces import Decor

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: sensors of which inertial units are made: what they read is along the axes of their sites
INERTIAL = (
    SensorType.ACCELEROMETER, SensorType.GYRO, SensorType.VELOCIMETER, SensorType.MAGNETOMETER,
)  # fmt: skip


def force_length(model: Model, options: RenderOptions) -> float:
    """Metres that an arrow is long for a newton.  As MuJoCo, times `options.forcescale`."""
    return float(model.vis.map.force / model.stat_meanmass) * float(options.forcescale)


def add_senses(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Readings of force and torque sensors as arrows from their sites, and axes of IMUs."""
    size, scale = float(model.stat_meansize), model.vis.scale
    kinds, objects = np.asarray(model.sensor_type), np.asarray(model.sensor_objid)
    for site in np.unique(objects[np.isin(kinds, INERTIAL)]).tolist():
        pos, mat = np.array(data.site_xpos[site]), np.reshape(data.site_xmat[site], (3, 3))
        decor.frame(pos, mat, float(scale.framelength) * size, float(scale.framewidth) * size)
    per_torque = float(model.vis.map.torque / model.stat_meanmass)
    width, rgba = float(scale.forcewidth) * size, model.vis.rgba
    arrows = {
        int(SensorType.FORCE): (force_length(model, options), rgba.contactforce),
        int(SensorType.TORQUE): (per_torque, rgba.contacttorque),
    }
    for i in np.flatnonzero(np.isin(kinds, list(arrows))).tolist():
        length, colour = arrows[int(kinds[i])]
        site, at = int(objects[i]), int(model.sensor_adr[i])
        pos, mat = np.array(data.site_xpos[site]), np.reshape(data.site_xmat[site], (3, 3))
        felt = mat @ np.array(data.sensordata[at : at + 3])
        more = {"objtype": ObjType.SENSOR, "objid": i}
        decor.arrow(pos, pos + length * felt, width, colour, **more)
