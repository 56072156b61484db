"""Enumerations, with MuJoCo's values; those of sensors and actuators are their tables."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any

from cortenforge.actuators import Bias as Bias
from cortenforge.actuators import Dynamics as Dynamics
from cortenforge.actuators import Gain as Gain
from cortenforge.actuators import Transmission as Transmission
from cortenforge.sensors import DataType as DataType
from cortenforge.sensors import SensorType as SensorType
from cortenforge.sensors import Stage as Stage
from cortenforge.suggest import unknown_attribute


class JointType(IntEnum):
    """mjtJoint."""

    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3


class SdfShape(IntEnum):
    """Distance functions of geoms of type sdf; those of MuJoCo's plugins have their names."""

    NONE = 0  # nothing is given: nothing touches it
    MESH = 1  # the octree of its mesh
    GRID = 2
    BOLT = 3
    GEAR = 4
    NUT = 5
    # distances of these are exact: gradients lead from the nearest point
    BOWL = 6
    TORUS = 7


class GeomType(IntEnum):
    """mjtGeom, the types a model can hold."""

    PLANE = 0
    HFIELD = 1
    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7
    SDF = 8


class ObjType(IntEnum):
    """mjtObj: types of objects that can be referred to."""

    UNKNOWN = 0
    BODY = 1
    XBODY = 2
    JOINT = 3
    DOF = 4
    GEOM = 5
    SITE = 6
    CAMERA = 7
    LIGHT = 8
    FLEX = 9
    MESH = 10
    SKIN = 11
    HFIELD = 12
    TEXTURE = 13
    MATERIAL = 14
    PAIR = 15
    EXCLUDE = 16
    EQUALITY = 17
    TENDON = 18
    ACTUATOR = 19
    SENSOR = 20
    NUMERIC = 21
    TEXT = 22
    TUPLE = 23
    KEY = 24
    PLUGIN = 25


class CamLight(IntEnum):
    """mjtCamLight: how a camera or light follows its body."""

    FIXED = 0
    TRACK = 1
    TRACKCOM = 2
    TARGETBODY = 3
    TARGETBODYCOM = 4


class SameFrame(IntEnum):
    """mjtSameFrame: which frame of the body an object coincides with."""

    NONE = 0
    BODY = 1
    INERTIA = 2
    BODYROT = 3
    INERTIAROT = 4


class EqualityType(IntEnum):
    """mjtEq, the types a model can hold; MuJoCo keeps the number of DISTANCE and has none."""

    CONNECT = 0
    WELD = 1
    JOINT = 2
    TENDON = 3
    DISTANCE = 7


class WrapType(IntEnum):
    """mjtWrap: what a step of a tendon's path is."""

    JOINT = 1
    PULLEY = 2
    SITE = 3
    SPHERE = 4
    CYLINDER = 5


class TendonType(IntEnum):
    """mjtTendon."""

    FIXED = 0
    SPATIAL = 1


class ConstraintType(IntEnum):
    """What a row of constraints is of."""

    EQUALITY = 0
    FRICTION_DOF = 1
    FRICTION_TENDON = 2
    LIMIT_JOINT = 3
    LIMIT_TENDON = 4
    CONTACT_FRICTIONLESS = 5
    CONTACT_PYRAMIDAL = 6
    CONTACT_ELLIPTIC = 7


class ConstraintState(IntEnum):
    """In which part of its cost a row is."""

    SATISFIED = 0
    QUADRATIC = 1
    LINEARNEG = 2
    LINEARPOS = 3
    CONE = 4


class Integrator(IntEnum):
    """mjtIntegrator; from 100 on, kinds of our own."""

    EULER = 0
    RK4 = 1
    IMPLICIT = 2
    IMPLICITFAST = 3
    DISCRETE = 4
    IMPLICITSPRINGDAMPER = 100


class Cone(IntEnum):
    """mjtCone."""

    PYRAMIDAL = 0
    ELLIPTIC = 1


class Jacobian(IntEnum):
    """mjtJacobian."""

    DENSE = 0
    SPARSE = 1
    AUTO = 2


class Solver(IntEnum):
    """mjtSolver."""

    PGS = 0
    CG = 1
    NEWTON = 2


class Disable(IntFlag):
    """mjtDisableBit: parts of the physics that are switched off."""

    CONSTRAINT = 1 << 0
    EQUALITY = 1 << 1
    FRICTIONLOSS = 1 << 2
    LIMIT = 1 << 3
    CONTACT = 1 << 4
    SPRING = 1 << 5
    DAMPER = 1 << 6
    GRAVITY = 1 << 7
    CLAMPCTRL = 1 << 8
    WARMSTART = 1 << 9
    FILTERPARENT = 1 << 10
    ACTUATION = 1 << 11
    REFSAFE = 1 << 12
    SENSOR = 1 << 13
    MIDPHASE = 1 << 14
    EULERDAMP = 1 << 15
    AUTORESET = 1 << 16
    NATIVECCD = 1 << 17
    ISLAND = 1 << 18
    MULTICCD = 1 << 19


class Enable(IntFlag):
    """mjtEnableBit: optional parts of the physics that are switched on."""

    OVERRIDE = 1 << 0
    ENERGY = 1 << 1
    FWDINV = 1 << 2
    INVDISCRETE = 1 << 3
    SLEEP = 1 << 4
    DIAGEXACT = 1 << 5
    IPC = 1 << 6
    SPECULATIVE = 1 << 7


class SoftType(IntEnum):
    """What a deformable is made of; MuJoCo has no such bodies."""

    CLOTH = 0
    SOFTBODY = 1
    CHAIN = 2


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """MuJoCo's names of enumerations, with its `mjt` or without, are answered by ours."""
        known = [other for other, value in globals().items() if isinstance(value, type)]
        raise unknown_attribute(__name__, name, () if name.startswith("_") else known)
