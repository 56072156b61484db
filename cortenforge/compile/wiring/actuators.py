"""Actuators: what they act on, their limits, inputs, states and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.pack.field_arrays import (
    Arrays,
    arrays_of_objects,
    block_addresses,
    field_array,
    no_references,
)
from cortenforge.compile.scale.actuators import scale_actuator_form
from cortenforge.compile.scale.wiring import ScaleMap
from cortenforge.compile.wiring.actuator_checks import check_actuator_form, resolve_inputs
from cortenforge.enums import Bias, Dynamics, Gain, JointType, Transmission
from cortenforge.problems import each_valid, give_warning
from cortenforge.spec import Element
from cortenforge.spec.actuators.general import GeneralActuator
from cortenforge.spec.actuators.input_signatures import FF, POS, VEL
from cortenforge.spec.actuators.shortcuts import general_form
from cortenforge.spec.attribute import (
    grammar_default,
    integer,
    keyword_code,
    number,
    numbers,
    unknown_reference,
)

Names = Mapping[str, list[str]]
Ids = Mapping[str, Mapping[str, int]]
INTERPOLATION_CODES = {"zoh": 0, "linear": 1, "cubic": 2}
#: attributes that name the target, with the transmission of each
TARGET_ATTRIBUTES = {kind.attribute: kind for kind in Transmission if kind.attribute}
JOINT_TARGETS = (Transmission.JOINT, Transmission.JOINTINPARENT)
MECHANICAL_TRANSMISSIONS = (*JOINT_TARGETS, Transmission.TENDON)
MAX_ACTUATOR_NUMBERS = 20_000_000


@dataclass(eq=False)
class CompiledActuator:
    """One actuator: its general form, its target, and the widths of its blocks."""

    element: Element
    form: GeneralActuator
    trntype: Transmission = Transmission.JOINT
    trnid: tuple[int, int] = (-1, -1)
    ctrlnum: int = 1
    outnum: int = 1
    gear: tuple[float, ...] = grammar_default("general", "gear")
    damping: tuple[float, ...] = grammar_default("general", "damping")
    forcelimited: bool = False
    actlimited: bool = False
    ctrllimited: list[bool] = field(default_factory=list)
    ctrlranges: list[tuple[float, ...]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.element.name

    @property
    def history(self) -> int:
        """Numbers in its history: two of bookkeeping, times, controls."""
        samples = integer(self.element, "nsample")
        return 2 + samples * (1 + self.ctrlnum) if samples > 0 else 0


def compile_actuators(
    elements: list[Element],
    names: Names,
    arrays: Mapping[str, np.ndarray],
    settings: CompilerSettings,
    places: ScaleMap,
) -> list[CompiledActuator]:
    """Every actuator with its references found and its settings checked."""
    ids = {kind: {name: i for i, name in enumerate(names[kind]) if name} for kind in names}
    actuators = each_valid(_compile_actuator, elements, ids, arrays, settings, places)
    for what, attribute, counts in (
        ("activations", "actdim", [a.form.actdim for a in actuators]),
        ("numbers of history", "nsample", [a.history for a in actuators]),
    ):
        if sum(counts) > MAX_ACTUATOR_NUMBERS:
            worst = actuators[int(np.argmax(counts))].element
            raise worst.error(
                f"the model has {sum(counts)} {what}, at most {MAX_ACTUATOR_NUMBERS} are supported",
                attribute,
            )
    return actuators


def _compile_actuator(
    element: Element,
    names: Ids,
    arrays: Mapping[str, np.ndarray],
    settings: CompilerSettings,
    places: ScaleMap,
) -> CompiledActuator:
    actuator = CompiledActuator(element, general_form(element))
    actuator.gear = numbers(element, "gear", actuator.gear)
    actuator.damping = numbers(element, "damping", actuator.damping)
    _find_target(actuator, names)
    joint = actuator.trnid[0] if actuator.trntype in JOINT_TARGETS else -1
    kind = JointType(arrays["jnt_type"][joint]) if joint >= 0 else None
    _check_mechanics(actuator)
    resolve_inputs(actuator, kind)
    if id(element) in places.actuators:
        scale_actuator_form(actuator, places.actuators[id(element)])
    _inherit_range(actuator, arrays, kind)
    _set_limits(actuator, settings)
    check_actuator_form(actuator)
    _check_actuator_history(actuator)
    _set_control_ranges(actuator)
    return actuator


def control_and_activation_counts(
    element: Element, joints: Mapping[str, JointType]
) -> tuple[int, int]:
    """Numbers of controls and of activations of an actuator, from joints by name."""
    actuator = CompiledActuator(element, general_form(element))
    attribute = next((name for name in TARGET_ATTRIBUTES if element[name]), "joint")
    actuator.trntype = TARGET_ATTRIBUTES[attribute]
    # what the second site is does not matter here, only that there is one
    actuator.trnid = (0, 0)
    resolve_inputs(actuator, joints.get(str(element[attribute])))
    check_actuator_form(actuator)
    return actuator.ctrlnum, actuator.form.actdim


def _find_target(actuator: CompiledActuator, names: Ids) -> None:
    """The object that the actuator acts on, and the second site where it needs one."""
    element = actuator.element
    given = [name for name in TARGET_ATTRIBUTES if element[name]]
    if not given:
        raise element.error(
            "the actuator has no target", hint=f"give one of {', '.join(TARGET_ATTRIBUTES)}"
        )
    attribute = given[0]
    actuator.trntype = TARGET_ATTRIBUTES[attribute]
    crank, site = attribute == "cranksite", attribute == "site"
    if not crank:
        for name in ("cranklength", "slidersite"):
            if name in element.attributes:
                raise element.error("only an actuator with a cranksite has this", name)
    if not site and "refsite" in element.attributes:
        raise element.error("only an actuator on a site has this", "refsite")
    second = -1
    if crank:
        if not element["slidersite"]:
            raise element.error("a crank needs a slidersite", "slidersite")
        if number(element, "cranklength") <= 0:
            raise element.error("the rod of a crank must have a positive length", "cranklength")
        second = _object_id(element, "slidersite", "site", names)
    elif site and element["refsite"]:
        second = _object_id(element, "refsite", "site", names)
    target = _object_id(element, attribute, actuator.trntype.target, names)
    actuator.trnid = (target, second)


def _object_id(element: Element, attribute: str, kind: str, names: Ids) -> int:
    name = str(element[attribute])
    if name not in names[kind]:
        raise unknown_reference(element, attribute, kind, names[kind])
    return names[kind][name]


def _check_mechanics(actuator: CompiledActuator) -> None:
    """Damping and armature go to joints and tendons."""
    if actuator.trntype in MECHANICAL_TRANSMISSIONS:
        return
    for name, value in (
        ("damping", any(actuator.damping)),
        ("armature", number(actuator.element, "armature") != 0),
    ):
        if value:
            raise actuator.element.error("only an actuator on a joint or tendon has this", name)


def _inherit_range(
    actuator: CompiledActuator, arrays: Mapping[str, np.ndarray], kind: JointType | None
) -> None:
    """Set the range of a position setpoint from that of the target, scaled by inheritrange r.

    mean = (high + low) / 2,   radius = r (high - low) / 2,   range = mean -+ radius
    """
    form, element = actuator.form, actuator.element
    servo = form.gaintype == "fixed" and form.gainprm[0] == -form.biasprm[1]
    if form.inheritrange <= 0 or form.biastype != "affine":
        return
    if not (servo or form.gaintype == "pid"):
        return
    if form.dyntype not in ("none", "filterexact", "pid", "integrator"):
        raise element.error(f"not for actuators with dyntype {form.dyntype}", "inheritrange")
    if actuator.trntype is Transmission.TENDON:
        low, high = arrays["tendon_range"][actuator.trnid[0]].tolist()
    elif actuator.trntype is Transmission.JOINT and kind in (JointType.HINGE, JointType.SLIDE):
        low, high = arrays["jnt_range"][actuator.trnid[0]].tolist()
    else:
        raise element.error("needs a hinge, a slide or a tendon as its target", "inheritrange")
    if low == high:
        raise element.error("the joint or tendon has no range", "inheritrange")
    mean, radius = 0.5 * (high + low), 0.5 * (high - low) * form.inheritrange
    target = "actrange" if form.dyntype == "integrator" else "ctrlrange"
    setattr(form, target, (mean - radius, mean + radius))


def _set_limits(actuator: CompiledActuator, settings: CompilerSettings) -> None:
    """Set forcelimited, ctrllimited and actlimited."""
    actuator.forcelimited = _actuator_is_limited(actuator, "force", settings)
    actuator.ctrllimited = [_actuator_is_limited(actuator, "ctrl", settings)]
    actuator.actlimited = _actuator_is_limited(actuator, "act", settings)
    if actuator.actlimited and actuator.form.dyntype == "none":
        raise actuator.element.error("an actuator without dynamics has no activation", "actrange")
    if actuator.actlimited and actuator.element.attributes.get("actlimited") == "false":
        give_warning(
            f'{actuator.element.where}: actlimited="false" has no effect on an intvelocity with a '
            "range, as in MuJoCo",
        )


def _actuator_is_limited(actuator: CompiledActuator, what: str, settings: CompilerSettings) -> bool:
    form, element = actuator.form, actuator.element
    low, high = getattr(form, f"{what}range")
    word = str(getattr(form, f"{what}limited"))
    given = bool(low != 0 or high != 0)
    if word == "auto" and given and not settings.of(element).autolimits:
        raise element.error(
            f"a range without {what}limited, while the compiler's autolimits is false",
            f"{what}range",
            hint=f'write {what}limited="true" or "false", or use <compiler autolimits="true"/>',
        )
    limited = word == "true" or (word == "auto" and given)
    # MuJoCo takes a reversed range without `limited` for none; it is more likely a mistake
    if limited and low >= high:
        raise element.error("the lower limit must be below the upper one", f"{what}range")
    return limited


def _check_actuator_history(actuator: CompiledActuator) -> None:
    element = actuator.element
    samples, delay = integer(element, "nsample"), number(element, "delay")
    if delay > 0 and samples <= 0:
        raise element.error("a delay needs a history: give nsample", "delay")
    if (delay > 0 or samples > 0) and actuator.ctrlnum == 0:
        raise element.error("an actuator without inputs has no history", "nsample")


def _set_control_ranges(actuator: CompiledActuator) -> None:
    """Set one range a control: all the same, except for the inputs of a pid."""
    form, element = actuator.form, actuator.element
    limited = actuator.ctrllimited[0]
    actuator.ctrllimited = [limited] * actuator.ctrlnum
    actuator.ctrlranges = [tuple(form.ctrlrange)] * actuator.ctrlnum
    if form.gaintype != "pid":
        return
    at = 1 if form.ctrlspec & POS else 0
    for bit, name in ((VEL, "velrange"), (FF, "ffrange")):
        if form.ctrlspec & bit:
            low, high = numbers(element, name)
            actuator.ctrllimited[at], actuator.ctrlranges[at] = low < high, (low, high)
            at += 1


def actuator_arrays(
    actuators: list[CompiledActuator],
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Arrays of actuators and the sizes that they bring."""
    arrays = _type_arrays(actuators) | _block_arrays(actuators)
    arrays |= _parameter_arrays(actuators) | _limit_arrays(actuators)
    sizes = {
        "nactuator": len(actuators),
        "nu": sum(a.ctrlnum for a in actuators),
        "nout": sum(a.outnum for a in actuators),
        "na": sum(a.form.actdim for a in actuators),
        "nhistory": sum(a.history for a in actuators),
    }
    return arrays, sizes


def _type_arrays(actuators: list[CompiledActuator]) -> Arrays:
    """What actuators act on, and of which types they are."""
    arrays = arrays_of_objects(
        actuators,
        {
            "actuator_trntype": lambda a: a.trntype,
            "actuator_dyntype": lambda a: Dynamics[a.form.dyntype.upper()],
            "actuator_gaintype": lambda a: Gain[a.form.gaintype.upper()],
            "actuator_biastype": lambda a: Bias[a.form.biastype.upper()],
            "actuator_ctrlspec": lambda a: a.form.ctrlspec,
            "actuator_trnid": lambda a: a.trnid,
        },
    )
    return arrays | {"actuator_plugin": no_references("actuator_plugin", len(actuators))}


def _block_arrays(actuators: list[CompiledActuator]) -> Arrays:
    """Where the controls, outputs, activations and histories of actuators are."""
    arrays = arrays_of_objects(
        actuators,
        {
            "actuator_ctrlnum": lambda a: a.ctrlnum,
            "actuator_outnum": lambda a: a.outnum,
            "actuator_actnum": lambda a: a.form.actdim,
        },
    )
    return arrays | {
        "actuator_ctrladr": block_addresses(arrays["actuator_ctrlnum"]),
        "actuator_outadr": block_addresses(arrays["actuator_outnum"]),
        "actuator_actadr": block_addresses(arrays["actuator_actnum"], optional=True),
        "actuator_historyadr": block_addresses([a.history for a in actuators], optional=True),
    }


def _parameter_arrays(actuators: list[CompiledActuator]) -> Arrays:
    """Parameters that belong to an actuator as a whole."""
    return arrays_of_objects(
        actuators,
        {
            "actuator_cranklength": lambda a: number(a.element, "cranklength"),
            "actuator_dynprm": lambda a: a.form.dynprm,
            "actuator_gainprm": lambda a: a.form.gainprm,
            "actuator_biasprm": lambda a: a.form.biasprm,
            "actuator_actearly": lambda a: a.form.actearly,
            "actuator_history": _history_settings,
            "actuator_delay": lambda a: number(a.element, "delay"),
            "actuator_damping": lambda a: a.damping[0],
            "actuator_dampingpoly": lambda a: a.damping[1:],
            "actuator_armature": lambda a: number(a.element, "armature"),
            "actuator_group": lambda a: integer(a.element, "group"),
        },
    )


def _history_settings(actuator: CompiledActuator) -> tuple[int, int]:
    """How many controls of the past are kept, and how they are read between samples."""
    element = actuator.element
    return integer(element, "nsample"), keyword_code(element, "interp", INTERPOLATION_CODES)


def _limit_arrays(actuators: list[CompiledActuator]) -> Arrays:
    """Limits, and what each control and each output has for itself."""
    outputs = [a for a in actuators for _ in range(a.outnum)]
    limited = [one for a in actuators for one in a.ctrllimited]
    ranges = [one for a in actuators for one in a.ctrlranges]
    return {
        **arrays_of_objects(
            actuators,
            {
                "actuator_actlimited": lambda a: a.actlimited,
                "actuator_actrange": lambda a: a.form.actrange,
                "actuator_forcelimited": lambda a: a.forcelimited,
                "actuator_forcerange": lambda a: a.form.forcerange,
            },
        ),
        **arrays_of_objects(
            outputs,
            {
                "actuator_gear": lambda a: a.gear,
                "actuator_lengthrange": _given_length_range,
            },
        ),
        "actuator_ctrllimited": field_array("actuator_ctrllimited", limited),
        "actuator_ctrlrange": field_array("actuator_ctrlrange", ranges),
    }


def _given_length_range(actuator: CompiledActuator) -> tuple[float, ...]:
    return numbers(actuator.element, "lengthrange", grammar_default("general", "lengthrange"))
