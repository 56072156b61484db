"""Rigid bodies within a step of deformables: predicted poses, and inverse inertia at a contact.

A body moves on as it would without deformables, under the forces that rigid constraints had last,
and reacts with its inverse inertia at its centre of mass, with all joints and other bodies:

    Lambda^-1 = J M^-1 J'   (6 by 6, angular then linear),    dV = Lambda^-1 (r x p, p)

for an impulse p at r from the centre of mass. What deformables do to a body is summed up, and
becomes a force on its joints in the same step: qfrc_soft = J' sum(wrench) / dt.

Without deformables the centre of mass accelerates by a = J qacc + dJ/dt qvel, with
qacc = qacc_smooth + M^-1 qfrc of the last rigid constraint forces.

Integrators move a body through all of a step with the velocity at its end, or with Runge-Kutta the
mean. So here a body goes on with the velocity that it has, and a change dV of it moves the body at
once by beta dt dV (beta = 1, or 1/2 with Runge-Kutta): at the end of the step the body is where the
integrator will put it, and forces that balance in each substep move nothing. A position correction
lambda n at a contact is the impulse lambda n / h, so a body's inverse mass towards it is

    w_body = beta (dt / h) g' Lambda^-1 g,    g = (r x n, n)

Source: the operational space inertia Lambda of Khatib, "A Unified Approach for Motion and Force
Control of Robot Manipulators" (1987); docs/deformables.md, "Coupling".
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, spatial, vec3
from cortenforge.math.ldl import ldl_solve
from cortenforge.math.rotation import unit_quat
from cortenforge.math.spatial import angular, force_about, linear, spatial_dot
from cortenforge.step.apply_force import apply_force, last_dof_of_body
from cortenforge.step.constants import RK4
from cortenforge.step.position.objects import (
    acceleration_at_point,
    body_jdotv,
    motion_at_point,
)


@kernel
def com_twist(m, d, b: int, vector):
    """J vector: motion (angular, linear) of a body's centre of mass for given joint velocities."""
    total = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = last_dof_of_body(m, b)
    while i >= 0:
        total = total + d.cdof[i] * vector[i]
        i = m.dof_parentid[i]
    return motion_at_point(m, d, b, d.xipos[b], total)


@kernel
def com_bias_acceleration(m, d, b: int):
    """dJ/dt qvel: acceleration of a body's centre of mass at constant joint velocities."""
    return acceleration_at_point(m, d, b, d.xipos[b], body_jdotv(m, d, b))


@kernel
def has_moving_dofs(m, b: int):
    """Whether a body has degrees of freedom."""
    return last_dof_of_body(m, b) >= 0


@kernel
def invert_body_inertia(m, d, b: int):
    """Lambda^-1 = J M^-1 J' of a body, by columns: the response to each of six unit wrenches."""
    for c in range(6):
        for i in range(m.nv):
            d.soft_column[i] = 0.0
        torque = vec3(1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        force = vec3(1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
        apply_force(m, d, d.soft_column, b, d.xipos[b], force, torque, True)
        ldl_solve(m, d.qLD, d.qLDiagInv, d.soft_column)
        twist = com_twist(m, d, b, d.soft_column)
        d.soft_bodyinv[b, c] = twist.ax
        d.soft_bodyinv[b, 6 + c] = twist.ay
        d.soft_bodyinv[b, 12 + c] = twist.az
        d.soft_bodyinv[b, 18 + c] = twist.lx
        d.soft_bodyinv[b, 24 + c] = twist.ly
        d.soft_bodyinv[b, 30 + c] = twist.lz


@kernel(unit=True)
def load_coupled_bodies(m, d):
    """Load the bodies that deformables may act on: pose, motion, inverse inertia.

    soft_bodyused: 0 not in reach, 1 can be moved, 2 has no degrees of freedom.
    """
    for b in range(m.nbody):
        d.soft_bodyused[b] = 0
    for k in range(d.nsoftcon):
        d.soft_bodyused[m.geom_bodyid[d.softcon_geom[k]]] = 1
    for k in range(m.nsoftpin):
        d.soft_bodyused[m.softpin_body[k]] = 1
    for b in range(m.nbody):
        if d.soft_bodyused[b] != 0:
            d.soft_bodypos[b] = d.xipos[b]
            d.soft_bodyquat[b] = quat(1.0, 0.0, 0.0, 0.0)
            d.soft_bodyvel[b] = motion_at_point(m, d, b, d.xipos[b], d.cvel[b])
            d.soft_bodyacc[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            d.soft_bodysum[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            if has_moving_dofs(m, b):
                invert_body_inertia(m, d, b)
            else:
                d.soft_bodyused[b] = 2
    for i in range(m.nv):
        d.soft_column[i] = d.soft_force[i]
    ldl_solve(m, d.qLD, d.qLDiagInv, d.soft_column)
    for i in range(m.nv):
        d.soft_column[i] += d.qacc_smooth[i]
    for b in range(m.nbody):
        if d.soft_bodyused[b] == 1:
            d.soft_bodyacc[b] = com_twist(m, d, b, d.soft_column) + com_bias_acceleration(m, d, b)


@kernel
def velocity_change_share(m):
    """beta: the part of a step's change of velocity with which positions move."""
    return 0.5 if m.opt_integrator == RK4 else 1.0


@kernel
def advance_bodies(m, d, h):
    """Move bodies on by one substep, as without deformables."""
    for b in range(m.nbody):
        if d.soft_bodyused[b] != 0:
            velocity = d.soft_bodyvel[b]
            d.soft_bodypos[b] = d.soft_bodypos[b] + linear(velocity) * h
            d.soft_bodyquat[b] = rotated_in_world(d.soft_bodyquat[b], angular(velocity), h)
            if d.soft_bodyused[b] == 1:
                apply_velocity_change(m, d, b, d.soft_bodyacc[b] * h)


@kernel
def apply_velocity_change(m, d, b: int, change):
    """Move a body by beta dt dV: what a change of its velocity dV comes to over the whole step."""
    duration = velocity_change_share(m) * m.opt_timestep
    d.soft_bodypos[b] = d.soft_bodypos[b] + linear(change) * duration
    d.soft_bodyquat[b] = rotated_in_world(d.soft_bodyquat[b], angular(change), duration)


@kernel
def rotated_in_world(q, omega, h):
    """A rotation after turning for h with an angular velocity in world axes, to first order."""
    half = 0.5 * h
    return unit_quat(quat(1.0, half * omega.x, half * omega.y, half * omega.z) * q)


@kernel
def inverse_mass_along(d, b: int, arm, normal):
    """w_body: inverse mass of a body along a direction, at a point r from its centre of mass.

    It is the one with which a position correction moves the body at once; 0 if nothing can.
    """
    if d.soft_bodyused[b] != 1:
        return 0.0
    wrench = force_about(normal, arm)
    return d.soft_reach * spatial_dot(wrench, velocity_change_of(d, b, wrench))


@kernel
def velocity_change_of(d, b: int, wrench):
    """Lambda^-1 wrench: how an impulse (angular, linear) changes the velocity of a body."""
    return spatial(
        inverse_inertia_row_times(d, b, 0, wrench),
        inverse_inertia_row_times(d, b, 6, wrench),
        inverse_inertia_row_times(d, b, 12, wrench),
        inverse_inertia_row_times(d, b, 18, wrench),
        inverse_inertia_row_times(d, b, 24, wrench),
        inverse_inertia_row_times(d, b, 30, wrench),
    )


@kernel
def inverse_inertia_row_times(d, b: int, start: int, wrench):
    """A row of Lambda^-1 times a wrench; start: where the row begins."""
    return (
        d.soft_bodyinv[b, start] * wrench.ax
        + d.soft_bodyinv[b, start + 1] * wrench.ay
        + d.soft_bodyinv[b, start + 2] * wrench.az
        + d.soft_bodyinv[b, start + 3] * wrench.lx
        + d.soft_bodyinv[b, start + 4] * wrench.ly
        + d.soft_bodyinv[b, start + 5] * wrench.lz
    )


@kernel
def apply_impulse(m, d, b: int, arm, impulse):
    """Apply an impulse at a point of a body: it is added to the sum and moves the body at once."""
    wrench = force_about(impulse, arm)
    d.soft_bodysum[b] = d.soft_bodysum[b] + wrench
    if d.soft_bodyused[b] == 1:
        apply_velocity_change(m, d, b, velocity_change_of(d, b, wrench))


@kernel(unit=True)
def soft_joint_forces(m, d):
    """soft_wrench = impulses / dt of each body, and qfrc_soft = J' soft_wrench."""
    rate = 1.0 / m.opt_timestep
    for i in range(m.nv):
        d.qfrc_soft[i] = 0.0
    for b in range(m.nbody):
        d.soft_wrench[b] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if d.soft_bodyused[b] != 0:
            wrench = d.soft_bodysum[b] * rate
            d.soft_wrench[b] = wrench
            apply_force(m, d, d.qfrc_soft, b, d.xipos[b], linear(wrench), angular(wrench), True)
