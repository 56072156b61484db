"""Sleep states and policies, and the enumerations they depend on, as plain numbers."""

from __future__ import annotations

from cortenforge.enums import ObjType, SensorType

#: tree_asleep of a tree that moves, and of one that is ready to sleep
FULLY_AWAKE = -11.0
READY_TO_SLEEP = -1.0

STATIC = -1
ASLEEP = 0
AWAKE = 1

#: tree_sleep_policy: never (by the compiler, by the user), asleep from the start
POLICY_AUTO_NEVER = 1
POLICY_NEVER = 3
POLICY_INIT = 5

UNKNOWN = int(ObjType.UNKNOWN)
BODY = int(ObjType.BODY)
XBODY = int(ObjType.XBODY)
JOINT = int(ObjType.JOINT)
GEOM = int(ObjType.GEOM)
SITE = int(ObjType.SITE)
CAMERA = int(ObjType.CAMERA)
TENDON = int(ObjType.TENDON)
ACTUATOR = int(ObjType.ACTUATOR)

CONTACT = int(SensorType.CONTACT)
RANGEFINDER = int(SensorType.RANGEFINDER)
USER = int(SensorType.USER)
