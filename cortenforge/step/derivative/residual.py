"""Residuals of a step's equations at given accelerations, for finite differences.

    force residual         qfrc_inverse = M qacc + bias - passive - applied - actuator - constraint
    acceleration residual  inverse_qacc = T step_qacc - M qacc

where T is the matrix of the integrator. A step finds qacc and step_qacc at which both are zero. In
a perturbed state, at the same accelerations, they are not; by the implicit function theorem the
differences give the derivatives of the accelerations (docs/derivatives.md, method "analytic").
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.acceleration import push_bodies
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.actuation.force import actuation
from cortenforge.step.collision.stage import find_contacts
from cortenforge.step.constants import (
    IMPLICIT,
    IMPLICITFAST,
    IN_CONE,
    LINEARNEG,
    LINEARPOS,
    NO_ACTUATION,
    QUADRATIC,
    SPRINGDAMPER,
)
from cortenforge.step.constraint.reference import reference
from cortenforge.step.constraint.stage import make_rows
from cortenforge.step.forward import before_forces, place
from cortenforge.step.integrate.euler import has_implicit_damping
from cortenforge.step.integrate.implicit import implicit_product
from cortenforge.step.integrate.springdamper import spring_damper_product
from cortenforge.step.position.com import motion_axes
from cortenforge.step.position.tendons import tendons
from cortenforge.step.queries.inertia import add_symmetric
from cortenforge.step.reflected import damping_slope
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.sleeping.runs import run_count
from cortenforge.step.solve.update import (
    force_in_cone,
    forces_at,
    residuals_in_place,
    spread_forces,
)

#: efc_state behind the last row
NO_STATE = -1


@kernel(lanes=True, unit=True)
def constraint_forces(m, d):
    """qfrc_constraint at given qacc and frozen row states; runs only what rows depend on."""
    place(m, d)
    for run in range(run_count(m)):
        motion_axes(m, d, run)
    if m.ntendon > 0:
        tendons(m, d)
    find_contacts(m, d)
    make_rows(m, d)
    reference(m, d)
    frozen_forces(m, d)


@kernel(unit=True)
def frozen_forces(m, d):
    """Constraint forces at qacc, with the row states that efc_state holds.

    A row on the verge of release would change its state under a finite difference, long before the
    acceleration could follow. Where rows and states do not match, forces are computed with new
    states.
    """
    last = d.nefc - 1
    same = last < 0 or d.efc_state[last] != NO_STATE
    same = same and (d.nefc == d.nefcmax or d.efc_state[d.nefc] == NO_STATE)
    if same:
        residuals_in_place(d)
        row = 0
        while row < d.nefc:
            if d.efc_state[row] == IN_CONE:
                contact = d.efc_id[row]
                force_in_cone(d, contact, row)
                row += d.contact_dim[contact]
            else:
                frozen_row(d, row)
                row += 1
        spread_forces(m, d)
    else:
        forces_at(m, d)


@kernel
def frozen_row(d, row: int):
    """efc_force of a row by its frozen state, in place of its residual."""
    force = 0.0
    if d.efc_state[row] == QUADRATIC:
        force = -d.efc_D[row] * d.efc_force[row]
    elif d.efc_state[row] == LINEARNEG:
        force = d.efc_frictionloss[row]
    elif d.efc_state[row] == LINEARPOS:
        force = -d.efc_frictionloss[row]
    d.efc_force[row] = force


@kernel(lanes=True, unit=True)
def residuals(m, d, observed: int):
    """Force residual (qfrc_inverse) and acceleration residual (inverse_qacc) of a world.

    Activations advance as in a step. observed: 1 if sensors are read, too.
    """
    before_forces(m, d, observed, 1)
    if m.nactuator > 0:
        actuation(m, d)
    if m.constraining != 0:
        frozen_forces(m, d)
    else:
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0
    limit_forces(m, d)
    if observed != 0:
        sense_accelerations(m, d)
    missing_force(m, d)
    step_residual(m, d)
    if m.na > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for k in range(m.na):
            d.act_rate[k] = d.act_dot[k]
        advance_activations(m, d)


@kernel(lanes=True)
def missing_force(m, d):
    """qfrc_inverse = M qacc - all forces."""
    for i in range(m.nv):
        d.qfrc_inverse[i] = (
            d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
        )
    push_bodies(m, d, d.qfrc_inverse)
    for i in range(m.nv):
        d.qfrc_inverse[i] = -d.qfrc_inverse[i] - d.qfrc_constraint[i]
    add_symmetric(m, d.M, d.qfrc_inverse, d.qacc)


@kernel(lanes=True)
def step_residual(m, d):
    """inverse_qacc = T step_qacc - M qacc, less what the integrator adds to forces."""
    for i in range(m.nv):
        d.given_qacc[i] = d.qacc[i]
        d.qacc[i] = d.step_qacc[i]
    if m.opt_integrator == IMPLICIT or m.opt_integrator == IMPLICITFAST:
        implicit_product(m, d)
    elif m.opt_integrator == SPRINGDAMPER:
        spring_damper_product(m, d)
    else:
        damped = has_implicit_damping(m)
        for i in range(m.nv):
            d.inverse_qacc[i] = 0.0
        if any_lane(damped):
            for i in range(m.nv):
                force = m.opt_timestep * damping_slope(m, d, i) * d.qacc[i]
                d.inverse_qacc[i] = select(damped, force, 0.0)
        add_symmetric(m, d.M, d.inverse_qacc, d.qacc)
    for i in range(m.nv):
        d.qacc[i] = -d.given_qacc[i]
    add_symmetric(m, d.M, d.inverse_qacc, d.qacc)
    for i in range(m.nv):
        d.qacc[i] = d.given_qacc[i]
