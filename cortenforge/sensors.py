"""Sensors, a row each: what one is attached to, what it reports, and which kernel computes it.

`enums.SensorType`, the grammar, the compiler, the constants of kernels, the table of
docs/sensors.md and the sensors of random models follow from these rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

#: types of objects with a frame
FRAMES = ("body", "xbody", "geom", "site", "camera")
#: data of a rangefinder and of a contact sensor, with the count of their numbers, by their bits
RAY_DATA = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}
CONTACT_DATA = {
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
#: which of the matching contacts are reported, by their codes
REDUCTIONS = ("none", "mindist", "maxforce", "netforce")

ATTACHMENT = re.compile(r"(?P<reference>\()?(?P<names>[\w/]+)(:(?P<must_be>\w+))?(?P<optional>\?)?")


class Stage(IntEnum):
    """mjtStage: how far a step has come."""

    NONE = 0
    POS = 1
    VEL = 2
    ACC = 3


class DataType(IntEnum):
    """mjtDataType: what the numbers of a sensor are."""

    REAL = 0
    POSITIVE = 1
    AXIS = 2
    QUATERNION = 3


class SensorGroup(IntFlag):
    """Sensors that one kernel computes: bits of `Model.sensing`."""

    POSITION = 1 << 0
    PROJECTION = 1 << 1
    INSIDE = 1 << 2
    POTENTIAL = 1 << 3
    KINETIC = 1 << 4
    VELOCITY = 1 << 5
    MOMENTUM = 1 << 6
    ACCELERATION = 1 << 7
    ACTUATION = 1 << 8
    # of a stage each
    USER_POSITION = 1 << 9
    USER_VELOCITY = 1 << 10
    USER_ACCELERATION = 1 << 11
    RANGE = 1 << 12
    TOUCH = 1 << 13
    CONTACT = 1 << 14
    TACTILE = 1 << 15
    LIMIT = 1 << 16
    GRID = 1 << 17
    GEOM_DISTANCE = 1 << 19
    # sensors with a history, of any group
    SAMPLED = 1 << 20


#: group of user sensors by stage; those of none are never evaluated
USER_GROUPS = {
    Stage.NONE: SensorGroup(0),
    Stage.POS: SensorGroup.USER_POSITION,
    Stage.VEL: SensorGroup.USER_VELOCITY,
    Stage.ACC: SensorGroup.USER_ACCELERATION,
}


@dataclass(frozen=True)
class Attachment:
    """An object that a sensor is attached to.

    names:     attributes of which one names it. "frame" stands for objtype and objname, or those of
               a reference, with an object that has a frame; "object" for any object.
    must_be:   what the joint or tendon has to be: "scalar", "ball", "limited", or anything.
    reference: it is measured against this object.
    optional:  it may be left out.
    """

    names: tuple[str, ...]
    must_be: str
    reference: bool
    optional: bool

    @property
    def type_and_name(self) -> tuple[str, ...]:
        """The two attributes of an object of any type: its type and its name; else none."""
        if self.names not in (("frame",), ("object",)):
            return ()
        return ("reftype", "refname") if self.reference else ("objtype", "objname")

    @classmethod
    def read_all(cls, row: str) -> tuple[Attachment, ...]:
        """All objects of a row, in their order: `frame (frame?)`, `joint:limited`."""
        return tuple(
            cls(
                tuple(found["names"].split("/")),
                found["must_be"] or "",
                bool(found["reference"]),
                bool(found["optional"]),
            )
            for found in ATTACHMENT.finditer(row)
        )


class SensorType(IntEnum):
    """mjtSensor: a row a sensor, its columns apart by bars.

    number | tag | attached to | numbers | stage | data type | group | unit | what it reports

    attached to: names of attributes; "/" stands between alternatives, what it is measured against
    is in parentheses, "?" marks what is optional, and ":" what a joint or tendon has to be.
    numbers: how many, or in words what decides. group: the kernel that computes it; of a user
    sensor, which its stage decides, none.
    """

    tag: str
    attached: str
    attachments: tuple[Attachment, ...]
    numbers: str
    stage: Stage
    data: DataType
    group: SensorGroup
    unit: str
    reports: str

    TOUCH = "          0 | touch             | site                        | 1               | acc | positive   | touch         | N            | Sum of the normal forces of contacts of the site's body within its volume."
    ACCELEROMETER = "  1 | accelerometer     | site                        | 3               | acc | real       | acceleration  | m/s^2        | Acceleration of the site minus gravity, in its axes."
    VELOCIMETER = "    2 | velocimeter       | site                        | 3               | vel | real       | velocity      | m/s          | Velocity of the site, in its axes."
    GYRO = "           3 | gyro              | site                        | 3               | vel | real       | velocity      | rad/s        | Angular velocity of the site, in its axes."
    FORCE = "          4 | force             | site                        | 3               | acc | real       | acceleration  | N            | Force between the site's body and its parent, in the site's axes."
    TORQUE = "         5 | torque            | site                        | 3               | acc | real       | acceleration  | N m          | Torque between the site's body and its parent about the site, in its axes."
    MAGNETOMETER = "   6 | magnetometer      | site                        | 3               | pos | real       | position      | T            | `option/magnetic` in the axes of the site."
    RANGEFINDER = "    7 | rangefinder       | site/camera                 | rays × data     | pos | real       | range         | m            | Distance to the nearest geom along the z axis of the site, or through each pixel of the camera; -1 without a hit. `data` asks for more."
    CAMPROJECTION = "  8 | camprojection     | site (camera)               | 2               | pos | real       | projection    | pixels       | Place of the site in the image of the camera, from the upper left corner."
    JOINTPOS = "       9 | jointpos          | joint:scalar                | 1               | pos | real       | position      | m or rad     | Position of a hinge or slide joint."
    JOINTVEL = "      10 | jointvel          | joint:scalar                | 1               | vel | real       | velocity      | m/s or rad/s | Velocity of a hinge or slide joint."
    TENDONPOS = "     11 | tendonpos         | tendon                      | 1               | pos | real       | position      | m or rad     | Length of the tendon."
    TENDONVEL = "     12 | tendonvel         | tendon                      | 1               | vel | real       | velocity      | m/s or rad/s | Velocity of the tendon's length."
    ACTUATORPOS = "   13 | actuatorpos       | actuator                    | outputs         | pos | real       | position      | m or rad     | Length of the actuator's transmission."
    ACTUATORVEL = "   14 | actuatorvel       | actuator                    | outputs         | vel | real       | velocity      | m/s or rad/s | Velocity of the actuator's length."
    ACTUATORFRC = "   15 | actuatorfrc       | actuator                    | outputs         | acc | real       | actuation     | N or N m     | Force of the actuator, without gears."
    JOINTACTFRC = "   16 | jointactuatorfrc  | joint:scalar                | 1               | acc | real       | actuation     | N or N m     | Force of all actuators on a hinge or slide joint."
    TENDONACTFRC = "  17 | tendonactuatorfrc | tendon                      | 1               | acc | real       | actuation     | N or N m     | Sum of the forces of the tendon's actuators, without gears."
    BALLQUAT = "      18 | ballquat          | joint:ball                  | 4               | pos | quaternion | position      |              | Rotation of a ball joint."
    BALLANGVEL = "    19 | ballangvel        | joint:ball                  | 3               | vel | real       | velocity      | rad/s        | Angular velocity of a ball joint."
    JOINTLIMITPOS = " 20 | jointlimitpos     | joint:limited               | 1               | pos | real       | limit         | m or rad     | Distance of the joint from its limit, minus the margin, while the limit is active; else 0."
    JOINTLIMITVEL = " 21 | jointlimitvel     | joint:limited               | 1               | vel | real       | limit         | m/s or rad/s | Velocity of that distance."
    JOINTLIMITFRC = " 22 | jointlimitfrc     | joint:limited               | 1               | acc | real       | limit         | N or N m     | Force of the joint's limit."
    TENDONLIMITPOS = "23 | tendonlimitpos    | tendon:limited              | 1               | pos | real       | limit         | m or rad     | Distance of the tendon from its limit, minus the margin, while the limit is active; else 0."
    TENDONLIMITVEL = "24 | tendonlimitvel    | tendon:limited              | 1               | vel | real       | limit         | m/s or rad/s | Velocity of that distance."
    TENDONLIMITFRC = "25 | tendonlimitfrc    | tendon:limited              | 1               | acc | real       | limit         | N or N m     | Force of the tendon's limit."
    FRAMEPOS = "      26 | framepos          | frame (frame?)              | 3               | pos | real       | position      | m            | Position of the object, in the world or in the reference frame."
    FRAMEQUAT = "     27 | framequat         | frame (frame?)              | 4               | pos | quaternion | position      |              | Orientation of the object, in the world or in the reference frame."
    FRAMEXAXIS = "    28 | framexaxis        | frame (frame?)              | 3               | pos | axis       | position      |              | X axis of the object, in the world or in the reference frame."
    FRAMEYAXIS = "    29 | frameyaxis        | frame (frame?)              | 3               | pos | axis       | position      |              | Y axis of the object, in the world or in the reference frame."
    FRAMEZAXIS = "    30 | framezaxis        | frame (frame?)              | 3               | pos | axis       | position      |              | Z axis of the object, in the world or in the reference frame."
    FRAMELINVEL = "   31 | framelinvel       | frame (frame?)              | 3               | vel | real       | velocity      | m/s          | Velocity of the object, in the world or as seen from the moving reference frame."
    FRAMEANGVEL = "   32 | frameangvel       | frame (frame?)              | 3               | vel | real       | velocity      | rad/s        | Angular velocity of the object, in the world or relative to the reference frame."
    FRAMELINACC = "   33 | framelinacc       | frame                       | 3               | acc | real       | acceleration  | m/s^2        | Acceleration of the object minus gravity, in world axes."
    FRAMEANGACC = "   34 | frameangacc       | frame                       | 3               | acc | real       | acceleration  | rad/s^2      | Angular acceleration of the object, in world axes."
    SUBTREECOM = "    35 | subtreecom        | body                        | 3               | pos | real       | position      | m            | Centre of mass of the body's subtree."
    SUBTREELINVEL = " 36 | subtreelinvel     | body                        | 3               | vel | real       | momentum      | m/s          | Velocity of the centre of mass of the body's subtree."
    SUBTREEANGMOM = " 37 | subtreeangmom     | body                        | 3               | vel | real       | momentum      | kg m^2/s     | Angular momentum of the body's subtree about its centre of mass."
    INSIDESITE = "    38 | insidesite        | (site) frame                | 1               | pos | positive   | inside        |              | 1 if the centre of the object is inside of the site, else 0."
    GEOMDIST = "      39 | distance          | geom1/body1 (geom2/body2)   | 1               | pos | real       | geom_distance | m            | Smallest signed distance of two geoms or bodies; the cutoff if there is none below it."
    GEOMNORMAL = "    40 | normal            | geom1/body1 (geom2/body2)   | 3               | pos | axis       | geom_distance |              | Direction from the first to the second at their nearest points."
    GEOMFROMTO = "    41 | fromto            | geom1/body1 (geom2/body2)   | 6               | pos | real       | geom_distance | m            | Their nearest points."
    CONTACT = "       42 | contact           | geom1/body1/subtree1/site? (geom2/body2/subtree2?) | num × data      | pos | real       | contact       |              | `data` of matching contacts, reduced by `reduce` to `num` of them; after the first stage that has these data."
    E_POTENTIAL = "   43 | e_potential       |                             | 1               | pos | real       | potential     | J            | Potential energy."
    E_KINETIC = "     44 | e_kinetic         |                             | 1               | pos | real       | kinetic       | J            | Kinetic energy."
    CLOCK = "         45 | clock             |                             | 1               | pos | real       | position      | s            | Time of the simulation."
    TACTILE = "       46 | tactile           | (geom) mesh                 | 3 × vertices    | vel | real       | tactile       | m, m/s       | At each vertex of the mesh, placed at the geom: depth in what it touches, and sliding velocity along both tangents."
    PLUGIN = "        47 | touchgrid         | site                        | size × nchannel | acc | real       | grid          | N, N m       | Contact forces of the site's body by direction: MuJoCo's plugin `mujoco.sensor.touch_grid`."
    USER = "          48 | user              | object?                     | dim             | acc | real       |               |              | What the callback `sensor` writes, after the stage `needstage`."

    def __new__(cls, row: Any) -> SensorType:
        number, *cells = (cell.strip() for cell in row.split("|"))
        member = int.__new__(cls, int(number))
        member._value_ = int(number)
        member.tag, member.attached, member.numbers = cells[:3]
        member.attachments = Attachment.read_all(member.attached)
        member.stage, member.data = Stage[cells[3].upper()], DataType[cells[4].upper()]
        member.group = SensorGroup[cells[5].upper()] if cells[5] else SensorGroup(0)
        member.unit, member.reports = cells[6:]
        return member

    @property
    def dim(self) -> int:
        """How many numbers it reports; 0 if that depends on the sensor."""
        return int(self.numbers) if self.numbers.isdigit() else 0


#: sensors by tag
SENSOR_BY_TAG = {kind.tag: kind for kind in SensorType}
