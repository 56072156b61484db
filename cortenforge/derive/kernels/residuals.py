"""Residuals of a step's equations at given accelerations, for finite differences.

    force residual         qfrc_inverse = M qacc + bias - passive - applied - actuator - constraint
    acceleration residual  inverse_qacc = T step_qacc - M qacc

where T is the matrix of the integrator. A step finds qacc and step_qacc at which both are zero. In
a perturbed state, at the same accelerations, they are not; by the implicit function theorem the
differences give the derivatives of the accelerations (docs/derivatives.md, method "analytic").
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.acceleration import add_applied_wrenches
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.actuation.actuator_force import actuation
from cortenforge.step.armature_and_damping import dof_damping_derivative
from cortenforge.step.collision.stage import find_contacts
from cortenforge.step.constants import (
    IMPLICIT,
    IMPLICITFAST,
    NO_ACTUATION,
    SPRINGDAMPER,
    STATE_CONE,
    STATE_LINEARNEG,
    STATE_LINEARPOS,
    STATE_QUADRATIC,
)
from cortenforge.step.constraint.reference_acceleration import reference_constraint
from cortenforge.step.constraint.stage import make_constraint
from cortenforge.step.forward import forward_kinematics, forward_to_controls
from cortenforge.step.integrate.euler import has_implicit_damping
from cortenforge.step.integrate.implicit import implicit_product
from cortenforge.step.integrate.springdamper import spring_damper_product
from cortenforge.step.position.com import motion_axes
from cortenforge.step.position.tendons import tendon_lengths
from cortenforge.step.queries.inertia import add_symmetric_product
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.sleeping.body_runs import run_count
from cortenforge.step.solve.constraint_update import (
    constraint_forces_at,
    middle_zone_force,
    project_row_forces,
    store_residuals,
)

#: efc_state behind the last row
NO_ROW_STATE = -1


@kernel(lanes=True, unit=True)
def constraint_forces_at_qacc(m, d):
    """qfrc_constraint at given qacc and frozen row states; runs only what rows depend on."""
    forward_kinematics(m, d)
    for run in range(run_count(m)):
        motion_axes(m, d, run)
    if m.ntendon > 0:
        tendon_lengths(m, d)
    find_contacts(m, d)
    make_constraint(m, d)
    reference_constraint(m, d)
    frozen_constraint_forces(m, d)


@kernel(unit=True)
def frozen_constraint_forces(m, d):
    """Constraint forces at qacc, with the row states that efc_state holds.

    A row on the verge of release would change its state under a finite difference, long before the
    acceleration could follow. Where rows and states do not match, forces are computed with new
    states.
    """
    last = d.nefc - 1
    same = last < 0 or d.efc_state[last] != NO_ROW_STATE
    same = same and (d.nefc == d.nefcmax or d.efc_state[d.nefc] == NO_ROW_STATE)
    if same:
        store_residuals(d)
        row = 0
        while row < d.nefc:
            if d.efc_state[row] == STATE_CONE:
                contact = d.efc_id[row]
                middle_zone_force(d, contact, row)
                row += d.contact_dim[contact]
            else:
                frozen_row_force(d, row)
                row += 1
        project_row_forces(m, d)
    else:
        constraint_forces_at(m, d)


@kernel
def frozen_row_force(d, row: int):
    """efc_force of a row by its frozen state, in place of its residual."""
    force = 0.0
    if d.efc_state[row] == STATE_QUADRATIC:
        force = -d.efc_D[row] * d.efc_force[row]
    elif d.efc_state[row] == STATE_LINEARNEG:
        force = d.efc_frictionloss[row]
    elif d.efc_state[row] == STATE_LINEARPOS:
        force = -d.efc_frictionloss[row]
    d.efc_force[row] = force


@kernel(lanes=True, unit=True)
def step_residuals(m, d, observed: int):
    """Force residual (qfrc_inverse) and acceleration residual (inverse_qacc) of a world.

    Activations advance as in a step. observed: 1 if sensors are read, too.
    """
    forward_to_controls(m, d, observed, 1)
    if m.nactuator > 0:
        actuation(m, d)
    if m.constraining != 0:
        frozen_constraint_forces(m, d)
    else:
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0
    limit_forces(m, d)
    if observed != 0:
        sense_accelerations(m, d)
    force_residual(m, d)
    acceleration_residual(m, d)
    if m.na > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for k in range(m.na):
            d.act_rate[k] = d.act_dot[k]
        advance_activations(m, d)


@kernel(lanes=True)
def force_residual(m, d):
    """qfrc_inverse = M qacc - all forces."""
    for i in range(m.nv):
        d.qfrc_inverse[i] = (
            d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
        )
    add_applied_wrenches(m, d, d.qfrc_inverse)
    for i in range(m.nv):
        d.qfrc_inverse[i] = -d.qfrc_inverse[i] - d.qfrc_constraint[i]
    add_symmetric_product(m, d.M, d.qfrc_inverse, d.qacc)


@kernel(lanes=True)
def acceleration_residual(m, d):
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
                force = m.opt_timestep * dof_damping_derivative(m, d, i) * d.qacc[i]
                d.inverse_qacc[i] = select(damped, force, 0.0)
        add_symmetric_product(m, d.M, d.inverse_qacc, d.qacc)
    for i in range(m.nv):
        d.qacc[i] = -d.given_qacc[i]
    add_symmetric_product(m, d.M, d.inverse_qacc, d.qacc)
    for i in range(m.nv):
        d.qacc[i] = d.given_qacc[i]
