"""Exceptions in the comparison of sensors: where MuJoCo is not the reference, and why.

An excused reading is copied from our side, together with its history, so that a delayed reading is
not compared again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.compare.oracle import mujoco_module
from cortenforge.compare.sampled_distance import convex_distance
from cortenforge.enums import ObjType, SensorType, Stage, Transmission

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = ["excuse_readings"]

#: tolerance of distances of convex geoms
SEARCH_TOLERANCE = 1e-6
#: error of our distance over MuJoCo's that is accepted
CHANCE_FACTOR = 2.0
#: sensors of nearest points, which may not be unique
NEAREST_POINT_SENSORS = (SensorType.GEOMNORMAL, SensorType.GEOMFROMTO)


def excuse_readings(data: Data, reference: Any, theirs: Any) -> None:
    """Copy readings that are not to be compared from our side to MuJoCo's."""
    model = data.model
    for i, kind in enumerate(model.sensor_type):
        for ours, others in _reading_pairs(data, theirs, i):
            apart = np.flatnonzero(ours != others)
            if not len(apart):
                continue
            if kind == SensorType.GEOMDIST:
                excused = _is_nearer_exact(data, i, ours[apart], others[apart])
            elif kind == SensorType.RANGEFINDER:
                excused = _is_missed_ray(data, reference, theirs, i, ours[apart], others[apart])
            else:
                excused = np.full(
                    len(apart), kind in NEAREST_POINT_SENSORS or _reads_own_contacts(model, i)
                )
            others[apart[excused]] = ours[apart[excused]]


def _reading_pairs(data: Data, theirs: Any, i: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Readings of a sensor in both engines, then its history, if it has one."""
    model = data.model
    now = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
    yield data.sensordata[now], theirs.sensordata[now]
    start = model.sensor_historyadr[i]
    if start >= 0:
        starts = np.sort(model.sensor_historyadr[model.sensor_historyadr >= 0])
        ends = np.append(starts, model.nhistory)
        past = slice(start, ends[np.searchsorted(ends, start, "right")])
        yield data.history[past], theirs.history[past]


def _reads_own_contacts(model: Model, i: int) -> bool:
    """Whether a reading depends on our own contacts, while all else uses MuJoCo's.

    These are delayed readings of contacts, and velocities of adhesion actuators.
    """
    kind, delayed = model.sensor_type[i], model.sensor_historyadr[i] >= 0
    if kind == SensorType.ACTUATORVEL:
        return bool(model.actuator_trntype[model.sensor_objid[i]] == Transmission.BODY)
    return bool(kind == SensorType.CONTACT and model.sensor_needstage[i] < Stage.ACC and delayed)


def _is_nearer_exact(data: Data, i: int, ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Which distances have about the error of MuJoCo's, or less.

    MuJoCo takes contacts of analytic pairs for distances, which is not the least depth at deep
    penetration. Where both searches run out of iterations, as for two coincident cylinders, either
    may be nearer.
    """
    close: np.ndarray = np.abs(ours - theirs) <= SEARCH_TOLERANCE
    exact = None if close.all() else _exact_distance(data, i)
    if exact is None:
        return close
    return close | (np.abs(ours - exact) <= CHANCE_FACTOR * np.abs(theirs - exact))


def _exact_distance(data: Data, i: int) -> float | None:
    """Exact least distance of the geoms of a sensor's objects; None if unknown."""
    model = data.model
    objects = (
        (model.sensor_objtype[i], model.sensor_objid[i]),
        (model.sensor_reftype[i], model.sensor_refid[i]),
    )
    ones, others = (_geoms(model, kind, number) for kind, number in objects)
    found = [convex_distance(data, one, other) for one in ones for other in others]
    if None in found:
        return None
    return min([float(model.sensor_cutoff[i]), *(far for far in found if far is not None)])


def _geoms(model: Model, kind: int, number: int) -> range:
    if kind != ObjType.BODY:
        return range(number, number + 1)
    first = int(model.body_geomadr[number])
    return range(first, first + int(model.body_geomnum[number]))


def _is_missed_ray(
    data: Data, reference: Any, theirs: Any, i: int, ours: np.ndarray, others: np.ndarray
) -> np.ndarray:
    """Which rays hit nothing but are reported differently, or miss a geom in MuJoCo by mistake.

    A rangefinder without a hit reads -1, which MuJoCo's cutoff changes. Rays of cameras skip a body
    if they miss those of its geoms that can collide, and so miss the others; the same ray by
    itself, along the axis of a camera with one pixel, hits them in MuJoCo as well.
    """
    model, camera = data.model, data.model.sensor_objid[i]
    cutoff = model.sensor_cutoff[i]
    excused: np.ndarray = (cutoff > 0) & (ours == -1) & (others == -cutoff)
    if model.sensor_objtype[i] == ObjType.CAMERA and model.sensor_dim[i] == 1:
        along = -theirs.cam_xmat[camera].reshape(3, 3)[:, 2]
        geom, body = np.zeros((1, 1), np.int32), int(model.cam_bodyid[camera])
        start = theirs.cam_xpos[camera]
        far = mujoco_module().mj_ray(reference, theirs, start, along, None, 1, body, geom)
        excused |= (others == -1) & (np.abs(ours - far) <= 1e-9)
    return excused
