"""Sensor types as plain numbers, and the groups of sensors that one kernel computes."""

from __future__ import annotations

from cortenforge.enums import DataType, GeomType, SensorType, Stage

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
ACTUATORPOS = int(SensorType.ACTUATORPOS)
ACTUATORVEL = int(SensorType.ACTUATORVEL)
ACTUATORFRC = int(SensorType.ACTUATORFRC)
JOINTACTFRC = int(SensorType.JOINTACTFRC)
TENDONACTFRC = int(SensorType.TENDONACTFRC)
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
GEOMDIST = int(SensorType.GEOMDIST)
GEOMNORMAL = int(SensorType.GEOMNORMAL)
GEOMFROMTO = int(SensorType.GEOMFROMTO)
E_POTENTIAL = int(SensorType.E_POTENTIAL)
E_KINETIC = int(SensorType.E_KINETIC)
CLOCK = int(SensorType.CLOCK)
TOUCH = int(SensorType.TOUCH)
CONTACT = int(SensorType.CONTACT)
TACTILE = int(SensorType.TACTILE)
USER = int(SensorType.USER)
#: the only plugin: the touch grid
GRID = int(SensorType.PLUGIN)
FIRST_LIMIT = int(SensorType.JOINTLIMITPOS)
LAST_LIMIT = int(SensorType.TENDONLIMITFRC)
TENDONLIMITPOS = int(SensorType.TENDONLIMITPOS)
#: geom distance sensors
OF_DISTANCES = (GEOMDIST, GEOMNORMAL, GEOMFROMTO)

REAL = int(DataType.REAL)
POSITIVE = int(DataType.POSITIVE)
AXIS = int(DataType.AXIS)
QUATERNION = int(DataType.QUATERNION)

POS = int(Stage.POS)
VEL = int(Stage.VEL)
ACC = int(Stage.ACC)

SPHERE = int(GeomType.SPHERE)
CAPSULE = int(GeomType.CAPSULE)
ELLIPSOID = int(GeomType.ELLIPSOID)
CYLINDER = int(GeomType.CYLINDER)
MESH = int(GeomType.MESH)

#: bits of `m.sensing`: groups of sensors that one kernel computes
POSITIONS = 1
PROJECTIONS = 2
INSIDES = 4
POTENTIALS = 8
KINETICS = 16
VELOCITIES = 32
MOMENTA = 64
ACCELERATIONS = 128
DRIVES = 256
#: user sensors of each stage
USER_POSITIONS = 512
USER_VELOCITIES = 1024
USER_ACCELERATIONS = 2048
RANGES = 4096
TOUCHES = 8192
CONTACTS = 16384
TACTILES = 32768
LIMITS = 65536
GRIDS = 131072
DISTANCES = 1 << 19
#: a bit for sensors with a history, of any group
SAMPLED = 1 << 20

#: group of each supported type
GROUPS: dict[int, int] = {
    **dict.fromkeys((JOINTPOS, TENDONPOS, ACTUATORPOS, BALLQUAT, MAGNETOMETER), POSITIONS),
    **dict.fromkeys((SUBTREECOM, CLOCK), POSITIONS),
    **dict.fromkeys((FRAMEPOS, FRAMEQUAT, FRAMEXAXIS, FRAMEYAXIS, FRAMEZAXIS), POSITIONS),
    CAMPROJECTION: PROJECTIONS,
    RANGEFINDER: RANGES,
    **dict.fromkeys(OF_DISTANCES, DISTANCES),
    INSIDESITE: INSIDES,
    E_POTENTIAL: POTENTIALS,
    E_KINETIC: KINETICS,
    **dict.fromkeys((JOINTVEL, TENDONVEL, BALLANGVEL, VELOCIMETER, GYRO), VELOCITIES),
    **dict.fromkeys((ACTUATORVEL, FRAMELINVEL, FRAMEANGVEL), VELOCITIES),
    **dict.fromkeys((SUBTREELINVEL, SUBTREEANGMOM), MOMENTA),
    **dict.fromkeys((ACCELEROMETER, FORCE, TORQUE, FRAMELINACC, FRAMEANGACC), ACCELERATIONS),
    **dict.fromkeys((ACTUATORFRC, JOINTACTFRC, TENDONACTFRC), DRIVES),
    TOUCH: TOUCHES,
    CONTACT: CONTACTS,
    TACTILE: TACTILES,
    GRID: GRIDS,
    **dict.fromkeys(range(FIRST_LIMIT, LAST_LIMIT + 1), LIMITS),
    # by stage, below
    USER: 0,
}

#: group of user sensors by stage
USER_GROUPS: dict[int, int] = {
    POS: USER_POSITIONS,
    VEL: USER_VELOCITIES,
    ACC: USER_ACCELERATIONS,
}
