"""Partial derivative of fluid forces by velocity.

    qDeriv += J' (dwrench/dvelocity) J

column by column: dof k changes the local velocity by its Jacobian column (dw, dv), this changes
force and torque, and the change is projected on the dofs above the body. The forces are those of
`velocity.fluid`. Source: MuJoCo: Computation, "Fluid forces" and "Numerical integration".
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import angular, linear, spatial_dot
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm, scaled_by
from cortenforge.step.apply_force import last_dof_of_body, wrench_on_body
from cortenforge.step.constants import DISCRETE
from cortenforge.step.derivative.free_body import is_free_body
from cortenforge.step.derivative.sparsity import entry_address
from cortenforge.step.position.objects import motion_at_point
from cortenforge.step.velocity.fluid import (
    PI,
    drag_moments,
    inertia_box_sides,
    inertia_box_speeds,
    longest_axes,
    semi_axes,
    squared_faces,
    uses_ellipsoid,
    uses_inertia_box,
    velocity_in_fluid,
)


@kernel(lanes=True, unit=True)
def add_fluid_dvel(m, d, biased: int):
    """Add the partial of qfrc_fluid by velocity to qDeriv.

    biased: 0 makes it symmetric, for implicitfast and the discrete integrator's metric.
    Mirrors mjd_inertiaBoxFluid and mjd_ellipsoidFluid.
    """
    for b in range(m.nbody):
        boxed = uses_inertia_box(m, b)
        if any_lane(boxed):
            add_inertia_box_dvel(m, d, b, boxed, biased)
        first = m.body_geomadr[b]
        for g in range(first, first + m.body_geomnum[b]):
            active = uses_ellipsoid(m, b, g)
            if any_lane(active):
                add_ellipsoid_dvel(m, d, b, g, active, biased)


@kernel(lanes=True)
def add_wrench_column(m, d, b: int, k: int, point, force, torque, active, biased: int):
    """Column k of qDeriv: project the change of a wrench by dof k on the dofs above the body.

    Symmetrised if biased is 0, but with implicitfast not for free bodies, which are solved apart.
    """
    wrench = wrench_on_body(m, d, b, point, force, torque)
    i = last_dof_of_body(m, b)
    while i >= 0:
        value = spatial_dot(d.cdof[i], wrench)
        lower = entry_address(m, i, k)
        if biased == 0 and (m.opt_integrator == DISCRETE or not is_free_body(m, m.body_rootid[b])):
            mirror = entry_address(m, k, i)
            d.qDeriv[lower] = select(active, d.qDeriv[lower] + 0.5 * value, d.qDeriv[lower])
            d.qDeriv[mirror] = select(active, d.qDeriv[mirror] + 0.5 * value, d.qDeriv[mirror])
        else:
            d.qDeriv[lower] = select(active, d.qDeriv[lower] + value, d.qDeriv[lower])
        i = m.dof_parentid[i]


@kernel(lanes=True)
def local_jacobian_column(m, d, b: int, k: int, point, axes):
    """(angular, linear) Jacobian column of dof k at a point of a body, in the given axes."""
    column = motion_at_point(m, d, b, point, d.cdof[k])
    return into_frame(axes, angular(column)), into_frame(axes, linear(column))


@kernel(lanes=True)
def add_inertia_box_dvel(m, d, b: int, active, biased: int):
    """Add the partial of the inertia box model of a body."""
    w, v = velocity_in_fluid(m, d, b, d.xipos[b], d.ximat[b])
    turn, pull, faces, spins = inertia_box_partials(m, b, w, v)
    k = last_dof_of_body(m, b)
    while k >= 0:
        dw, dv = local_jacobian_column(m, d, b, k, d.xipos[b], d.ximat[b])
        force, torque = inertia_box_dforce(turn, pull, faces, spins, dw, dv)
        force, torque = d.ximat[b] @ force, d.ximat[b] @ torque
        add_wrench_column(m, d, b, k, d.xipos[b], force, torque, active, biased)
        k = m.dof_parentid[k]


@kernel(lanes=True)
def inertia_box_partials(m, b: int, w, v):
    """Partials of the inertia box model: (viscous torque, viscous force, faces, spins).

    The first two are scalar coefficients of -w and -v; the others are vectors, one number an axis,
    of the quadratic terms.
    """
    sides = inertia_box_sides(m, b)
    mean_side = (sides.x + sides.y + sides.z) / 3.0
    viscosity, density = max(m.opt_viscosity, 0.0), max(m.opt_density, 0.0)
    viscous_torque = -PI * mean_side * mean_side * mean_side * viscosity
    viscous_force = -3.0 * PI * mean_side * viscosity
    faces, spins = inertia_box_speeds(sides, w, v)
    return viscous_torque, viscous_force, faces * density, spins * (density / 32.0)


@kernel(lanes=True)
def inertia_box_dforce(viscous_torque, viscous_force, faces, spins, dw, dv):
    """(force, torque) change of the inertia box model; no component depends on another one."""
    return dv * viscous_force - scaled_by(faces, dv), dw * viscous_torque - scaled_by(spins, dw)


@kernel(lanes=True)
def add_ellipsoid_dvel(m, d, b: int, g: int, active, biased: int):
    """Add the partial of the ellipsoid model of a geom; for the discrete metric, of drag alone."""
    point, axes = d.geom_xpos[g], d.geom_xmat[g]
    w, v = velocity_in_fluid(m, d, b, point, axes)
    whole = 1
    if biased == 0 and m.opt_integrator == DISCRETE:
        whole = 0
    k = last_dof_of_body(m, b)
    while k >= 0:
        dw, dv = local_jacobian_column(m, d, b, k, point, axes)
        force, torque = ellipsoid_dforce(m, g, w, v, dw, dv, whole)
        force, torque = axes @ force, axes @ torque
        add_wrench_column(m, d, b, k, point, force, torque, active, biased)
        k = m.dof_parentid[k]


@kernel(lanes=True)
def ellipsoid_dforce(m, g: int, w, v, dw, dv, whole: int):
    """(force, torque) change of the ellipsoid model; whole: 1, or 0 for drag alone."""
    force, torque = drag_dforce(m, g, v, dv), drag_dtorque(m, g, w, dw)
    if whole != 0:
        added_force, added_torque = added_mass_dforce(m, g, w, v, dw, dv)
        force = added_force + lift_dforce(m, g, w, v, dw, dv) + force
        torque = added_torque + torque
    interaction = m.geom_fluid[g, 0]
    return force * interaction, torque * interaction


@kernel(lanes=True)
def added_mass_dforce(m, g: int, w, v, dw, dv):
    """(force, torque) change of the added mass.  Mirrors mjd_addedMassForces."""
    mass = vec3(m.geom_fluid[g, 6], m.geom_fluid[g, 7], m.geom_fluid[g, 8]) * m.opt_density
    moments = vec3(m.geom_fluid[g, 9], m.geom_fluid[g, 10], m.geom_fluid[g, 11]) * m.opt_density
    momentum, change = scaled_by(mass, v), scaled_by(mass, dv)
    spin, spun = scaled_by(moments, w), scaled_by(moments, dw)
    force = cross(change, w) + cross(momentum, dw)
    torque = cross(change, v) + cross(momentum, dv) + cross(spun, w) + cross(spin, dw)
    return force, torque


@kernel(lanes=True)
def ellipsoid_faces(size, v):
    """Faces of an ellipsoid, scaled by its longest semi-axis: (faces, faces * v, |faces * v|).

    faces: (r_j r_k)^2 for each axis.
    """
    faces = squared_faces(size)
    normal = scaled_by(faces, v)
    return faces, normal, norm(normal)


@kernel(lanes=True)
def lift_dforce(m, g: int, w, v, dw, dv):
    """Change of Magnus force and Kutta lift.  Mirrors mjd_magnus_force and mjd_kutta_lift."""
    size = semi_axes(m, g)
    volume = 4.0 / 3.0 * PI * size.x * size.y * size.z
    magnus = (cross(dw, v) + cross(w, dv)) * (m.geom_fluid[g, 5] * m.opt_density * volume)

    longest, _middle = longest_axes(size)
    faces, normal, length = ellipsoid_faces(size, v)
    speed = norm(v)
    projected = dot(normal, v)
    moving = speed > MINVAL and length > MINVAL and projected > MINVAL
    length, speed = select(moving, length, 1.0), select(moving, speed, 1.0)
    projected = select(moving, projected, 1.0)
    change = scaled_by(faces, dv)
    # lift = scale * (normal x v) x v, scale = coefficient * sqrt(projected) / (speed * length)
    area = PI * longest * longest
    scale = m.geom_fluid[g, 4] * m.opt_density * area * math.sqrt(projected) / (speed * length)
    growth = dot(normal, dv) / projected - dot(v, dv) / (speed * speed)
    growth = growth - dot(normal, change) / (length * length)
    around = cross(normal, v)
    direction = cross(cross(change, v) + cross(normal, dv), v) + cross(around, dv)
    lift = (direction + cross(around, v) * growth) * scale
    return magnus + select(moving, lift, vec3(0.0, 0.0, 0.0))


@kernel(lanes=True)
def drag_dforce(m, g: int, v, dv):
    """Change of viscous and quadratic drag.  Mirrors mjd_viscous_drag."""
    size = semi_axes(m, g)
    longest, middle = longest_axes(size)
    blunt, slender = m.geom_fluid[g, 1], m.geom_fluid[g, 2]
    faces, normal, length = ellipsoid_faces(size, v)
    speed = norm(v)
    projected = dot(normal, v)
    moving = speed > MINVAL and length > MINVAL and projected > MINVAL
    length, speed = select(moving, length, 1.0), select(moving, speed, 1.0)
    projected = select(moving, projected, 1.0)
    area = PI * longest * longest * length / math.sqrt(projected)
    change = dot(normal, scaled_by(faces, dv)) / (length * length) - dot(normal, dv) / projected
    resistance = area * blunt + slender * (PI * longest * middle - area)
    quadratic = dv * (speed * resistance) + v * (
        dot(v, dv) / speed * resistance + speed * area * change * (blunt - slender)
    )
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    viscous = dv * (-3.0 * PI * diameter * m.opt_viscosity)
    return viscous - select(moving, quadratic, vec3(0.0, 0.0, 0.0)) * m.opt_density


@kernel(lanes=True)
def drag_dtorque(m, g: int, w, dw):
    """Change of the drag torque.  Mirrors mjd_viscous_torque."""
    size = semi_axes(m, g)
    moments = drag_moments(m, g, size)
    angular_momentum = scaled_by(moments, w)
    length = norm(angular_momentum)
    turning = length > MINVAL
    safe = select(turning, length, 1.0)
    growth = select(turning, dot(angular_momentum, scaled_by(moments, dw)) / safe, 0.0)
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    viscous = PI * diameter * diameter * diameter * m.opt_viscosity
    return dw * -(viscous + m.opt_density * length) - w * (m.opt_density * growth)
