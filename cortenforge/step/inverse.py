"""Inverse dynamics: which force makes the acceleration that is given?"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.ldl import ldl_solve
from cortenforge.step.acceleration import push_bodies
from cortenforge.step.actuation.controls import controls
from cortenforge.step.constants import (
    DISCRETE,
    IMPLICIT,
    IMPLICITFAST,
    NO_ACTUATION,
    SPRINGDAMPER,
    WITH_INVDISCRETE,
)
from cortenforge.step.forward import motions, positions
from cortenforge.step.integrate.euler import has_implicit_damping
from cortenforge.step.integrate.implicit import implicit_product
from cortenforge.step.integrate.measure import discrete_product, measure
from cortenforge.step.integrate.springdamper import spring_damper_product
from cortenforge.step.queries.inertia import add_symmetric
from cortenforge.step.reflected import damping_slope
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.solve.update import forces_at


@kernel(lanes=True)
def inverse(m, d):
    """Which applied force makes qacc?  Mirrors mj_inverse."""
    positions(m, d, 1, 1)
    motions(m, d, 1, 1)
    if m.opt_integrator == DISCRETE:
        if m.nactuator > 0 and m.opt_disableflags & NO_ACTUATION == 0:
            controls(m, d)
        measure(m, d)
    begin_inverse(m, d)
    limit_forces(m, d)
    sense_accelerations(m, d)
    end_inverse(m, d)


@kernel(lanes=True)
def begin_inverse(m, d):
    """Forces of constraints at the acceleration that is given."""
    if is_converted(m):
        continuous_acceleration(m, d)
    if m.constraining != 0:
        forces_at(m, d)
    else:
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0
    if m.nsoft > 0:
        # as they pushed when dynamics were last worked out forward
        for i in range(m.nv):
            d.qfrc_constraint[i] += d.qfrc_soft[i]


@kernel(lanes=True)
def end_inverse(m, d):
    """qfrc_inverse = M qacc + bias - passive forces - those of constraints.

    Where qacc is a change of velocity over a step, by its metric.
    """
    for i in range(m.nv):
        d.qfrc_inverse[i] = d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i]
    if m.opt_integrator == DISCRETE:
        discrete_product(m, d)
        for i in range(m.nv):
            d.qfrc_inverse[i] += d.inverse_qacc[i]
    else:
        add_symmetric(m, d.M, d.qfrc_inverse, d.qacc)
    if is_converted(m):
        for i in range(m.nv):
            d.qacc[i] = d.given_qacc[i]


@kernel(lanes=True)
def is_converted(m):
    """Whether the acceleration is given as a change of velocity, and asked for as another one."""
    return m.opt_enableflags & WITH_INVDISCRETE != 0 and m.opt_integrator != DISCRETE


@kernel(lanes=True)
def continuous_acceleration(m, d):
    """A change of velocity over a step becomes the acceleration from which a step makes it.

    M a = (M - hD) a', with the D that is integrated implicitly. Mirrors mj_discreteAcc.
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
        damped_product(m, d)


@kernel(lanes=True)
def damped_product(m, d):
    """The same for Euler's method, which takes damping of joints implicitly, if there is any."""
    damped = has_implicit_damping(m)
    if any_lane(damped):
        for i in range(m.nv):
            d.inverse_qacc[i] = m.opt_timestep * damping_slope(m, d, i) * d.qacc[i]
        add_symmetric(m, d.M, d.inverse_qacc, d.qacc)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.inverse_qacc)
        for i in range(m.nv):
            d.qacc[i] = select(damped, d.inverse_qacc[i], d.qacc[i])


@kernel(lanes=True, unit=True)
def compare_inverse(m, d):
    """How far are forward and inverse dynamics apart?  Mirrors mj_compareFwdInv.

    It measures how well the solver has converged: without constraints, both numbers are zero and
    qfrc_inverse is left alone.
    """
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    if m.constraining != 0:
        compare_constrained(m, d)


@kernel(unit=True)
def compare_constrained(m, d):
    """The same for a world with constraints; its forces stay those of forward dynamics."""
    if d.nefc > 0:
        for i in range(m.nv):
            d.forward_qfrc[i] = d.qfrc_constraint[i]
        for row in range(d.nefc):
            d.forward_force[row] = d.efc_force[row]
        begin_inverse(m, d)
        end_inverse(m, d)
        measure_difference(m, d)
        for i in range(m.nv):
            d.qfrc_constraint[i] = d.forward_qfrc[i]
        for row in range(d.nefc):
            d.efc_force[row] = d.forward_force[row]


@kernel
def measure_difference(m, d):
    """Lengths of both differences."""
    for i in range(m.nv):
        d.query_vec[i] = d.qfrc_applied[i] + d.qfrc_actuator[i]
    push_bodies(m, d, d.query_vec)
    constraint, applied = 0.0, 0.0
    for i in range(m.nv):
        off = d.forward_qfrc[i] - d.qfrc_constraint[i]
        constraint += off * off
        off = d.query_vec[i] - d.qfrc_inverse[i]
        applied += off * off
    d.solver_fwdinv[0] = math.sqrt(constraint)
    d.solver_fwdinv[1] = math.sqrt(applied)
