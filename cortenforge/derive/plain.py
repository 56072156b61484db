"""Which forces of a model have derivatives in formulas, and which are differenced."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.enums import (
    Bias,
    Dynamics,
    Enable,
    EqualityType,
    Gain,
    Integrator,
    JointType,
    TendonType,
    Transmission,
)
from cortenforge.model import Model
from cortenforge.step.actuation.slots import ADHESION_KIND

IMPLICIT = (Integrator.IMPLICIT, Integrator.IMPLICITFAST, Integrator.IMPLICITSPRINGDAMPER)


def why_not(model: Model) -> str:
    """Why derivatives of a model's step are differences of whole steps; "" if they need not be."""
    reasons = {
        "the integrator": model.opt.integrator not in (Integrator.EULER, *IMPLICIT),
        "noslip_iterations": model.opt.noslip_iterations > 0,
        "the flag sleep": bool(model.opt.enableflags & Enable.SLEEP),
        "callbacks": model.called != 0,
        "delays": model.nhistory > 0,
        "adhesion": bool(model.actuator_kinds & ADHESION_KIND),
    }
    return ", ".join(name for name, holds in reasons.items() if holds)


@dataclass(frozen=True)
class Plain:
    """What has formulas: derivatives by positions, by velocities, and by activations and controls.

    step_by_velocity: whether the matrix of the step does, by velocities.
    """

    by_position: bool
    by_velocity: bool
    by_input: bool
    step_by_velocity: bool

    @classmethod
    def of(cls, model: Model) -> Plain:
        """Of a model as it is now."""
        euler = model.opt.integrator == Integrator.EULER
        driven = has_plain_limits(model) and has_plain_kinds(model)
        return cls(
            by_position=euler and has_plain_forces(model) and has_plain_rows(model),
            by_velocity=has_plain_limits(model) and has_plain_speeds(model),
            by_input=driven and has_plain_activations(model),
            step_by_velocity=euler,
        )


def has_plain_forces(model: Model) -> bool:
    """Whether all smooth forces have derivatives by positions."""
    return has_plain_limits(model) and has_plain_kinds(model) and has_plain_paths(model)


def has_plain_rows(model: Model) -> bool:
    """Whether rows of constraints follow from positions alone, without inertia and velocities."""
    return not (model.opt.enableflags & Enable.DIAGEXACT or is_held(model))


def has_plain_limits(model: Model) -> bool:
    """Whether limits of force on joints and tendons are of one actuator each."""
    across = model.actuator_trntype > Transmission.JOINTINPARENT
    if model.tendon_actfrclimited.any():
        return False
    return not (model.jnt_actfrclimited.any() and (across.any() or model.jnt_actgravcomp.any()))


def has_plain_kinds(model: Model) -> bool:
    """Whether forces of actuators are affine in all that makes them."""
    gains = np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.AFFINE))
    biases = np.isin(model.actuator_biastype, (Bias.NONE, Bias.AFFINE))
    return bool(gains.all() and biases.all())


def has_plain_activations(model: Model) -> bool:
    """Whether activations are filters of one control each."""
    known = (Dynamics.NONE, Dynamics.INTEGRATOR, Dynamics.FILTER, Dynamics.FILTEREXACT)
    single = (model.actuator_ctrlnum == 1) & (model.actuator_actnum <= 1)
    return bool(np.isin(model.actuator_dyntype, known).all() and single.all())


def has_plain_speeds(model: Model) -> bool:
    """Whether `smooth_velocity` knows what velocities change, and references of rows are linear."""
    gains = np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.AFFINE, Gain.MUSCLE))
    kinds = np.isin(model.actuator_dyntype, (Dynamics.DCMOTOR, Dynamics.PID, Dynamics.HILL))
    heavy = (model.tendon_type == TendonType.SPATIAL) & (model.tendon_armature != 0)
    return bool(gains.all() and not kinds.any() and not is_held(model) and not heavy.any())


def is_held(model: Model) -> bool:
    """Whether there are equalities that would move by themselves (step.constraint.drift)."""
    drifting = (EqualityType.CONNECT, EqualityType.WELD, EqualityType.DISTANCE)
    return bool(np.isin(model.eq_type, drifting).any() and model.constraining)


def has_plain_paths(model: Model) -> bool:
    """Whether arms of forces stay, or turn with their bodies: joints, fixed tendons, weights."""
    spatial = model.tendon_type == TendonType.SPATIAL
    medium = model.opt.density != 0 or model.opt.viscosity != 0
    joints = model.actuator_trntype <= Transmission.JOINTINPARENT
    tendons = model.actuator_trntype == Transmission.TENDON
    moved = model.jnt_type[model.actuator_trnid[joints, 0]]
    straight = np.isin(moved, (JointType.HINGE, JointType.SLIDE)).all()
    actgravcomp = model.jnt_actgravcomp.any() and model.jnt_actfrclimited.any()
    return bool(
        not spatial.any()
        and not medium
        and (joints | tendons).all()
        and straight
        and not actgravcomp
    )
