"""The dcmotor shortcut: constants of the motor from its data sheet.

With nominal voltage V, stall torque T, no-load speed w and viscous damping b:

    k_e = V / w                                       without damping
    k_e = (V + sqrt(V^2 - 4 R b w^2)) / (2 w)         with damping, R given
    k_e = V / w - V b / T                             with damping, R not given
    k = sqrt(k_t k_e) if both are given,  R = k V / T if not given
    electrical time constant = L / R
    thermal time constant = R_th C_th: two of the three are given

See MuJoCo: XML reference, "actuator/dcmotor".
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.actuators import Dynamics
from cortenforge.grammar.rule import Value
from cortenforge.spec.actuators.general import GeneralActuator, slot_count
from cortenforge.spec.actuators.input_signatures import NONE
from cortenforge.spec.element import Element


def dcmotor_parameters(form: GeneralActuator) -> dict[str, Value]:
    """Attributes of a dcmotor from the general form of its default class."""
    gain, bias, dyn = form.gainprm, form.biasprm, form.dynprm
    return {
        "motorconst": np.array([gain[1], 0.0]),
        "resistance": gain[0],
        "saturation": np.array([0.0, 0.0, dyn[1]]),
        "timeconst": dyn[0],
        "cogging": np.array(bias[:3]),
        "controller": np.array([*gain[4:7], dyn[7], dyn[8], gain[7]]),
        "thermal": np.array([dyn[2], dyn[3], 0.0, gain[2], gain[3], dyn[4]]),
        "lugre": np.array([dyn[5], dyn[6], *bias[3:6]]),
        "ctrlspec": form.ctrlspec,
    }


def build_dcmotor(element: Element, form: GeneralActuator) -> None:
    """Fill in gain, bias and dynamics; states come in a fixed order, one for each part present."""
    constant, resistance = _motor_constants(element, form)
    controller = _motor_numbers(element, "controller")
    cogging = _motor_numbers(element, "cogging")
    form.gainprm = [resistance, constant, 0.0, 0.0, *controller[:3], max(0.0, controller[5]), 0, 0]
    form.biasprm = [*cogging, *[0.0] * 7]
    form.dynprm = [0.0] * 10
    form.dynprm[0] = _electrical_timeconst(element, resistance)
    form.dynprm[7:9] = controller[3:5]
    _build_saturation(element, form, constant)
    _build_thermal_model(element, form)
    lugre = _motor_numbers(element, "lugre")
    if lugre[0] > 0:
        form.dynprm[5:7], form.biasprm[3:6] = lugre[:2], lugre[2:]
    form.actdim = slot_count(form, Dynamics.DCMOTOR)
    form.actearly, form.actlimited = True, "false"


def _motor_numbers(element: Element, name: str) -> list[float]:
    numbers: list[float] = np.asarray(element[name], float).tolist()
    return numbers


def _motor_constants(element: Element, form: GeneralActuator) -> tuple[float, float]:
    """Motor constant and resistance, derived from the nominal operating point where needed."""
    torque, emf = _motor_numbers(element, "motorconst")
    voltage, stall, speed = _motor_numbers(element, "nominal")
    value = element["resistance"]
    resistance = 0.0 if value is None else float(value)
    if torque < 0 or emf < 0:
        raise element.error("motor constants cannot be negative", "motorconst")
    if voltage > 0 and emf <= 0 and speed > 0:
        emf = _emf_constant(element, voltage, stall, speed, resistance)
    constant = math.sqrt(torque * emf) if torque > 0 and emf > 0 else max(torque, emf)
    if resistance == 0 and voltage > 0 and stall > 0 and constant > 0:
        resistance = constant * voltage / stall
    if constant <= 0 and form.ctrlspec != NONE:
        raise element.error(
            "the motor constant must be positive", "motorconst", "give motorconst or nominal"
        )
    if resistance <= 0:
        raise element.error(
            "the resistance must be positive", "resistance", "give resistance or nominal"
        )
    return constant, resistance


def _emf_constant(
    element: Element, voltage: float, stall: float, speed: float, resistance: float
) -> float:
    """Back-EMF constant k_e from voltage and no-load speed, which damping lowers."""
    damping = element["damping"]
    viscous = float(damping[0]) if isinstance(damping, np.ndarray) else 0.0
    simple = voltage / speed
    if viscous > 0 and resistance > 0:
        rest = voltage * voltage - 4 * resistance * viscous * speed * speed
        return (voltage + math.sqrt(rest)) / (2 * speed) if rest > 0 else simple
    if viscous > 0 and stall > 0:
        exact = voltage / speed - voltage * viscous / stall
        return exact if exact > 0 else simple
    return simple


def _electrical_timeconst(element: Element, resistance: float) -> float:
    inductance, time = _motor_numbers(element, "inductance")
    inherited = element.defaults.get("timeconst")
    if "inductance" not in element.attributes and isinstance(inherited, float):
        time = inherited
    if inductance < 0 or time < 0:
        raise element.error("inductance and time constant cannot be negative", "inductance")
    return inductance / resistance if inductance > 0 else time


def _build_saturation(element: Element, form: GeneralActuator, constant: float) -> None:
    """Limits of torque and of the rate of current; given ones replace an inherited force range."""
    torque, current, rate = _motor_numbers(element, "saturation")
    if "saturation" in element.attributes:
        form.forcerange, form.forcelimited = (0.0, 0.0), "auto"
    if torque > 0 or current > 0:
        if torque == 0 and constant <= 0:
            raise element.error("a limit of current needs a motor constant", "saturation")
        largest = torque if torque != 0 else constant * current
        form.forcerange, form.forcelimited = (-largest, largest), "true"
    if rate > 0:
        form.dynprm[1] = rate


def _build_thermal_model(element: Element, form: GeneralActuator) -> None:
    """The thermal model, from any two of resistance, capacitance and time constant."""
    resistance, capacity, time, coefficient, reference, ambient = _motor_numbers(element, "thermal")
    if not (resistance > 0 or capacity > 0 or time > 0):
        return
    if time > 0 and resistance > 0:
        capacity = time / resistance
    elif time > 0 and capacity > 0 and resistance == 0:
        resistance = time / capacity
    if resistance <= 0 or capacity <= 0:
        raise element.error(
            "two of thermal resistance, capacitance and time constant must be positive", "thermal"
        )
    form.dynprm[2:5] = resistance, capacity, ambient
    form.gainprm[2:4] = coefficient, reference
