"""Orientation of an element: quat, axisangle, xyaxes, zaxis or euler, in degrees or radians."""

from __future__ import annotations

import math

from cortenforge.compile.options import CompilerSettings
from cortenforge.spec import Element
from cortenforge.spec.attribute import form_in_force, listed
from cortenforge.spec.rotation import (
    EPS,
    UNIT,
    ZERO,
    Pose,
    Quaternion,
    Vector,
    cross,
    dot,
    from_axes,
    from_euler,
    from_z_to,
    norm,
    normalized,
    quaternion,
    vector,
)


def pose_of(element: Element, settings: CompilerSettings) -> Pose:
    """Position and orientation that an element gives for itself."""
    return vector(listed(element, "pos") or ZERO), orientation(element, settings)


def orientation(element: Element, settings: CompilerSettings) -> Quaternion:
    """The unit quaternion of an element, from whichever form it (or its class) uses."""
    form = form_in_force(element)
    if form is None:
        return UNIT
    values = listed(element, form)
    settings = settings.of(element)
    if form == "quat":
        return _from_quat(element, quaternion(values))
    if form == "axisangle":
        return _from_axisangle(element, values, settings)
    if form == "xyaxes":
        return _from_xyaxes(element, values)
    if form == "zaxis":
        return from_z_to(_direction(element, "zaxis", vector(values)))
    return from_euler((settings.radians(angle) for angle in values), settings.eulerseq)


def _from_quat(element: Element, values: Quaternion) -> Quaternion:
    if norm(values) == 0.0:
        raise element.error("a zero quaternion has no direction", "quat")
    return normalized(values)


def _from_axisangle(
    element: Element, values: tuple[float, ...], settings: CompilerSettings
) -> Quaternion:
    axis = _direction(element, "axisangle", vector(values[:3]))
    half = settings.radians(values[3]) / 2
    s = math.sin(half)
    return (math.cos(half), s * axis[0], s * axis[1], s * axis[2])


def _from_xyaxes(element: Element, values: tuple[float, ...]) -> Quaternion:
    x = _direction(element, "xyaxes", vector(values[:3]))
    y = vector(values[3:])
    along = dot(x, y)
    y = _direction(element, "xyaxes", vector(b - a * along for a, b in zip(x, y, strict=True)))
    z = cross(x, y)
    return from_axes(x, y, _direction(element, "xyaxes", z))


def _direction(element: Element, name: str, axis: Vector) -> Vector:
    if norm(axis) < EPS:
        raise element.error("this axis is too short to have a direction", name)
    return normalized(axis)
