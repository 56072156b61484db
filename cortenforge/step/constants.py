"""Enumerations as plain integers, for kernels."""

from __future__ import annotations

from cortenforge.enums import (
    Bias,
    CamLight,
    Cone,
    ConstraintState,
    ConstraintType,
    Disable,
    Dynamics,
    Enable,
    EqualityType,
    Gain,
    GeomType,
    Integrator,
    Jacobian,
    JointType,
    ObjType,
    SameFrame,
    Solver,
    TendonType,
    Transmission,
    WrapType,
)

FREE = int(JointType.FREE)
BALL = int(JointType.BALL)
SLIDE = int(JointType.SLIDE)
HINGE = int(JointType.HINGE)

PLANE = int(GeomType.PLANE)
HFIELD = int(GeomType.HFIELD)
SPHERE = int(GeomType.SPHERE)
CAPSULE = int(GeomType.CAPSULE)
ELLIPSOID = int(GeomType.ELLIPSOID)
CYLINDER = int(GeomType.CYLINDER)
BOX = int(GeomType.BOX)
MESH = int(GeomType.MESH)
SDF = int(GeomType.SDF)

FIXED = int(CamLight.FIXED)
TRACK = int(CamLight.TRACK)
TRACKCOM = int(CamLight.TRACKCOM)
TARGETBODY = int(CamLight.TARGETBODY)

SAME_NONE = int(SameFrame.NONE)
SAME_BODY = int(SameFrame.BODY)
SAME_INERTIA = int(SameFrame.INERTIA)
SAME_BODYROT = int(SameFrame.BODYROT)
SAME_INERTIAROT = int(SameFrame.INERTIAROT)

SPATIAL = int(TendonType.SPATIAL)
PULLEY = int(WrapType.PULLEY)
WRAP_SITE = int(WrapType.SITE)
WRAP_CYLINDER = int(WrapType.CYLINDER)

EULER = int(Integrator.EULER)
RK4 = int(Integrator.RK4)
IMPLICIT = int(Integrator.IMPLICIT)
IMPLICITFAST = int(Integrator.IMPLICITFAST)
DISCRETE = int(Integrator.DISCRETE)
SPRINGDAMPER = int(Integrator.IMPLICITSPRINGDAMPER)

NO_CONSTRAINT = int(Disable.CONSTRAINT)
NO_EQUALITY = int(Disable.EQUALITY)
NO_FRICTIONLOSS = int(Disable.FRICTIONLOSS)
NO_LIMIT = int(Disable.LIMIT)
NO_CONTACT = int(Disable.CONTACT)
NO_SPRING = int(Disable.SPRING)
NO_DAMPER = int(Disable.DAMPER)
NO_GRAVITY = int(Disable.GRAVITY)
NO_SENSOR = int(Disable.SENSOR)
NO_CLAMPCTRL = int(Disable.CLAMPCTRL)
NO_ACTUATION = int(Disable.ACTUATION)
NO_EULERDAMP = int(Disable.EULERDAMP)
NO_ISLAND = int(Disable.ISLAND)
NO_WARMSTART = int(Disable.WARMSTART)
NO_REFSAFE = int(Disable.REFSAFE)
NO_MULTICCD = int(Disable.MULTICCD)
NO_FILTERPARENT = int(Disable.FILTERPARENT)
NO_MIDPHASE = int(Disable.MIDPHASE)
WITH_ENERGY = int(Enable.ENERGY)
WITH_FWDINV = int(Enable.FWDINV)
WITH_INVDISCRETE = int(Enable.INVDISCRETE)
WITH_SLEEP = int(Enable.SLEEP)
WITH_OVERRIDE = int(Enable.OVERRIDE)
WITH_DIAGEXACT = int(Enable.DIAGEXACT)
WITH_SPECULATIVE = int(Enable.SPECULATIVE)

SPARSE_JACOBIAN = int(Jacobian.SPARSE)
AUTO_JACOBIAN = int(Jacobian.AUTO)

# each type of actuators under its name: TRN_JOINT, DYN_FILTER, GAIN_AFFINE, BIAS_AFFINE
globals().update({f"TRN_{kind.name}": int(kind) for kind in Transmission})
globals().update({f"DYN_{kind.name}": int(kind) for kind in Dynamics})
globals().update({f"GAIN_{kind.name}": int(kind) for kind in Gain})
globals().update({f"BIAS_{kind.name}": int(kind) for kind in Bias})

EQ_CONNECT = int(EqualityType.CONNECT)
EQ_WELD = int(EqualityType.WELD)
EQ_JOINT = int(EqualityType.JOINT)
EQ_TENDON = int(EqualityType.TENDON)
EQ_DISTANCE = int(EqualityType.DISTANCE)
OBJ_SITE = int(ObjType.SITE)

EQUALITY = int(ConstraintType.EQUALITY)
FRICTION_DOF = int(ConstraintType.FRICTION_DOF)
FRICTION_TENDON = int(ConstraintType.FRICTION_TENDON)
LIMIT_JOINT = int(ConstraintType.LIMIT_JOINT)
LIMIT_TENDON = int(ConstraintType.LIMIT_TENDON)
CONTACT_FRICTIONLESS = int(ConstraintType.CONTACT_FRICTIONLESS)
CONTACT_PYRAMIDAL = int(ConstraintType.CONTACT_PYRAMIDAL)
CONTACT_ELLIPTIC = int(ConstraintType.CONTACT_ELLIPTIC)

STATE_SATISFIED = int(ConstraintState.SATISFIED)
STATE_QUADRATIC = int(ConstraintState.QUADRATIC)
STATE_LINEARNEG = int(ConstraintState.LINEARNEG)
STATE_LINEARPOS = int(ConstraintState.LINEARPOS)
STATE_CONE = int(ConstraintState.CONE)

PYRAMIDAL = int(Cone.PYRAMIDAL)
PGS = int(Solver.PGS)
CG = int(Solver.CG)
NEWTON = int(Solver.NEWTON)
