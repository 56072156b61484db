"""Orientation of an element: quat, axisangle, xyaxes, zaxis or euler, in degrees or radians."""

from __future__ import annotations

import math

from cortenforge.compile.options import CompilerSettings
from cortenforge.spec import Element
from cortenforge.spec.attribute import number_list, orientation_attribute
from cortenforge.spec.rotation import (
    MIN_NORM,
    UNIT_QUAT,
    ZERO_VECTOR,
    Pose,
    Quaternion,
    Vector,
    cross,
    dot,
    from_axes,
    from_euler,
    from_z_to,
    normalized,
    quaternion,
    vector,
    vector_norm,
)


def element_pose(element: Element, settings: CompilerSettings) -> Pose:
    """Position and orientation that an element gives for itself."""
    return vector(number_list(element, "pos") or ZERO_VECTOR), element_orientation(
        element, settings
    )


def element_orientation(element: Element, settings: CompilerSettings) -> Quaternion:
    """The unit quaternion of an element, from whichever form it (or its class) uses."""
    form = orientation_attribute(element)
    if form is None:
        return UNIT_QUAT
    values = number_list(element, form)
    settings = settings.of(element)
    if form == "quat":
        return _from_quat(element, quaternion(values))
    if form == "axisangle":
        return _from_axisangle(element, values, settings)
    if form == "xyaxes":
        return _from_xyaxes(element, values)
    if form == "zaxis":
        return from_z_to(_unit_axis(element, "zaxis", vector(values)))
    return from_euler((settings.radians(angle) for angle in values), settings.eulerseq)


def _from_quat(element: Element, values: Quaternion) -> Quaternion:
    if vector_norm(values) == 0.0:
        raise element.error("a zero quaternion has no direction", "quat")
    return normalized(values)


def _from_axisangle(
    element: Element, values: tuple[float, ...], settings: CompilerSettings
) -> Quaternion:
    axis = _unit_axis(element, "axisangle", vector(values[:3]))
    half = settings.radians(values[3]) / 2
    s = math.sin(half)
    return (math.cos(half), s * axis[0], s * axis[1], s * axis[2])


def _from_xyaxes(element: Element, values: tuple[float, ...]) -> Quaternion:
    x = _unit_axis(element, "xyaxes", vector(values[:3]))
    y = vector(values[3:])
    along = dot(x, y)
    y = _unit_axis(element, "xyaxes", vector(b - a * along for a, b in zip(x, y, strict=True)))
    z = cross(x, y)
    return from_axes(x, y, _unit_axis(element, "xyaxes", z))


def _unit_axis(element: Element, name: str, axis: Vector) -> Vector:
    if vector_norm(axis) < MIN_NORM:
        raise element.error("this axis is too short to have a direction", name)
    return normalized(axis)
