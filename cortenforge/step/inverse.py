"""Inverse dynamics: the applied force that produces a given acceleration.

    qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - J' f(qacc),   f = -grad s(J qacc - aref)

Constraint forces follow in closed form, so no solver is needed. Sources: MuJoCo: Computation,
"Constraint solver", "Reduced primal problem"; R. Featherstone, Rigid Body Dynamics Algorithms,
2008, chapter 5.
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.ldl import ldl_solve
from cortenforge.step.acceleration import add_applied_wrenches
from cortenforge.step.actuation.controls import read_controls
from cortenforge.step.armature_and_damping import dof_damping_derivative
from cortenforge.step.constants import (
    DISCRETE,
    IMPLICIT,
    IMPLICITFAST,
    NO_ACTUATION,
    SPRINGDAMPER,
    WITH_INVDISCRETE,
)
from cortenforge.step.forward import position_stage, velocity_stage
from cortenforge.step.integrate.euler import has_implicit_damping
from cortenforge.step.integrate.implicit import implicit_product
from cortenforge.step.integrate.springdamper import spring_damper_product
from cortenforge.step.metric.discrete_dynamics import discrete_product, prepare_metric_and_rows
from cortenforge.step.queries.inertia import add_symmetric_product
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.solve.constraint_update import constraint_forces_at
from cortenforge.step.velocity.rne import inertial_forces
from cortenforge.step.velocity.tendons import add_tendon_bias


@kernel(lanes=True)
def inverse_dynamics(m, d):
    """qfrc_inverse: the applied force that produces qacc.  Mirrors mj_inverse."""
    position_stage(m, d, 1, 1)
    velocity_stage(m, d, 1, 1)
    prepare_inverse_metric(m, d)
    inverse_constraint_forces(m, d)
    limit_forces(m, d)
    sense_accelerations(m, d)
    inverse_joint_forces(m, d)


@kernel(lanes=True)
def prepare_inverse_metric(m, d):
    """With `discrete`, the metric of the step and rows of constraints in it."""
    if m.opt_integrator == DISCRETE:
        if m.nactuator > 0 and m.opt_disableflags & NO_ACTUATION == 0:
            read_controls(m, d)
        prepare_metric_and_rows(m, d)


@kernel(lanes=True)
def inverse_constraint_forces(m, d):
    """Constraint forces at the given acceleration, in closed form."""
    if is_discrete_inverse(m):
        continuous_acceleration(m, d)
    if m.constraining != 0:
        constraint_forces_at(m, d)
    else:
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0
    if m.nsoft > 0:
        # forces of deformables are those of the last forward dynamics
        for i in range(m.nv):
            d.qfrc_constraint[i] += d.qfrc_soft[i]


@kernel(lanes=True)
def inverse_joint_forces(m, d):
    """qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - qfrc_constraint.

    With `discrete`, Mhat qacc - efm_c takes the place of M qacc.
    """
    for i in range(m.nv):
        d.qfrc_inverse[i] = d.qfrc_bias[i]
    add_forces_beside_bias(m, d)


@kernel(lanes=True)
def add_forces_beside_bias(m, d):
    """qfrc_inverse += M qacc - qfrc_passive - qfrc_constraint; restores qacc of discrete time."""
    for i in range(m.nv):
        d.qfrc_inverse[i] = d.qfrc_inverse[i] - d.qfrc_passive[i] - d.qfrc_constraint[i]
    if m.opt_integrator == DISCRETE:
        discrete_product(m, d)
        for i in range(m.nv):
            d.qfrc_inverse[i] += d.inverse_qacc[i]
    else:
        add_symmetric_product(m, d.M, d.qfrc_inverse, d.qacc)
    if is_discrete_inverse(m):
        for i in range(m.nv):
            d.qacc[i] = d.given_qacc[i]


@kernel(lanes=True)
def is_discrete_inverse(m):
    """Whether qacc is given as a velocity change over a step (flag `invdiscrete`)."""
    return m.opt_enableflags & WITH_INVDISCRETE != 0 and m.opt_integrator != DISCRETE


@kernel(lanes=True)
def continuous_acceleration(m, d):
    """Convert qacc from (v+ - v) / h to continuous time: M a = (M - hD) qacc.

    D is the integrator's.  Mirrors mj_discreteAcc.
    """
    for i in range(m.nv):
        d.given_qacc[i] = d.qacc[i]
    if m.opt_integrator == SPRINGDAMPER:
        spring_damper_product(m, d)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.inverse_qacc)
        for i in range(m.nv):
            d.qacc[i] = d.inverse_qacc[i]
    elif m.opt_integrator == IMPLICIT or m.opt_integrator == IMPLICITFAST:
        implicit_product(m, d)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.inverse_qacc)
        for i in range(m.nv):
            d.qacc[i] = d.inverse_qacc[i]
    else:
        continuous_euler_acceleration(m, d)


@kernel(lanes=True)
def continuous_euler_acceleration(m, d):
    """The same for Euler, M a = (M + hB) qacc, if any joint is damped."""
    damped = has_implicit_damping(m)
    if any_lane(damped):
        for i in range(m.nv):
            d.inverse_qacc[i] = m.opt_timestep * dof_damping_derivative(m, d, i) * d.qacc[i]
        add_symmetric_product(m, d.M, d.inverse_qacc, d.qacc)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.inverse_qacc)
        for i in range(m.nv):
            d.qacc[i] = select(damped, d.inverse_qacc[i], d.qacc[i])


@kernel(lanes=True, unit=True)
def compare_forward_inverse(m, d):
    """solver_fwdinv: norms of the difference of forward and inverse dynamics.

    A measure of the solver's convergence. Without constraints both are zero, and qfrc_inverse is
    not written.  Mirrors mj_compareFwdInv.
    """
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    if m.constraining != 0:
        compare_constraint_forces(m, d, 0)


@kernel(unit=True)
def compare_constraint_forces(m, d, anew: int):
    """The same for a constrained world; restores forces of forward dynamics.

    anew: whether velocities may have changed since bias forces were computed.
    """
    if d.nefc > 0:
        for i in range(m.nv):
            d.forward_qfrc[i] = d.qfrc_constraint[i]
        for row in range(d.nefc):
            d.forward_force[row] = d.efc_force[row]
        inverse_constraint_forces(m, d)
        if anew != 0:
            bias_forces_anew(m, d)
            add_forces_beside_bias(m, d)
        else:
            inverse_joint_forces(m, d)
        forward_inverse_norms(m, d)
        for i in range(m.nv):
            d.qfrc_constraint[i] = d.forward_qfrc[i]
        for row in range(d.nefc):
            d.efc_force[row] = d.forward_force[row]


@kernel
def bias_forces_anew(m, d):
    """qfrc_inverse: bias forces at the present velocities, those of tendon armature included."""
    inertial_forces(m, d, 0, 0, d.qfrc_inverse)
    if m.ntendon > 0:
        add_tendon_bias(m, d, d.qfrc_inverse)


@kernel
def forward_inverse_norms(m, d):
    """Norms of both differences: of constraint forces, and of applied forces."""
    for i in range(m.nv):
        d.query_vec[i] = d.qfrc_applied[i] + d.qfrc_actuator[i]
    add_applied_wrenches(m, d, d.query_vec)
    constraint, applied = 0.0, 0.0
    for i in range(m.nv):
        off = d.forward_qfrc[i] - d.qfrc_constraint[i]
        constraint += off * off
        off = d.query_vec[i] - d.qfrc_inverse[i]
        applied += off * off
    d.solver_fwdinv[0] = math.sqrt(constraint)
    d.solver_fwdinv[1] = math.sqrt(applied)
