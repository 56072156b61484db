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
from cortenforge.step.actuation.slots import ADHESION_KIND, BRISTLE, STRAIN

IMPLICIT = (Integrator.IMPLICIT, Integrator.IMPLICITFAST, Integrator.IMPLICITSPRINGDAMPER)
#: gains of which it is known how they change with a length
LENGTHS = (Gain.FIXED, Gain.AFFINE, Gain.MUSCLE, Gain.DCMOTOR, Gain.SO3, Gain.PID, Gain.HILL)
#: activations that follow from themselves and one control, linearly
FILTERS = (Dynamics.NONE, Dynamics.INTEGRATOR, Dynamics.FILTER, Dynamics.FILTEREXACT)


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


def has_plain_inverse(model: Model) -> bool:
    """Whether the force of inverse dynamics has derivatives in formulas: without constraints."""
    flags = Enable.INVDISCRETE | Enable.SLEEP
    discrete = model.opt.integrator == Integrator.DISCRETE
    free = not (model.constraining or model.called)
    return bool(free and not discrete and not model.opt.enableflags & flags)


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
        matrix = has_plain_matrix(model)
        driven = has_plain_limits(model) and has_plain_kinds(model)
        return cls(
            by_position=matrix
            and has_plain_forces(model)
            and has_plain_rows(model)
            and has_still_activations(model),
            by_velocity=has_plain_limits(model) and has_plain_speeds(model),
            by_input=driven and has_plain_activations(model) and not has_driven_matrix(model),
            step_by_velocity=matrix,
        )


def present(model: Model, *names: str) -> bool:
    """Whether any numbers of some fields are, or in worlds of a batch may be, other than zero."""
    return any(name in model._differing or getattr(model, name).any() for name in names)


def has_plain_matrix(model: Model) -> bool:
    """Whether the matrix of a step is M and what follows from velocities of single dofs alone."""
    integrator = model.opt.integrator
    if integrator == Integrator.IMPLICITSPRINGDAMPER:
        return not present(model, "jnt_stiffnesspoly")
    if integrator == Integrator.IMPLICITFAST:
        return not (has_medium(model) or has_lone_bodies(model) or has_varied_damping(model))
    return integrator == Integrator.EULER


def has_driven_matrix(model: Model) -> bool:
    """Whether controls and activations change the matrix of a step: by gains that damp."""
    implicit = model.opt.integrator in (Integrator.IMPLICIT, Integrator.IMPLICITFAST)
    damping = np.isin(model.actuator_gaintype, (Gain.AFFINE, Gain.MUSCLE))
    return bool(implicit and damping.any())


def has_medium(model: Model) -> bool:
    """Whether there is anything to move through."""
    differs = {"opt_density", "opt_viscosity"} & model._differing
    return bool(differs or model.opt.density or model.opt.viscosity)


def has_lone_bodies(model: Model) -> bool:
    """Whether there are free bodies on which nothing moves: implicitfast turns these otherwise."""
    dofs = model.tree_dofnum[model.dof_treeid[model.jnt_dofadr[model.jnt_type == JointType.FREE]]]
    return bool((dofs == 6).any())


def has_varied_damping(model: Model) -> bool:
    """Whether what tendons and actuators damp changes with their arms, or with their speed."""
    spatial = (model.tendon_type == TendonType.SPATIAL).any()
    if model.ntendon and present(model, "tendon_dampingpoly", "actuator_dampingpoly"):
        return True
    if spatial and present(model, "tendon_damping", "actuator_damping"):
        return True
    damping = model.actuator_biastype != Bias.NONE
    damping |= ~np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.PID))
    linear = np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.AFFINE, Gain.PID))
    linear &= np.isin(model.actuator_biastype, (Bias.NONE, Bias.AFFINE))
    still = model.actuator_trntype == Transmission.JOINT
    still |= (model.actuator_trntype == Transmission.TENDON) & (not spatial)
    turned = model.actuator_trntype == Transmission.JOINTINPARENT
    still[turned] = model.jnt_type[model.actuator_trnid[turned, 0]] >= JointType.SLIDE
    return bool((damping & ~(linear & still)).any())


def has_plain_forces(model: Model) -> bool:
    """Whether all smooth forces have derivatives by positions."""
    return has_plain_lengths(model) and has_plain_paths(model)


def has_plain_rows(model: Model) -> bool:
    """Whether rows of constraints follow from positions alone, without inertia and velocities."""
    return not (model.opt.enableflags & Enable.DIAGEXACT or is_held(model))


def has_plain_limits(model: Model) -> bool:
    """Whether limits of force on tendons are of one actuator each.

    Those that share a limited tendon share what is left of their forces.
    """
    limited = np.flatnonzero(model.tendon_actfrclimited)
    pulled = model.actuator_trnid[model.actuator_trntype == Transmission.TENDON, 0]
    return not any(np.count_nonzero(pulled == tendon) > 1 for tendon in limited)


def has_plain_kinds(model: Model) -> bool:
    """Whether it is known how forces of actuators change with activations and controls."""
    gains = np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.AFFINE, Gain.MUSCLE))
    biases = np.isin(model.actuator_biastype, (Bias.NONE, Bias.AFFINE, Bias.MUSCLE))
    return bool(gains.all() and biases.all())


def has_plain_lengths(model: Model) -> bool:
    """Whether it is known how forces of actuators change with lengths and, on arms that move, with
    velocities."""
    known = np.isin(model.actuator_gaintype, LENGTHS)
    rubbing = (model.actuator_slots & BRISTLE) != 0
    # integrals that count as they will be after the step have more of the length
    ahead = (model.actuator_gaintype == Gain.PID) & (model.actuator_actearly != 0)
    return bool(known.all() and not rubbing.any() and not ahead.any())


def has_still_activations(model: Model) -> bool:
    """Whether activations do not follow positions."""
    known = np.isin(model.actuator_dyntype, (*FILTERS, Dynamics.MUSCLE))
    rigid = (model.actuator_dyntype == Dynamics.HILL) & ((model.actuator_slots & STRAIN) == 0)
    return bool((known | rigid | (model.actuator_actnum == 0)).all())


def has_plain_activations(model: Model) -> bool:
    """Whether activations are filters of one control each, or muscles."""
    single = (model.actuator_ctrlnum == 1) & (model.actuator_actnum <= 1)
    known = np.isin(model.actuator_dyntype, (*FILTERS, Dynamics.MUSCLE))
    return bool(known.all() and single.all())


def has_plain_speeds(model: Model) -> bool:
    """Whether `smooth_velocity` knows what velocities change, and references of rows are linear."""
    gains = np.isin(model.actuator_gaintype, (Gain.FIXED, Gain.AFFINE, Gain.MUSCLE))
    kinds = np.isin(model.actuator_dyntype, (Dynamics.DCMOTOR, Dynamics.PID, Dynamics.HILL))
    return bool(gains.all() and not kinds.any() and not is_held(model))


def is_held(model: Model) -> bool:
    """Whether there are equalities that would move by themselves (step.constraint.drift)."""
    drifting = (EqualityType.CONNECT, EqualityType.WELD, EqualityType.DISTANCE)
    return bool(np.isin(model.eq_type, drifting).any() and model.constraining)


def has_plain_paths(model: Model) -> bool:
    """Whether arms of forces are known as functions of positions: of joints, sites, tendons.

    Not of what sticks to contacts.
    """
    kinds = (
        *(Transmission.JOINT, Transmission.JOINTINPARENT, Transmission.TENDON),
        *(Transmission.SITE, Transmission.SLIDERCRANK, Transmission.SO3),
    )
    return bool(np.isin(model.actuator_trntype, kinds).all())
