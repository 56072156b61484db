"""Which partial derivatives of a model have formulas, and which need finite differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.actuators import ActuatorType
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
from cortenforge.model.internals import fields_that_differ
from cortenforge.step.actuation.activation_slots import ADHESION_KIND, BRISTLE, STRAIN

IMPLICIT_INTEGRATORS = (
    Integrator.IMPLICIT,
    Integrator.IMPLICITFAST,
    Integrator.IMPLICITSPRINGDAMPER,
)


def why_finite_differences(model: Model) -> str:
    """Why a model needs finite differences of whole steps; "" if it does not."""
    reasons = {
        "the integrator": model.opt.integrator not in (Integrator.EULER, *IMPLICIT_INTEGRATORS),
        "noslip_iterations": model.opt.noslip_iterations > 0,
        "the flag sleep": bool(model.opt.enableflags & Enable.SLEEP),
        "callbacks": model.called != 0,
        "delays": model.nhistory > 0,
        "adhesion": bool(model.actuator_kinds & ADHESION_KIND),
    }
    return ", ".join(name for name, holds in reasons.items() if holds)


def inverse_has_formulas(model: Model) -> bool:
    """Whether inverse dynamics' force has formulas: without constraints."""
    flags = Enable.INVDISCRETE | Enable.SLEEP
    discrete = model.opt.integrator == Integrator.DISCRETE
    free = not (model.constraining or model.called)
    return bool(free and not discrete and not model.opt.enableflags & flags)


@dataclass(frozen=True)
class Formulas:
    """What has formulas: partials of forces by position, velocity, activation and control.

    step_by_velocity: whether the integrator's matrix has a formula by velocity.
    """

    by_position: bool
    by_velocity: bool
    by_input: bool
    step_by_velocity: bool

    @classmethod
    def of(cls, model: Model) -> Formulas:
        """The formulas of a model in its current state."""
        matrix = step_matrix_has_formulas(model)
        driven = tendon_limits_have_formulas(model) and inputs_have_formulas(model)
        return cls(
            by_position=matrix
            and forces_have_formulas(model)
            and rows_depend_on_position_only(model)
            and activations_ignore_position(model),
            by_velocity=tendon_limits_have_formulas(model) and velocities_have_formulas(model),
            by_input=driven
            and activations_have_formulas(model)
            and not step_matrix_depends_on_inputs(model),
            step_by_velocity=matrix,
        )


def have_formulas(types: np.ndarray, kind: type[ActuatorType], by: str) -> np.ndarray:
    """Which of some types of dynamics, gain or bias have formulas for a derivative."""
    return np.isin(types, [one for one in kind if by in one.formulas])


def any_nonzero(model: Model, *names: str) -> bool:
    """Whether any value of some fields is, or in worlds of a batch may be, other than zero."""
    own = fields_that_differ(model)
    return any(name in own or getattr(model, name).any() for name in names)


def step_matrix_has_formulas(model: Model) -> bool:
    """Whether the integrator's matrix is M plus terms of single dofs by velocity alone."""
    integrator = model.opt.integrator
    if integrator == Integrator.IMPLICITSPRINGDAMPER:
        return not any_nonzero(model, "jnt_stiffnesspoly")
    if integrator == Integrator.IMPLICITFAST:
        return not (may_have_fluid(model) or has_free_bodies(model) or has_varied_damping(model))
    return integrator == Integrator.EULER


def step_matrix_depends_on_inputs(model: Model) -> bool:
    """Whether the integrator's matrix depends on controls or activations (gains that damp)."""
    implicit = model.opt.integrator in (Integrator.IMPLICIT, Integrator.IMPLICITFAST)
    damping = np.isin(model.actuator_gaintype, [kind for kind in Gain if kind.damping])
    return bool(implicit and damping.any())


def may_have_fluid(model: Model) -> bool:
    """Whether density or viscosity is, or in worlds of a batch may be, other than zero."""
    differs = {"opt_density", "opt_viscosity"} & fields_that_differ(model)
    return bool(differs or model.opt.density or model.opt.viscosity)


def has_free_bodies(model: Model) -> bool:
    """Whether there are free bodies without moving descendants, which implicitfast solves apart."""
    dofs = model.tree_dofnum[model.dof_treeid[model.jnt_dofadr[model.jnt_type == JointType.FREE]]]
    return bool((dofs == 6).any())


def has_varied_damping(model: Model) -> bool:
    """Whether damping of tendons and actuators depends on position, or on their velocity."""
    spatial = (model.tendon_type == TendonType.SPATIAL).any()
    if model.ntendon and any_nonzero(model, "tendon_dampingpoly", "actuator_dampingpoly"):
        return True
    if spatial and any_nonzero(model, "tendon_damping", "actuator_damping"):
        return True
    parts = ((Gain, model.actuator_gaintype), (Bias, model.actuator_biastype))
    damping, linear = np.zeros(model.nactuator, bool), np.ones(model.nactuator, bool)
    for kind, types in parts:
        damping |= np.isin(types, [one for one in kind if one.damping])
        linear &= np.isin(types, [one for one in kind if one.damping != "varied"])
    still = model.actuator_trntype == Transmission.JOINT
    still |= (model.actuator_trntype == Transmission.TENDON) & (not spatial)
    turned = model.actuator_trntype == Transmission.JOINTINPARENT
    still[turned] = model.jnt_type[model.actuator_trnid[turned, 0]] >= JointType.SLIDE
    return bool((damping & ~(linear & still)).any())


def forces_have_formulas(model: Model) -> bool:
    """Whether all smooth forces have formulas by position."""
    return lengths_have_formulas(model) and transmissions_have_formulas(model)


def rows_depend_on_position_only(model: Model) -> bool:
    """Whether constraint rows depend on position alone, not on inertia and velocity."""
    return not (model.opt.enableflags & Enable.DIAGEXACT or has_drift_compensation(model))


def tendon_limits_have_formulas(model: Model) -> bool:
    """Whether each tendon with a force limit has one actuator at most.

    Actuators of one limited tendon share its scaled force.
    """
    limited = np.flatnonzero(model.tendon_actfrclimited)
    pulled = model.actuator_trnid[model.actuator_trntype == Transmission.TENDON, 0]
    return not any(np.count_nonzero(pulled == tendon) > 1 for tendon in limited)


def inputs_have_formulas(model: Model) -> bool:
    """Whether actuator forces have formulas by activation and control."""
    gains = have_formulas(model.actuator_gaintype, Gain, "input")
    biases = have_formulas(model.actuator_biastype, Bias, "input")
    return bool(gains.all() and biases.all())


def lengths_have_formulas(model: Model) -> bool:
    """Whether actuator forces have formulas by length and, for moving arms, by velocity."""
    known = have_formulas(model.actuator_gaintype, Gain, "length")
    rubbing = (model.actuator_slots & BRISTLE) != 0
    # with actearly, an integral depends on the length as well
    ahead = (model.actuator_gaintype == Gain.PID) & (model.actuator_actearly != 0)
    return bool(known.all() and not rubbing.any() and not ahead.any())


def activations_ignore_position(model: Model) -> bool:
    """Whether activations do not depend on positions."""
    known = have_formulas(model.actuator_dyntype, Dynamics, "position")
    rigid = (model.actuator_dyntype == Dynamics.HILL) & ((model.actuator_slots & STRAIN) == 0)
    return bool((known | rigid | (model.actuator_actnum == 0)).all())


def activations_have_formulas(model: Model) -> bool:
    """Whether activations are filters of one control each, or muscles."""
    single = (model.actuator_ctrlnum == 1) & (model.actuator_actnum <= 1)
    known = have_formulas(model.actuator_dyntype, Dynamics, "input")
    return bool(known.all() and single.all())


def velocities_have_formulas(model: Model) -> bool:
    """Whether qDeriv contains all partials by velocity, and reference accelerations are linear."""
    gains = have_formulas(model.actuator_gaintype, Gain, "velocity")
    kinds = have_formulas(model.actuator_dyntype, Dynamics, "velocity")
    return bool(gains.all() and kinds.all() and not has_drift_compensation(model))


def has_drift_compensation(model: Model) -> bool:
    """Whether there are equalities with compensation of drift (step.constraint.jdotv)."""
    drifting = (EqualityType.CONNECT, EqualityType.WELD, EqualityType.DISTANCE)
    return bool(np.isin(model.eq_type, drifting).any() and model.constraining)


def transmissions_have_formulas(model: Model) -> bool:
    """Whether all transmissions have moment arms that are functions of position.

    Not those to bodies, which follow from contacts.
    """
    return bool((model.actuator_trntype != Transmission.BODY).all())
