"""What each kind of sensor reports: how many numbers, of which type, after which stage."""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.enums import DataType, SensorType, Stage


@dataclass(frozen=True)
class SensorRow:
    """One type of sensor; dim 0 means that it depends on the sensor."""

    type: SensorType
    dim: int
    stage: Stage
    data: DataType = DataType.REAL


STAGE_POS, STAGE_VEL, STAGE_ACC = Stage.POS, Stage.VEL, Stage.ACC

SENSOR_TYPES: dict[str, SensorRow] = {
    "touch": SensorRow(SensorType.TOUCH, 1, STAGE_ACC, DataType.POSITIVE),
    "accelerometer": SensorRow(SensorType.ACCELEROMETER, 3, STAGE_ACC),
    "velocimeter": SensorRow(SensorType.VELOCIMETER, 3, STAGE_VEL),
    "gyro": SensorRow(SensorType.GYRO, 3, STAGE_VEL),
    "force": SensorRow(SensorType.FORCE, 3, STAGE_ACC),
    "torque": SensorRow(SensorType.TORQUE, 3, STAGE_ACC),
    "magnetometer": SensorRow(SensorType.MAGNETOMETER, 3, STAGE_POS),
    "rangefinder": SensorRow(SensorType.RANGEFINDER, 0, STAGE_POS),
    "camprojection": SensorRow(SensorType.CAMPROJECTION, 2, STAGE_POS),
    "jointpos": SensorRow(SensorType.JOINTPOS, 1, STAGE_POS),
    "jointvel": SensorRow(SensorType.JOINTVEL, 1, STAGE_VEL),
    "tendonpos": SensorRow(SensorType.TENDONPOS, 1, STAGE_POS),
    "tendonvel": SensorRow(SensorType.TENDONVEL, 1, STAGE_VEL),
    "actuatorpos": SensorRow(SensorType.ACTUATORPOS, 0, STAGE_POS),
    "actuatorvel": SensorRow(SensorType.ACTUATORVEL, 0, STAGE_VEL),
    "actuatorfrc": SensorRow(SensorType.ACTUATORFRC, 0, STAGE_ACC),
    "jointactuatorfrc": SensorRow(SensorType.JOINTACTFRC, 1, STAGE_ACC),
    "tendonactuatorfrc": SensorRow(SensorType.TENDONACTFRC, 1, STAGE_ACC),
    "ballquat": SensorRow(SensorType.BALLQUAT, 4, STAGE_POS, DataType.QUATERNION),
    "ballangvel": SensorRow(SensorType.BALLANGVEL, 3, STAGE_VEL),
    "jointlimitpos": SensorRow(SensorType.JOINTLIMITPOS, 1, STAGE_POS),
    "jointlimitvel": SensorRow(SensorType.JOINTLIMITVEL, 1, STAGE_VEL),
    "jointlimitfrc": SensorRow(SensorType.JOINTLIMITFRC, 1, STAGE_ACC),
    "tendonlimitpos": SensorRow(SensorType.TENDONLIMITPOS, 1, STAGE_POS),
    "tendonlimitvel": SensorRow(SensorType.TENDONLIMITVEL, 1, STAGE_VEL),
    "tendonlimitfrc": SensorRow(SensorType.TENDONLIMITFRC, 1, STAGE_ACC),
    "framepos": SensorRow(SensorType.FRAMEPOS, 3, STAGE_POS),
    "framequat": SensorRow(SensorType.FRAMEQUAT, 4, STAGE_POS, DataType.QUATERNION),
    "framexaxis": SensorRow(SensorType.FRAMEXAXIS, 3, STAGE_POS, DataType.AXIS),
    "frameyaxis": SensorRow(SensorType.FRAMEYAXIS, 3, STAGE_POS, DataType.AXIS),
    "framezaxis": SensorRow(SensorType.FRAMEZAXIS, 3, STAGE_POS, DataType.AXIS),
    "framelinvel": SensorRow(SensorType.FRAMELINVEL, 3, STAGE_VEL),
    "frameangvel": SensorRow(SensorType.FRAMEANGVEL, 3, STAGE_VEL),
    "framelinacc": SensorRow(SensorType.FRAMELINACC, 3, STAGE_ACC),
    "frameangacc": SensorRow(SensorType.FRAMEANGACC, 3, STAGE_ACC),
    "subtreecom": SensorRow(SensorType.SUBTREECOM, 3, STAGE_POS),
    "subtreelinvel": SensorRow(SensorType.SUBTREELINVEL, 3, STAGE_VEL),
    "subtreeangmom": SensorRow(SensorType.SUBTREEANGMOM, 3, STAGE_VEL),
    "insidesite": SensorRow(SensorType.INSIDESITE, 1, STAGE_POS, DataType.POSITIVE),
    "distance": SensorRow(SensorType.GEOMDIST, 1, STAGE_POS),
    "normal": SensorRow(SensorType.GEOMNORMAL, 3, STAGE_POS, DataType.AXIS),
    "fromto": SensorRow(SensorType.GEOMFROMTO, 6, STAGE_POS),
    "contact": SensorRow(SensorType.CONTACT, 0, STAGE_POS),
    "e_potential": SensorRow(SensorType.E_POTENTIAL, 1, STAGE_POS),
    "e_kinetic": SensorRow(SensorType.E_KINETIC, 1, STAGE_POS),
    "clock": SensorRow(SensorType.CLOCK, 1, STAGE_POS),
    "tactile": SensorRow(SensorType.TACTILE, 0, STAGE_VEL),
    "touchgrid": SensorRow(SensorType.PLUGIN, 0, STAGE_ACC),
    "user": SensorRow(SensorType.USER, 0, STAGE_ACC),
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
REDUCTION_CODES = ("none", "mindist", "maxforce", "netforce")


def field_bits(fields: dict[str, int], data: list[str]) -> int:
    """Data fields as bits."""
    return sum(1 << number for number, name in enumerate(fields) if name in data)


def contact_sensor_stage(data: list[str], reduce: str) -> Stage:
    """The first stage after which a contact sensor has what it reports."""
    if {"force", "torque"} & set(data) or reduce in ("maxforce", "netforce"):
        return STAGE_ACC
    return STAGE_VEL if {"linvel", "angvel"} & set(data) else STAGE_POS
