"""Enumerations as plain numbers: kernels know numbers only."""

from __future__ import annotations

from cortenforge.enums import (
    CamLight,
    Disable,
    Enable,
    GeomType,
    Integrator,
    JointType,
    SameFrame,
    TendonType,
    WrapType,
)

FREE = int(JointType.FREE)
BALL = int(JointType.BALL)
SLIDE = int(JointType.SLIDE)
HINGE = int(JointType.HINGE)

SPHERE = int(GeomType.SPHERE)
CAPSULE = int(GeomType.CAPSULE)
CYLINDER = int(GeomType.CYLINDER)

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

NO_CONSTRAINT = int(Disable.CONSTRAINT)
NO_EQUALITY = int(Disable.EQUALITY)
NO_FRICTIONLOSS = int(Disable.FRICTIONLOSS)
NO_LIMIT = int(Disable.LIMIT)
NO_CONTACT = int(Disable.CONTACT)
NO_SPRING = int(Disable.SPRING)
NO_DAMPER = int(Disable.DAMPER)
NO_GRAVITY = int(Disable.GRAVITY)
NO_SENSOR = int(Disable.SENSOR)
NO_EULERDAMP = int(Disable.EULERDAMP)
WITH_ENERGY = int(Enable.ENERGY)
