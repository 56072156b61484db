"""Types of sensors as plain numbers, and which kernels they need."""

from __future__ import annotations

from cortenforge.enums import DataType, GeomType, ObjType, SensorType

ACCELEROMETER = int(SensorType.ACCELEROMETER)
VELOCIMETER = int(SensorType.VELOCIMETER)
GYRO = int(SensorType.GYRO)
FORCE = int(SensorType.FORCE)
TORQUE = int(SensorType.TORQUE)
MAGNETOMETER = int(SensorType.MAGNETOMETER)
RANGEFINDER = int(SensorType.RANGEFINDER)
CAMPROJECTION = int(SensorType.CAMPROJECTION)
JOINTPOS = int(SensorType.JOINTPOS)
JOINTVEL = int(SensorType.JOINTVEL)
TENDONPOS = int(SensorType.TENDONPOS)
TENDONVEL = int(SensorType.TENDONVEL)
BALLQUAT = int(SensorType.BALLQUAT)
BALLANGVEL = int(SensorType.BALLANGVEL)
FRAMEPOS = int(SensorType.FRAMEPOS)
FRAMEQUAT = int(SensorType.FRAMEQUAT)
FRAMEXAXIS = int(SensorType.FRAMEXAXIS)
FRAMEYAXIS = int(SensorType.FRAMEYAXIS)
FRAMEZAXIS = int(SensorType.FRAMEZAXIS)
FRAMELINVEL = int(SensorType.FRAMELINVEL)
FRAMEANGVEL = int(SensorType.FRAMEANGVEL)
FRAMELINACC = int(SensorType.FRAMELINACC)
FRAMEANGACC = int(SensorType.FRAMEANGACC)
SUBTREECOM = int(SensorType.SUBTREECOM)
SUBTREELINVEL = int(SensorType.SUBTREELINVEL)
SUBTREEANGMOM = int(SensorType.SUBTREEANGMOM)
INSIDESITE = int(SensorType.INSIDESITE)
E_POTENTIAL = int(SensorType.E_POTENTIAL)
E_KINETIC = int(SensorType.E_KINETIC)
CLOCK = int(SensorType.CLOCK)

REAL = int(DataType.REAL)
POSITIVE = int(DataType.POSITIVE)

BODY = int(ObjType.BODY)
XBODY = int(ObjType.XBODY)
GEOM = int(ObjType.GEOM)
SITE = int(ObjType.SITE)
CAMERA = int(ObjType.CAMERA)

SPHERE = int(GeomType.SPHERE)
CAPSULE = int(GeomType.CAPSULE)
ELLIPSOID = int(GeomType.ELLIPSOID)
CYLINDER = int(GeomType.CYLINDER)

#: bits of `m.sensing`: groups of sensors that one kernel reads
POSITIONS = 1
PROJECTIONS = 2
INSIDES = 4
POTENTIALS = 8
KINETICS = 16
VELOCITIES = 32
MOMENTA = 64
ACCELERATIONS = 128
RANGES = 4096

#: the group of each type whose physics is there
GROUPS: dict[int, int] = {
    **dict.fromkeys((JOINTPOS, TENDONPOS, BALLQUAT, MAGNETOMETER), POSITIONS),
    **dict.fromkeys((SUBTREECOM, CLOCK), POSITIONS),
    **dict.fromkeys((FRAMEPOS, FRAMEQUAT, FRAMEXAXIS, FRAMEYAXIS, FRAMEZAXIS), POSITIONS),
    CAMPROJECTION: PROJECTIONS,
    RANGEFINDER: RANGES,
    INSIDESITE: INSIDES,
    E_POTENTIAL: POTENTIALS,
    E_KINETIC: KINETICS,
    **dict.fromkeys((JOINTVEL, TENDONVEL, BALLANGVEL, VELOCIMETER, GYRO), VELOCITIES),
    **dict.fromkeys((FRAMELINVEL, FRAMEANGVEL), VELOCITIES),
    **dict.fromkeys((SUBTREELINVEL, SUBTREEANGMOM), MOMENTA),
    **dict.fromkeys((ACCELEROMETER, FORCE, TORQUE, FRAMELINACC, FRAMEANGACC), ACCELERATIONS),
}
