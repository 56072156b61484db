"""Actuator shortcuts: what each stands for in terms of the general actuator, and back.

force = gain ctrl + bias,  gain = gainprm[0] + gainprm[1] length + gainprm[2] velocity (affine),
bias = biasprm[0] + biasprm[1] length + biasprm[2] velocity (affine)

    motor        gain 1
    position     gain kp,  bias (0, -kp, -kv)         a damping ratio instead of kv is +dampratio
    velocity     gain kv,  bias (0, 0, -kv)
    intvelocity  as position, ctrl integrated
    damper       gain (0, 0, -kv)
    cylinder     gain area (pi/4 diameter^2),  bias given,  first-order filter of ctrl
    muscle       gainprm = biasprm = range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax

A shortcut sets gain, bias and dynamics of the general actuator from parameters of its own.  A
default class has one actuator, kept in general form together with the element it was written with.
See MuJoCo: XML reference, "actuator".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cortenforge.actuators import ACTUATOR_ELEMENTS, Gain
from cortenforge.grammar.rule import Value
from cortenforge.spec.actuators.dcmotor import build_dcmotor, dcmotor_parameters
from cortenforge.spec.actuators.general import GeneralActuator
from cortenforge.spec.actuators.hill import build_hill, hill_parameters
from cortenforge.spec.actuators.input_signatures import POS, PRESSURE, VEL, input_signature
from cortenforge.spec.actuators.pid_plugin import build_pid_plugin, pid_plugin_parameters
from cortenforge.spec.attribute import grammar_default
from cortenforge.spec.element import Element

#: shortcuts whose range may be that of their target
SERVOS = ("position", "intvelocity", "pid")
#: attributes that any actuator inherits from the actuator of its class, of any type
MECHANICAL_ATTRIBUTES = (
    *("group", "nsample", "interp", "delay", "user"),
    *("gear", "damping", "armature", "cranklength"),
    *("ctrllimited", "ctrlrange", "forcelimited", "forcerange", "actrange"),
    *("velrange", "ffrange", "inheritrange"),
)
#: attributes that a plugin inherits in addition
DYNAMICS_ATTRIBUTES = ("dyntype", "dynprm", "actdim", "actearly", "actlimited")
#: parameters of a muscle that are attributes: all behind the two ends of its range
MUSCLE_GAINS = Gain.MUSCLE.parameters[2:]


class ActuatorDefault(dict[str, Value]):
    """The actuator of a default class in general form, and that of the class around it."""

    def __init__(self, element: Element, parent: ActuatorDefault | None) -> None:
        form = general_form(element).values()
        kept = (name for name in MECHANICAL_ATTRIBUTES if name not in form and element.given(name))
        super().__init__({name: element[name] for name in kept} | _changed(form))
        self.tag = element.tag
        self.parent = parent

    def suits(self, tag: str) -> bool:
        """True if the parameters of a shortcut can be computed from this form."""
        alike = self.get("gaintype", "fixed") == ACTUATOR_ELEMENTS[tag].gain
        return self.tag == tag or (self.tag == "general" and alike)


def _changed(values: dict[str, Value]) -> dict[str, Value]:
    """Values that differ from the defaults of the general actuator."""
    plain = GeneralActuator().values()
    return {name: value for name, value in values.items() if not _equal(value, plain[name])}


def _equal(a: Value, b: Value) -> bool:
    return bool(np.all(np.asarray(a) == np.asarray(b)))


def inherited_actuator_values(tag: str, default: ActuatorDefault | None) -> dict[str, Value]:
    """Values that an actuator inherits from its class, as attributes of its own element."""
    if default is None:
        return {}
    if tag == "general":
        return dict(default)
    result = {name: value for name, value in default.items() if name in MECHANICAL_ATTRIBUTES}
    if tag in SERVOS:
        result.pop("inheritrange", None)
    if tag == "pidplugin":
        result |= {name: default[name] for name in DYNAMICS_ATTRIBUTES if name in default}
    source: ActuatorDefault | None = default
    while source is not None and not source.suits(tag):
        source = source.parent
    if source is None:
        return result
    if tag in SERVOS and "inheritrange" in source:
        result["inheritrange"] = source["inheritrange"]
    return result | CONVERSIONS[tag].parameters(_as_form(source))


def _as_form(default: ActuatorDefault) -> GeneralActuator:
    """The general form of a default actuator."""
    form = GeneralActuator()
    for name, value in default.items():
        if hasattr(form, name):
            setattr(form, name, value.tolist() if isinstance(value, np.ndarray) else value)
    return form


def general_form(element: Element) -> GeneralActuator:
    """The general actuator that an element stands for."""
    row = ACTUATOR_ELEMENTS[element.tag]
    form = GeneralActuator(
        gaintype=row.gain,
        biastype=row.bias,
        dyntype=row.dynamics,
        ctrllimited=_word(element, "ctrllimited"),
        forcelimited=_word(element, "forcelimited"),
        ctrlrange=_reals(element, "ctrlrange"),
        forcerange=_reals(element, "forcerange"),
        actrange=_reals(element, "actrange"),
        inheritrange=_real(element, "inheritrange"),
    )
    CONVERSIONS[element.tag].build(element, form)
    return form


def _word(element: Element, name: str) -> str:
    value = element[name]
    return str(grammar_default("general", name) if value is None else value)


def _real(element: Element, name: str) -> float:
    value = element[name]
    return 0.0 if value is None else float(value)


def _reals(element: Element, name: str) -> tuple[float, ...]:
    value = grammar_default("general", name) if element[name] is None else element[name]
    return tuple(np.asarray(value, float).tolist())


def _build_general(element: Element, form: GeneralActuator) -> None:
    form.gaintype, form.biastype = str(element["gaintype"]), str(element["biastype"])
    form.dyntype = str(element["dyntype"])
    for name in ("gainprm", "biasprm", "dynprm"):
        setattr(form, name, list(_reals(element, name)))
    form.actdim, form.actearly = int(_real(element, "actdim")), bool(element["actearly"])
    form.actlimited = _word(element, "actlimited")
    before = element.defaults.get("gaintype", "fixed")
    spec = _inherited_spec(element) if form.gaintype == before else 0
    form.ctrlspec = input_signature(element, spec)


def _build_motor(element: Element, form: GeneralActuator) -> None:
    """A plain force: the general actuator as it is."""


def _damping(element: Element) -> float:
    """biasprm[2] of a servo: minus the damping, or a damping ratio as a positive number."""
    for layer in (element.attributes, element.defaults):
        if layer.get("dampratio") is not None:
            return float(layer["dampratio"])  # type: ignore[arg-type]
        if layer.get("kv") is not None:
            return 0.0 - float(layer["kv"])  # type: ignore[arg-type]
    return 0.0


def _build_position(element: Element, form: GeneralActuator) -> None:
    kp = _real(element, "kp")
    form.ctrlspec = POS
    form.gainprm[0], form.biasprm[1], form.biasprm[2] = kp, -kp, _damping(element)
    if element["timeconst"] is not None:
        form.dynprm[0] = _real(element, "timeconst")
        form.dyntype = "filterexact" if form.dynprm[0] else "none"
        if form.dynprm[0] < 0:
            raise element.error("a time constant cannot be negative", "timeconst")
    _resolve_inheritrange(element, form, "ctrlrange", "ctrlrange")


def _resolve_inheritrange(
    element: Element, form: GeneralActuator, range_: str, *names: str
) -> None:
    """A range and inheritrange exclude each other: the one that is given replaces the other."""
    given = any(name in element.attributes for name in names)
    if given and "inheritrange" not in element.attributes:
        form.inheritrange = 0.0
    elif not given and "inheritrange" in element.attributes and form.inheritrange > 0:
        setattr(form, range_, (0.0, 0.0))
    if form.inheritrange > 0 and any(getattr(form, range_)):
        raise element.error(f"{names[0]} and inheritrange exclude each other", "inheritrange")


def _build_intvelocity(element: Element, form: GeneralActuator) -> None:
    kp = _real(element, "kp")
    form.ctrlspec = VEL
    form.gainprm[0], form.biasprm[1], form.biasprm[2] = kp, -kp, _damping(element)
    if element["timeconst"] is not None:
        form.dynprm[0] = _real(element, "timeconst")
    # actlimited="false" has no effect here in MuJoCo 4.0: a range that is given counts
    _resolve_inheritrange(element, form, "actrange", "actrange")


def _build_velocity(element: Element, form: GeneralActuator) -> None:
    kv = _real(element, "kv")
    form.ctrlspec = VEL
    form.gainprm[0], form.biasprm[2] = kv, -kv


def _build_orientation(element: Element, form: GeneralActuator) -> None:
    kp = _real(element, "kp")
    form.gainprm[0], form.biasprm[1], form.biasprm[2] = kp, -kp, _damping(element)
    form.ctrlspec = input_signature(element, _inherited_spec(element))


def _build_pid(element: Element, form: GeneralActuator) -> None:
    ki, slew = _real(element, "ki"), _real(element, "slewmax")
    form.gainprm[0] = ki
    form.biasprm[1], form.biasprm[2] = -_real(element, "kp"), _damping(element)
    form.dyntype = "pid" if ki or slew else "none"
    form.dynprm[0] = _real(element, "imax") if ki else 0.0
    form.dynprm[1] = slew
    if slew < 0:
        raise element.error("cannot be negative", "slewmax")
    form.ctrlspec = input_signature(element, _inherited_spec(element))
    if "posrange" in element.attributes:
        form.ctrlrange = _reals(element, "posrange")
    _resolve_inheritrange(element, form, "ctrlrange", "posrange", "ctrlrange")


def _build_damper(element: Element, form: GeneralActuator) -> None:
    kv = _real(element, "kv")
    form.ctrllimited = "true"
    form.gainprm[0], form.gainprm[2] = 0.0, -kv
    if kv < 0:
        raise element.error("a damping coefficient cannot be negative", "kv")
    _check_control(element, form)


def _build_cylinder(element: Element, form: GeneralActuator) -> None:
    form.ctrlspec = PRESSURE
    form.dynprm[0], form.gainprm[0] = _real(element, "timeconst"), _real(element, "area")
    form.biasprm[:3] = _reals(element, "bias")
    diameter = element.attributes.get("diameter")
    if isinstance(diameter, float) and diameter >= 0:
        form.gainprm[0] = math.pi / 4 * diameter**2


def _build_muscle(element: Element, form: GeneralActuator) -> None:
    tausmooth = _real(element, "tausmooth")
    if tausmooth < 0:
        raise element.error("cannot be negative", "tausmooth")
    form.dynprm[:3] = [*_not_negative(element, "timeconst"), tausmooth]
    form.gainprm[:2] = _not_negative(element, "range")
    form.gainprm[2:9] = [_not_negative(element, name)[0] for name in MUSCLE_GAINS]
    form.biasprm = list(form.gainprm)


def _not_negative(element: Element, name: str) -> list[float]:
    """An attribute in which negative numbers stand for the defaults."""
    value = np.atleast_1d(np.asarray(element[name], float))
    usual = np.asarray(element.fallback[name], float)
    numbers: list[float] = np.where(value >= 0, value, usual).tolist()
    return numbers


def _build_adhesion(element: Element, form: GeneralActuator) -> None:
    form.gainprm[0], form.ctrllimited = _real(element, "gain"), "true"
    if form.gainprm[0] < 0:
        raise element.error("a gain cannot be negative", "gain")
    _check_control(element, form)


def _check_control(element: Element, form: GeneralActuator) -> None:
    if min(form.ctrlrange) < 0:
        raise element.error(f"the control of a {element.tag} cannot be negative", "ctrlrange")


def _build_dcmotor(element: Element, form: GeneralActuator) -> None:
    form.ctrlspec = input_signature(element, _inherited_spec(element))
    build_dcmotor(element, form)


def _inherited_spec(element: Element) -> int:
    spec = element.defaults.get("ctrlspec", 0)
    return spec if isinstance(spec, int) else 0


def _servo_parameters(form: GeneralActuator) -> dict[str, Value]:
    found: dict[str, Value] = {"kp": form.gainprm[0]}
    damping = form.biasprm[2]
    if damping:
        found["kv" if damping < 0 else "dampratio"] = abs(damping)
    return found


def _position_parameters(form: GeneralActuator) -> dict[str, Value]:
    found = _servo_parameters(form)
    if form.dyntype == "filterexact":
        found["timeconst"] = form.dynprm[0]
    return found


def _orientation_parameters(form: GeneralActuator) -> dict[str, Value]:
    return _servo_parameters(form) | {"ctrlspec": form.ctrlspec}


def _pid_parameters(form: GeneralActuator) -> dict[str, Value]:
    return _orientation_parameters(form) | {
        "kp": -form.biasprm[1],
        "ki": form.gainprm[0],
        "imax": form.dynprm[0],
        "slewmax": form.dynprm[1],
    }


def _cylinder_parameters(form: GeneralActuator) -> dict[str, Value]:
    bias = np.array(form.biasprm[:3])
    return {"timeconst": form.dynprm[0], "area": form.gainprm[0], "bias": bias}


def _muscle_parameters(form: GeneralActuator) -> dict[str, Value]:
    return {
        "timeconst": np.array(form.dynprm[:2]),
        "tausmooth": form.dynprm[2],
        "range": np.array(form.gainprm[:2]),
        **dict(zip(MUSCLE_GAINS, form.gainprm[2:9], strict=True)),
    }


@dataclass(frozen=True)
class Conversion:
    """How an element becomes a general actuator, and how one becomes the element's attributes."""

    build: Callable[[Element, GeneralActuator], None]
    parameters: Callable[[GeneralActuator], dict[str, Value]] = lambda form: {}


CONVERSIONS = {
    "general": Conversion(_build_general),
    "motor": Conversion(_build_motor),
    "position": Conversion(_build_position, _position_parameters),
    "velocity": Conversion(_build_velocity, lambda form: {"kv": form.gainprm[0]}),
    "intvelocity": Conversion(_build_intvelocity, _position_parameters),
    "orientation": Conversion(_build_orientation, _orientation_parameters),
    "pid": Conversion(_build_pid, _pid_parameters),
    "damper": Conversion(_build_damper, lambda form: {"kv": -form.gainprm[2]}),
    "cylinder": Conversion(_build_cylinder, _cylinder_parameters),
    "muscle": Conversion(_build_muscle, _muscle_parameters),
    "hillmuscle": Conversion(build_hill, hill_parameters),
    "pidplugin": Conversion(build_pid_plugin, pid_plugin_parameters),
    "adhesion": Conversion(_build_adhesion, lambda form: {"gain": form.gainprm[0]}),
    "dcmotor": Conversion(_build_dcmotor, dcmotor_parameters),
}
