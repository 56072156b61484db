"""What a sensor may be attached to, and which settings go together."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import DataType, GeomType, JointType, ObjType
from cortenforge.grammar.tables.sensor import NOT_SAMPLED
from cortenforge.sensors import SENSOR_BY_TAG, SensorGroup, SensorType
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, integer, keyword, number, numbers

Arrays = dict[str, np.ndarray]
TypedObject = tuple[ObjType, int]

MAX_TOUCH_CELLS = 1_000_000
#: joints that a row of the table of sensors may ask for, with the words for them
JOINT_TYPES = {
    "scalar": ((JointType.SLIDE, JointType.HINGE), "slide or hinge joint"),
    "ball": ((JointType.BALL,), "ball joint"),
}
# shapes with an inside that is bounded and convex
BOUNDED_CONVEX_TYPES = (
    GeomType.SPHERE,
    GeomType.CAPSULE,
    GeomType.ELLIPSOID,
    GeomType.CYLINDER,
    GeomType.BOX,
    GeomType.MESH,
)


def sampling_interval(element: Element) -> tuple[float, float]:
    """Period and phase of the times at which a sensor is sampled."""
    period, phase = numbers(element, "interval", tuple(np.asarray(NOT_SAMPLED["interval"])))
    return period, phase


def touch_grid_settings(element: Element) -> tuple[float, ...]:
    """(columns, rows, fov across, fov up [deg], gamma, channels) of a touch grid."""
    columns, rows = numbers(element, "size", ())
    across, up = numbers(element, "fov", ())
    if columns <= 0 or rows <= 0:
        raise element.error("expected at least one column and one row", "size")
    if columns * rows > MAX_TOUCH_CELLS:
        raise element.error(f"more than {MAX_TOUCH_CELLS} cells", "size")
    if not (0 < across <= 180 and 0 < up <= 90):
        raise element.error("expected up to 180 degrees across and 90 up, more than 0", "fov")
    gamma = number(element, "gamma")
    if gamma > 1:
        raise element.error("expected a number from 0 to 1", "gamma")
    return columns, rows, across, up, gamma, integer(element, "nchannel")


def check_sensor_settings(element: Element, data: DataType) -> None:
    """Settings of one sensor that contradict each other."""
    period, phase = sampling_interval(element)
    if period < 0:
        raise element.error("the period cannot be negative", "interval")
    if phase > 0:
        raise element.error("the phase cannot be positive", "interval")
    if 0 < period <= -phase:
        raise element.error("the phase must be greater than minus the period", "interval")
    if number(element, "delay") > 0 and integer(element, "nsample") <= 0:
        raise element.error("a delay needs samples of the past: nsample > 0", "delay")
    unit = data in (DataType.AXIS, DataType.QUATERNION) and element.tag != "normal"
    if number(element, "cutoff") > 0 and unit:
        raise element.error("does not apply to axes and quaternions", "cutoff")
    if element.tag == "user":
        _check_user(element, data)
    if element.tag == "contact" and keyword(element, "reduce") == "netforce":
        velocities = {"linvel", "angvel"} & set(keyword(element, "data").split())
        if velocities:
            raise element.error("a net force has no linvel or angvel", "data")


def _check_user(element: Element, data: DataType) -> None:
    wanted = {DataType.AXIS: 3, DataType.QUATERNION: 4}.get(data)
    if wanted is not None and integer(element, "dim") != wanted:
        raise element.error(f"datatype {data.name.lower()} has dim {wanted}", "dim")


def check_sensor_objects(
    element: Element, obj: TypedObject, ref: TypedObject, arrays: Arrays
) -> None:
    """The objects are such that the sensor can measure them."""
    kind = SENSOR_BY_TAG[element.tag]
    for to in kind.attachments:
        if to.must_be:
            _check_state(element, to.names[0], to.must_be, obj[1], arrays)
        if "camera" in to.names:
            _check_camera(element, ref if to.reference else obj, arrays)
    if kind.group == SensorGroup.GEOM_DISTANCE:
        _check_distance_pair(element, obj, ref, arrays)
    elif kind is SensorType.INSIDESITE and flag(element, "enclosed"):
        _check_enclosed(element, obj, ref, arrays)
    elif kind is SensorType.TACTILE:
        _check_touchable(element, ref[1], arrays)


def _check_state(
    element: Element, attribute: str, must_be: str, number_: int, arrays: Arrays
) -> None:
    """Check that a joint or tendon is of the kind that the row of the sensor requires."""
    if must_be == "limited":
        prefix = "jnt" if attribute == "joint" else attribute
        allowed, expected = arrays[f"{prefix}_limited"][number_], f"{attribute} with limits"
    else:
        types, expected = JOINT_TYPES[must_be]
        allowed = arrays["jnt_type"][number_] in types
    if not allowed:
        raise element.error(f"expected a {expected}", attribute)


def _check_touchable(element: Element, geom: int, arrays: Arrays) -> None:
    """A tactile sensor needs a body with a geom that collides."""
    beside = arrays["geom_bodyid"] == arrays["geom_bodyid"][geom]
    if not (arrays["geom_contype"] | arrays["geom_conaffinity"])[beside].any():
        raise element.error("the geom's body has no geom that collides", "geom")


def _check_distance_pair(
    element: Element, obj: TypedObject, ref: TypedObject, arrays: Arrays
) -> None:
    if obj == ref:
        attribute = "geom2" if ref[0] == ObjType.GEOM else "body2"
        raise element.error("the two objects are the same", attribute)
    for kind, (objtype, number_) in (("geom1", obj), ("geom2", ref)):
        if objtype == ObjType.GEOM and arrays["geom_type"][number_] == GeomType.HFIELD:
            raise element.error("distances to height fields are not defined", kind)


def _check_camera(element: Element, camera: TypedObject, arrays: Arrays) -> None:
    if camera[0] == ObjType.CAMERA and (arrays["cam_resolution"][camera[1]] <= 0).any():
        raise element.error("expected a camera with a positive resolution", "camera")


def _check_enclosed(element: Element, obj: TypedObject, site: TypedObject, arrays: Arrays) -> None:
    """Enclosure is between bounded convex shapes."""
    objtype, number_ = obj
    if objtype == ObjType.CAMERA:
        raise element.error("a camera cannot be enclosed", "objtype")
    if arrays["site_type"][site[1]] not in BOUNDED_CONVEX_TYPES:
        raise element.error("expected a bounded convex shape", "site")
    if objtype == ObjType.SITE:
        shapes = arrays["site_type"][[number_]]
    elif objtype == ObjType.GEOM:
        shapes = arrays["geom_type"][[number_]]
    else:
        bodies = _body_subtree(number_, arrays) if objtype == ObjType.XBODY else np.array([number_])
        shapes = arrays["geom_type"][np.isin(arrays["geom_bodyid"], bodies)]
        if not len(shapes):
            raise element.error("a body without geoms cannot be enclosed", "objname")
    if not np.isin(shapes, BOUNDED_CONVEX_TYPES).all():
        raise element.error("expected bounded convex shapes only", "objname")


def _body_subtree(body: int, arrays: Arrays) -> np.ndarray:
    """A body and all its descendants."""
    inside = np.zeros(len(arrays["body_parentid"]), bool)
    inside[body] = True
    for child, parent in enumerate(arrays["body_parentid"]):
        inside[child] |= inside[parent]
    return np.flatnonzero(inside)
