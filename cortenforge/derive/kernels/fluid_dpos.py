"""Partial derivative of fluid forces by position.

When dof k moves by its axis s, everything below rotates along, and so does the fluid force on it.
In a body's own axes the velocity changes by the velocity in front of the dof and by the wind,

    d(w, v) = v_before x s + (0, a x wind),       s = (a, l)

which changes force and torque by their partials by velocity (`fluid_dvel`).

Source: MuJoCo: Computation, "Fluid forces", whose velocity
this derives; docs/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.moment_arms import first_turning_dof
from cortenforge.kernel import kernel
from cortenforge.math.spatial import (
    angular,
    cross_force,
    cross_motion,
    linear_at,
    spatial_dot,
)
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.apply_force import last_dof_of_body, wrench_on_body
from cortenforge.step.constants import NO_DAMPER, NO_SPRING
from cortenforge.step.derivative.fluid_dvel import (
    ellipsoid_dforce,
    inertia_box_dforce,
    inertia_box_partials,
)
from cortenforge.step.velocity.fluid import (
    ellipsoid_force,
    inertia_box_force,
    uses_ellipsoid,
    uses_inertia_box,
    velocity_in_fluid,
)


@kernel
def subtract_fluid_dpos(m, d):
    """R -= d qfrc_fluid / dq.

    Needs the velocities in front of dofs, as `add_rne_dpos` computes them.
    """
    off = m.opt_disableflags
    there = m.opt_density != 0.0 or m.opt_viscosity != 0.0
    if there and (off & NO_SPRING == 0 or off & NO_DAMPER == 0):
        for b in range(1, m.nbody):
            if uses_inertia_box(m, b):
                subtract_inertia_box_dpos(m, d, b)
            first = m.body_geomadr[b]
            for g in range(first, first + m.body_geomnum[b]):
                if uses_ellipsoid(m, b, g):
                    subtract_ellipsoid_dpos(m, d, b, g)


@kernel
def subtract_inertia_box_dpos(m, d, b: int):
    """R -= d/dq of the inertia box model of a body."""
    point, axes = d.xipos[b], d.ximat[b]
    w, v = velocity_in_fluid(m, d, b, point, axes)
    force, torque = inertia_box_force(m, b, w, v)
    viscous_torque, viscous_force, faces, spins = inertia_box_partials(m, b, w, v)
    k = last_dof_of_body(m, b)
    while k >= 0:
        dw, dv = local_velocity_dpos(m, d, b, k, point, axes)
        df, dt = inertia_box_dforce(viscous_torque, viscous_force, faces, spins, dw, dv)
        subtract_wrench_column(m, d, b, k, point, axes @ force, axes @ torque, axes @ df, axes @ dt)
        k = m.dof_parentid[k]


@kernel
def subtract_ellipsoid_dpos(m, d, b: int, g: int):
    """R -= d/dq of the ellipsoid model of a geom."""
    point, axes = d.geom_xpos[g], d.geom_xmat[g]
    w, v = velocity_in_fluid(m, d, b, point, axes)
    force, torque = ellipsoid_force(m, g, w, v)
    k = last_dof_of_body(m, b)
    while k >= 0:
        dw, dv = local_velocity_dpos(m, d, b, k, point, axes)
        df, dt = ellipsoid_dforce(m, g, w, v, dw, dv, 1)
        subtract_wrench_column(m, d, b, k, point, axes @ force, axes @ torque, axes @ df, axes @ dt)
        k = m.dof_parentid[k]


@kernel
def local_velocity_dpos(m, d, b: int, k: int, point, axes):
    """d/dq[k] of a body's local (angular, linear) velocity relative to the wind."""
    axis = d.cdof[k]
    change = cross_motion(d.vel_before[k], axis)
    offset = point - d.subtree_com[m.body_rootid[b]]
    linear_change = linear_at(change, offset) + cross(angular(axis), m.opt_wind)
    return into_frame(axes, angular(change)), into_frame(axes, linear_change)


@kernel
def subtract_wrench_column(m, d, b: int, k: int, point, force, torque, force_change, torque_change):
    """Column k of R: projections of a wrench that rotates along and changes while dof k moves."""
    wrench = wrench_on_body(m, d, b, point, force, torque)
    rate_local = wrench_on_body(m, d, b, point, force_change, torque_change)
    rate_world = rate_local + cross_force(d.cdof[k], wrench)
    front = first_turning_dof(m, k)
    i = last_dof_of_body(m, b)
    while i >= 0:
        value = spatial_dot(d.cdof[i], rate_world)
        if i >= front:
            value = spatial_dot(d.cdof[i], rate_local)
        d.R[i * d.ncol + k] -= value
        i = m.dof_parentid[i]
