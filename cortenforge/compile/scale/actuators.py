"""Actuators on scaled elements: units of their coordinates, controls and activations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.compile.scale.units import Factor, Unit, multiply, resistance
from cortenforge.compile.scale.wiring import Places, twin_of
from cortenforge.spec import Element, Spec
from cortenforge.spec.actuators.inputs import FF, POS, PRESSURE, VEL
from cortenforge.spec.attribute import keyword, numbers, usual

if TYPE_CHECKING:
    from cortenforge.compile.wiring.actuators import Actuator

# what a gain or bias means in these is the user's business, or a matter of volts and ohms
OPAQUE = ("user", "dcmotor", "pidplugin")


def follow_actuators(spec: Spec, places: Places) -> Spec:
    """The description with actuators in units of what they act on; notes these units."""
    return replace(spec, actuators=[_followed(one, places) for one in spec.actuators])


def _followed(element: Element, places: Places) -> Element:
    twin = twin_of(element)
    unit = _unit(twin, places)
    multiply(twin, _factors(twin, unit, places))
    places.actuators[id(twin)] = unit
    if twin.name:
        places.actuator_units[twin.name] = unit
    return twin


def _unit(element: Element, places: Places) -> Unit:
    """Units of an actuator's length and force."""
    for attribute in ("joint", "jointinparent"):
        if element[attribute]:
            unit = places.unit("joint", element[attribute])
            return replace(unit, rotates=_turns(element)) if _is_free(element, places) else unit
    if element["tendon"]:
        return places.unit("tendon", element["tendon"])
    if element["cranksite"]:
        return Unit(places.between("site", element["cranksite"], element["slidersite"]))
    if element["site"]:
        return Unit(places.scale("site", element["site"]), _turns(element))
    return Unit(places.scale("body", element["body"]))


def _is_free(element: Element, places: Places) -> bool:
    joint = places.joints.get(str(element["joint"] or element["jointinparent"]))
    return joint is not None and (joint.tag == "freejoint" or keyword(joint, "type") == "free")


def _turns(element: Element) -> bool:
    """True when all of the force is a torque."""
    return not any(numbers(element, "gear", usual("general", "gear"))[:3])


def _factors(element: Element, unit: Unit, places: Places) -> Iterator[tuple[str, Factor]]:
    yield from resistance(unit)
    yield from (("lengthrange", unit.length), ("cranklength", unit.scale.s))
    yield from (("velrange", unit.length), ("ffrange", unit.force))
    if (element["site"] or _is_free(element, places)) and not unit.rotates:
        s = unit.scale.s
        yield "gear", np.array([1.0, 1.0, 1.0, s, s, s])


def scale_form(actuator: Actuator, unit: Unit) -> None:
    """Gain, bias, dynamics and ranges of an actuator in its units."""
    form = actuator.form
    _check_parameters(actuator, unit)
    form.forcerange = _all(form.forcerange, unit.force)
    control, per = _control(form.ctrlspec, form.gaintype, unit)
    form.ctrlrange = _all(form.ctrlrange, control)
    form.actrange = _all(form.actrange, control)
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


def _check_parameters(actuator: Actuator, unit: Unit) -> None:
    """Refuse parameters that follow a change of units in ways that are not known."""
    form = actuator.form
    if not {form.gaintype, form.biastype, form.dyntype} & set(OPAQUE):
        return
    # nothing changes for motors that turn something and keep their torque
    sliding = form.gaintype == "dcmotor" and unit.length != 1.0
    if unit.force != 1.0 or sliding:
        hint = None if sliding else 'use scaling="geometry" for the frame'
        raise actuator.element.error("the parameters of this actuator cannot be scaled", hint=hint)


def _scale_affine(actuator: Actuator, unit: Unit, per: float) -> None:
    """Gains for each unit of control, and biases."""
    form = actuator.form
    if form.gaintype == "so3":
        unit, per = replace(unit, rotates=True), 1.0
    if form.gaintype in ("fixed", "affine", "so3", "pid"):
        form.gainprm[0] *= unit.force / (unit.per if form.gaintype == "pid" else per)
    if form.gaintype == "affine":
        for i in (1, 2):
            form.gainprm[i] *= unit.force / unit.per / per
    if form.biastype in ("affine", "so3"):
        form.biasprm[0] *= unit.force
        form.biasprm[1] *= unit.force / unit.per
        # a positive one is a ratio, from which the damping follows
        form.biasprm[2] *= unit.force / unit.per if form.biasprm[2] <= 0 else 1.0


def _control(spec: int, gaintype: str, unit: Unit) -> tuple[float, float]:
    """Factors of a control: of its range, and where forces are for each unit of it."""
    if gaintype == "so3":
        return 1.0, 1.0
    if spec & PRESSURE:
        pressure = unit.scale.force_m / unit.scale.force_s
        return pressure, pressure
    return (unit.length, unit.per) if spec & (POS | VEL | FF) else (1.0, 1.0)


def _all(values: tuple[float, ...], factor: float) -> tuple[float, ...]:
    return tuple(value * factor for value in values)


def control_factors(actuator: Actuator, unit: Unit) -> tuple[list[float], list[float]]:
    """Factors of each of its controls, and of each activation."""
    form = actuator.form
    control, _ = _control(form.ctrlspec, form.gaintype, unit)
    controls = [control] * actuator.ctrlnum
    if form.gaintype == "pid" and form.ctrlspec & FF:
        controls[-1] = unit.force
    return controls, [control] * form.actdim
