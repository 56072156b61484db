"""Rules between an actuator's gain, bias, dynamics, inputs and states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cortenforge.enums import Dynamics, JointType, Transmission
from cortenforge.errors import MjcfError
from cortenforge.spec.actuators.general import slot_count
from cortenforge.spec.actuators.input_signatures import (
    EXPMAP,
    FF,
    NONE,
    POS,
    PRESSURE,
    QUAT,
    VEL,
    VOLTAGE,
)

if TYPE_CHECKING:
    from cortenforge.compile.wiring.actuators import CompiledActuator

SETPOINT_INPUTS = POS | VEL | FF
#: dynamics that may have more than one activation
MULTI_STATE_DYNAMICS = ("user", *(kind.word for kind in Dynamics if kind.mark))


def resolve_inputs(actuator: CompiledActuator, joint: JointType | None) -> None:
    """Fill in what the controls are, and how many controls and force outputs there are."""
    form = actuator.form
    if "so3" in (form.gaintype, form.biastype):
        _resolve_so3(actuator, joint)
    elif form.gaintype == "pid":
        _resolve_pid(actuator)
    elif form.gaintype == "dcmotor":
        _resolve_dcmotor(actuator)
    elif form.gaintype in ("fixed", "affine"):
        if form.ctrlspec not in (0, POS, VEL, PRESSURE):
            raise _actuator_error(
                actuator, "this gain has one input: pos, vel or pressure", "input"
            )
    elif form.ctrlspec:
        raise _actuator_error(
            actuator, f"an actuator with {form.gaintype} gain has no choice of input"
        )
    if form.dyntype == "pid" and form.gaintype != "pid":
        raise _actuator_error(actuator, 'dyntype "pid" goes with gaintype "pid"', "dyntype")


def _actuator_error(
    actuator: CompiledActuator, message: str, attribute: str = "input"
) -> MjcfError:
    """An error that names the attribute, where the element was written with it."""
    element = actuator.element
    return element.error(message, attribute if element.given(attribute) else None)


def _resolve_so3(actuator: CompiledActuator, joint: JointType | None) -> None:
    """An orientation servo: three torques on a ball joint, or between two sites."""
    form = actuator.form
    if form.gaintype != form.biastype:
        raise _actuator_error(actuator, 'gaintype and biastype are "so3" together', "gaintype")
    if form.dyntype not in ("none", "integrator"):
        raise _actuator_error(
            actuator, 'an orientation servo has dyntype "none" or "integrator"', "dyntype"
        )
    if form.gainprm[0] != -form.biasprm[1]:
        raise _actuator_error(
            actuator, "an orientation servo has biasprm[1] = -gainprm[0]", "gainprm"
        )
    if actuator.trntype is Transmission.SITE:
        if actuator.trnid[1] < 0:
            raise _actuator_error(
                actuator, "an orientation servo on a site needs a refsite", "site"
            )
    elif actuator.trntype is not Transmission.JOINT or joint is not JointType.BALL:
        raise _actuator_error(
            actuator, "an orientation servo acts on a ball joint or a site", "joint"
        )
    if form.dyntype == "integrator":
        if form.actdim > 0 and form.actdim != 3:
            raise _actuator_error(actuator, "an orientation has three activations", "actdim")
        form.actdim = 3
        if form.actlimited == "true" and not any(form.actrange):
            form.actlimited = "false"
    form.ctrlspec = form.ctrlspec or EXPMAP
    if form.ctrlspec not in (EXPMAP, QUAT):
        raise _actuator_error(actuator, "the input of an orientation servo is expmap or quat")
    if form.ctrlspec == QUAT and form.dyntype != "none":
        raise _actuator_error(actuator, 'the quat input needs dyntype "none"')
    if form.forcerange[0] and (form.forcelimited != "false"):
        raise _actuator_error(
            actuator, "limits the norm of a torque: it must start at 0", "forcerange"
        )
    actuator.ctrlnum, actuator.outnum = (4 if form.ctrlspec == QUAT else 3), 3
    actuator.trntype = Transmission.SO3


def _resolve_pid(actuator: CompiledActuator) -> None:
    form = actuator.form
    if form.biastype != "affine":
        raise _actuator_error(actuator, 'gaintype "pid" goes with biastype "affine"', "biastype")
    if form.dyntype not in ("none", "pid"):
        raise _actuator_error(
            actuator, 'gaintype "pid" goes with dyntype "none" or "pid"', "dyntype"
        )
    if form.dyntype == "none" and form.gainprm[0]:
        raise _actuator_error(actuator, 'an integral gain needs dyntype "pid"', "gainprm")
    if actuator.trntype is Transmission.BODY:
        raise _actuator_error(actuator, "a pid cannot act on a body", "body")
    form.ctrlspec = form.ctrlspec or POS | VEL
    if form.ctrlspec & ~SETPOINT_INPUTS:
        raise _actuator_error(actuator, "the inputs of a pid are some of pos, vel, ff")
    if form.dyntype == "pid":
        attribute = "imax" if actuator.element.tag == "pid" else "dynprm"
        if min(form.dynprm[:2]) < 0:
            raise _actuator_error(actuator, "the limits of a pid cannot be negative", attribute)
        states = slot_count(form, Dynamics.PID)
        if form.actdim > 0 and form.actdim != states:
            raise _actuator_error(actuator, f"this pid has {states} activations", "actdim")
        form.actdim = states
        if not form.ctrlspec & POS:
            raise _actuator_error(actuator, "integral action and slew limits need the pos input")
    actuator.ctrlnum = form.ctrlspec.bit_count()


def _resolve_dcmotor(actuator: CompiledActuator) -> None:
    form = actuator.form
    form.ctrlspec = form.ctrlspec or VOLTAGE
    if form.ctrlspec != NONE and form.ctrlspec & ~(SETPOINT_INPUTS | VOLTAGE):
        raise _actuator_error(
            actuator, "the inputs of a dcmotor are some of pos, vel, ff, voltage, or none"
        )
    controlled = form.ctrlspec & SETPOINT_INPUTS if form.ctrlspec != NONE else 0
    constant, gains = form.gainprm[1], form.gainprm[4:7]
    if controlled and constant <= 0:
        raise _actuator_error(actuator, "setpoints need a positive motor constant")
    if not controlled and (any(gains) or form.dynprm[7] > 0):
        raise _actuator_error(actuator, "a controller needs an input: pos, vel or ff", "controller")
    if gains[1] > 0 and not form.ctrlspec & POS:
        raise _actuator_error(actuator, "an integral gain needs the pos input", "controller")
    actuator.ctrlnum = 0 if form.ctrlspec == NONE else form.ctrlspec.bit_count()


def check_actuator_form(actuator: CompiledActuator) -> None:
    """Set the number of activations, and check parameters of muscles and motors."""
    form, element = actuator.form, actuator.element
    if form.gaintype == "pidplugin":
        _check_pid_plugin(actuator)
        return
    if form.actdim > 1 and form.dyntype not in MULTI_STATE_DYNAMICS and actuator.outnum == 1:
        raise element.error("only user, dcmotor and pid dynamics have several states", "actdim")
    if form.actdim == 1 and form.dyntype == "none":
        raise element.error("an actuator without dynamics has no state", "actdim")
    if form.actdim == 0 and form.dyntype not in ("none", "dcmotor"):
        raise _actuator_error(actuator, "an actuator with dynamics has a state", "actdim")
    if form.dyntype == "dcmotor":
        _check_dcmotor(actuator)
    if form.actdim < 0:
        form.actdim = int(form.dyntype != "none")
    if "dcmotor" in (form.gaintype, form.biastype) and form.actdim != slot_count(
        form, Dynamics.DCMOTOR
    ):
        raise _actuator_error(actuator, 'the states of a motor need dyntype "dcmotor"', "dyntype")
    for kind, parameters in ((form.gaintype, form.gainprm), (form.biastype, form.biasprm)):
        if kind == "muscle":
            _check_muscle(actuator, parameters)
    if "hill" in (form.gaintype, form.biastype, form.dyntype):
        _check_hill(actuator)


def _check_dcmotor(actuator: CompiledActuator) -> None:
    form = actuator.form
    if not form.actearly:
        raise _actuator_error(actuator, "a motor's dynamics need actearly", "actearly")
    states = slot_count(form, Dynamics.DCMOTOR)
    if form.actdim >= 0 and form.actdim != states:
        raise _actuator_error(actuator, f"this motor has {states} activations", "actdim")
    form.actdim = states


def _check_muscle(actuator: CompiledActuator, prm: list[float]) -> None:
    """Parameters: operating range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax."""
    if prm[0] >= prm[1]:
        raise _actuator_error(
            actuator, "the lower end of a muscle's range must be below the upper", "range"
        )
    if prm[4] >= 1 or prm[5] <= 1:
        raise _actuator_error(actuator, "a muscle needs lmin < 1 < lmax", "lmin")
    for name, value in zip(("scale", "vmax", "fpmax", "fvmax"), (prm[3], *prm[6:9]), strict=True):
        if value <= 0:
            raise _actuator_error(actuator, f"the {name} of a muscle must be positive", name)


def _check_hill(actuator: CompiledActuator) -> None:
    """Parameters in the order of step/actuation/hill_muscle.py."""
    form, prm = actuator.form, actuator.form.gainprm
    if {form.gaintype, form.biastype, form.dyntype} != {"hill"} or form.actearly:
        raise _actuator_error(
            actuator, "gain, bias and dynamics of a Hill muscle belong together", "class"
        )
    for name, value in zip(("fmax", "lopt", "slack"), prm, strict=False):
        if value < 0 or (value == 0 and name != "slack"):
            raise actuator.element.error(
                f"a Hill muscle needs its {name}", name, hint="or a preset, which gives all of them"
            )
    steepest = math.radians(85)
    for name, fits, rule in (
        ("pennation", 0 <= prm[3] < steepest, "is in radians, below 85 degrees"),
        ("vmax", prm[4] > 0, "is positive"),
        ("lmin", 0 <= prm[5] < 1, "is below 1"),
        ("lmax", prm[6] > 1, "is above 1"),
        ("fvmax", prm[7] > 1, "is above 1"),
        (
            "strain",
            prm[8] == 0 or (prm[8] > 0 and prm[2] > 0),
            "needs a tendon with a length: slack",
        ),
        ("fpstrain", form.biasprm[0] > 0, "is positive"),
        ("fibredamping", form.biasprm[1] > 0, "is positive"),
        ("timeconst", min(form.dynprm[:2]) > 0, "is positive"),
        ("minact", 0 <= form.dynprm[2] < 1, "is below 1"),
        (
            "actdim",
            form.actdim == 1 + slot_count(form, Dynamics.HILL),
            "is 1, and 2 with an elastic tendon",
        ),
    ):
        if not fits:
            raise _actuator_error(actuator, f"the {name} of a Hill muscle {rule}", name)


def _check_pid_plugin(actuator: CompiledActuator) -> None:
    """The controller of mujoco.pid: its limits, and its states before that of its dynamics."""
    form = actuator.form
    _kp, ki, _kd, imax, slew = form.gainprm[:5]
    if imax >= 0 and ki < 0:
        raise _actuator_error(actuator, "an integral with a limit has a positive gain", "ki")
    if form.dyntype not in ("none", "integrator", "filter", "filterexact"):
        raise _actuator_error(actuator, "this plugin has no such dynamics", "dyntype")
    states = (ki != 0) + (slew >= 0) + (form.dyntype != "none")
    if form.actdim >= 0 and form.actdim != states:
        raise _actuator_error(actuator, f"this controller has {states} activations", "actdim")
    form.actdim = states
