"""What each kind of sensor reports: how many numbers, of which type, after which stage."""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.enums import DataType, SensorType, Stage


@dataclass(frozen=True)
class Row:
    """One type of sensor; dim 0 means that it depends on the sensor."""

    type: SensorType
    dim: int
    stage: Stage
    data: DataType = DataType.REAL


POS, VEL, ACC = Stage.POS, Stage.VEL, Stage.ACC

SENSOR_TYPES: dict[str, Row] = {
    "touch": Row(SensorType.TOUCH, 1, ACC, DataType.POSITIVE),
    "accelerometer": Row(SensorType.ACCELEROMETER, 3, ACC),
    "velocimeter": Row(SensorType.VELOCIMETER, 3, VEL),
    "gyro": Row(SensorType.GYRO, 3, VEL),
    "force": Row(SensorType.FORCE, 3, ACC),
    "torque": Row(SensorType.TORQUE, 3, ACC),
    "magnetometer": Row(SensorType.MAGNETOMETER, 3, POS),
    "rangefinder": Row(SensorType.RANGEFINDER, 0, POS),
    "camprojection": Row(SensorType.CAMPROJECTION, 2, POS),
    "jointpos": Row(SensorType.JOINTPOS, 1, POS),
    "jointvel": Row(SensorType.JOINTVEL, 1, VEL),
    "tendonpos": Row(SensorType.TENDONPOS, 1, POS),
    "tendonvel": Row(SensorType.TENDONVEL, 1, VEL),
    "actuatorpos": Row(SensorType.ACTUATORPOS, 0, POS),
    "actuatorvel": Row(SensorType.ACTUATORVEL, 0, VEL),
    "actuatorfrc": Row(SensorType.ACTUATORFRC, 0, ACC),
    "jointactuatorfrc": Row(SensorType.JOINTACTFRC, 1, ACC),
    "tendonactuatorfrc": Row(SensorType.TENDONACTFRC, 1, ACC),
    "ballquat": Row(SensorType.BALLQUAT, 4, POS, DataType.QUATERNION),
    "ballangvel": Row(SensorType.BALLANGVEL, 3, VEL),
    "jointlimitpos": Row(SensorType.JOINTLIMITPOS, 1, POS),
    "jointlimitvel": Row(SensorType.JOINTLIMITVEL, 1, VEL),
    "jointlimitfrc": Row(SensorType.JOINTLIMITFRC, 1, ACC),
    "tendonlimitpos": Row(SensorType.TENDONLIMITPOS, 1, POS),
    "tendonlimitvel": Row(SensorType.TENDONLIMITVEL, 1, VEL),
    "tendonlimitfrc": Row(SensorType.TENDONLIMITFRC, 1, ACC),
    "framepos": Row(SensorType.FRAMEPOS, 3, POS),
    "framequat": Row(SensorType.FRAMEQUAT, 4, POS, DataType.QUATERNION),
    "framexaxis": Row(SensorType.FRAMEXAXIS, 3, POS, DataType.AXIS),
    "frameyaxis": Row(SensorType.FRAMEYAXIS, 3, POS, DataType.AXIS),
    "framezaxis": Row(SensorType.FRAMEZAXIS, 3, POS, DataType.AXIS),
    "framelinvel": Row(SensorType.FRAMELINVEL, 3, VEL),
    "frameangvel": Row(SensorType.FRAMEANGVEL, 3, VEL),
    "framelinacc": Row(SensorType.FRAMELINACC, 3, ACC),
    "frameangacc": Row(SensorType.FRAMEANGACC, 3, ACC),
    "subtreecom": Row(SensorType.SUBTREECOM, 3, POS),
    "subtreelinvel": Row(SensorType.SUBTREELINVEL, 3, VEL),
    "subtreeangmom": Row(SensorType.SUBTREEANGMOM, 3, VEL),
    "insidesite": Row(SensorType.INSIDESITE, 1, POS, DataType.POSITIVE),
    "distance": Row(SensorType.GEOMDIST, 1, POS),
    "normal": Row(SensorType.GEOMNORMAL, 3, POS, DataType.AXIS),
    "fromto": Row(SensorType.GEOMFROMTO, 6, POS),
    "contact": Row(SensorType.CONTACT, 0, POS),
    "e_potential": Row(SensorType.E_POTENTIAL, 1, POS),
    "e_kinetic": Row(SensorType.E_KINETIC, 1, POS),
    "clock": Row(SensorType.CLOCK, 1, POS),
    "tactile": Row(SensorType.TACTILE, 0, VEL),
    "touchgrid": Row(SensorType.PLUGIN, 0, ACC),
    "user": Row(SensorType.USER, 0, ACC),
}

# data fields with the count of their numbers, in the order of their bits
RAY_FIELDS = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}
CONTACT_FIELDS = {
    "found": 1,
    "force": 3,
    "torque": 3,
    "dist": 1,
    "pos": 3,
    "normal": 3,
    "tangent": 3,
    "linvel": 3,
    "angvel": 3,
}
REDUCTIONS = ("none", "mindist", "maxforce", "netforce")


def bits(fields: dict[str, int], data: list[str]) -> int:
    """Data fields as bits."""
    return sum(1 << number for number, name in enumerate(fields) if name in data)


def contact_stage(data: list[str], reduce: str) -> Stage:
    """The first stage after which a contact sensor has what it reports."""
    if {"force", "torque"} & set(data) or reduce in ("maxforce", "netforce"):
        return ACC
    return VEL if {"linvel", "angvel"} & set(data) else POS
