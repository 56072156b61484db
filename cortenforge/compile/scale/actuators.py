"""Scale actuators on scaled elements: parameters, ranges, controls and activations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.compile.scale.units import (
    CoordinateUnit,
    ScaleFactor,
    damping_factors,
    multiply_attributes,
)
from cortenforge.compile.scale.wiring import ScaleMap, copy_in_place
from cortenforge.spec import Element, Spec
from cortenforge.spec.actuators.input_signatures import FF, POS, PRESSURE, VEL
from cortenforge.spec.attribute import grammar_default, keyword, numbers

if TYPE_CHECKING:
    from cortenforge.compile.wiring.actuators import CompiledActuator

# units of parameters of these are unknown, or electrical
UNSCALABLE_TYPES = ("user", "dcmotor", "pidplugin")


def scale_actuators(spec: Spec, places: ScaleMap) -> Spec:
    """A copy of the description with actuators in units of their targets; records these units."""
    return replace(spec, actuators=[_scaled_actuator(one, places) for one in spec.actuators])


def _scaled_actuator(element: Element, places: ScaleMap) -> Element:
    scaled = copy_in_place(element)
    unit = _actuator_unit(scaled, places)
    multiply_attributes(scaled, _actuator_factors(scaled, unit, places))
    places.actuators[id(scaled)] = unit
    if scaled.name:
        places.actuator_units[scaled.name] = unit
    return scaled


def _actuator_unit(element: Element, places: ScaleMap) -> CoordinateUnit:
    """Units of an actuator's length and force."""
    for attribute in ("joint", "jointinparent"):
        if element[attribute]:
            unit = places.unit("joint", element[attribute])
            return (
                replace(unit, rotates=_is_pure_torque(element))
                if _acts_on_free_joint(element, places)
                else unit
            )
    if element["tendon"]:
        return places.unit("tendon", element["tendon"])
    if element["cranksite"]:
        return CoordinateUnit(places.between("site", element["cranksite"], element["slidersite"]))
    if element["site"]:
        return CoordinateUnit(places.scale("site", element["site"]), _is_pure_torque(element))
    return CoordinateUnit(places.scale("body", element["body"]))


def _acts_on_free_joint(element: Element, places: ScaleMap) -> bool:
    joint = places.joints.get(str(element["joint"] or element["jointinparent"]))
    return joint is not None and (joint.tag == "freejoint" or keyword(joint, "type") == "free")


def _is_pure_torque(element: Element) -> bool:
    """True when all of the force is a torque."""
    return not any(numbers(element, "gear", grammar_default("general", "gear"))[:3])


def _actuator_factors(
    element: Element, unit: CoordinateUnit, places: ScaleMap
) -> Iterator[tuple[str, ScaleFactor]]:
    yield from damping_factors(unit)
    yield from (("lengthrange", unit.length), ("cranklength", unit.scale.s))
    yield from (("velrange", unit.length), ("ffrange", unit.force))
    if (element["site"] or _acts_on_free_joint(element, places)) and not unit.rotates:
        s = unit.scale.s
        yield "gear", np.array([1.0, 1.0, 1.0, s, s, s])


def scale_actuator_form(actuator: CompiledActuator, unit: CoordinateUnit) -> None:
    """Gain, bias, dynamics and ranges of an actuator in its units."""
    form = actuator.form
    _check_parameters(actuator, unit)
    form.forcerange = _multiply_all(form.forcerange, unit.force)
    control, per = _control_factor_pair(form.ctrlspec, form.gaintype, unit)
    form.ctrlrange = _multiply_all(form.ctrlrange, control)
    form.actrange = _multiply_all(form.actrange, control)
    if form.gaintype == "muscle":
        # a negative force stands for one that follows from the actuator's strength
        form.gainprm[2] *= unit.force if form.gainprm[2] > 0 else 1.0
        if form.biastype == "muscle":
            form.biasprm[2] *= unit.force if form.biasprm[2] > 0 else 1.0
        return
    if form.gaintype == "hill":
        form.gainprm[0] *= unit.force
        for place in (1, 2, 9):
            form.gainprm[place] *= unit.length
        return
    _scale_affine(actuator, unit, per)
    if form.dyntype == "pid":
        form.dynprm[:2] = [value * unit.length for value in form.dynprm[:2]]


def _check_parameters(actuator: CompiledActuator, unit: CoordinateUnit) -> None:
    """Refuse parameters whose units are not known."""
    form = actuator.form
    if not {form.gaintype, form.biastype, form.dyntype} & set(UNSCALABLE_TYPES):
        return
    # nothing changes for motors that turn something and keep their torque
    sliding = form.gaintype == "dcmotor" and unit.length != 1.0
    if unit.force != 1.0 or sliding:
        hint = None if sliding else 'use scaling="geometry" for the frame'
        raise actuator.element.error("the parameters of this actuator cannot be scaled", hint=hint)


def _scale_affine(actuator: CompiledActuator, unit: CoordinateUnit, per: float) -> None:
    """Gains for each unit of control, and biases."""
    form = actuator.form
    if form.gaintype == "so3":
        unit, per = replace(unit, rotates=True), 1.0
    if form.gaintype in ("fixed", "affine", "so3", "pid"):
        form.gainprm[0] *= unit.force / (unit.per_coordinate if form.gaintype == "pid" else per)
    if form.gaintype == "affine":
        for i in (1, 2):
            form.gainprm[i] *= unit.force / unit.per_coordinate / per
    if form.biastype in ("affine", "so3"):
        form.biasprm[0] *= unit.force
        form.biasprm[1] *= unit.force / unit.per_coordinate
        # a positive one is a ratio, from which the damping follows
        form.biasprm[2] *= unit.force / unit.per_coordinate if form.biasprm[2] <= 0 else 1.0


def _control_factor_pair(spec: int, gaintype: str, unit: CoordinateUnit) -> tuple[float, float]:
    """Factors of a control: of its range, and where forces are for each unit of it."""
    if gaintype == "so3":
        return 1.0, 1.0
    if spec & PRESSURE:
        pressure = unit.scale.force_m / unit.scale.force_s
        return pressure, pressure
    return (unit.length, unit.per_coordinate) if spec & (POS | VEL | FF) else (1.0, 1.0)


def _multiply_all(values: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(value * factor for value in values)


def control_factors(
    actuator: CompiledActuator, unit: CoordinateUnit
) -> tuple[list[float], list[float]]:
    """Factors of each of its controls, and of each activation."""
    form = actuator.form
    control, _ = _control_factor_pair(form.ctrlspec, form.gaintype, unit)
    controls = [control] * actuator.ctrlnum
    if form.gaintype == "pid" and form.ctrlspec & FF:
        controls[-1] = unit.force
    return controls, [control] * form.actdim
