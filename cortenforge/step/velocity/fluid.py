"""Fluid forces: inertia box model of a body, or ellipsoid model of a geom (fluidshape).

With velocity v and angular velocity w relative to the wind, in local axes, density rho, viscosity
beta. Inertia box with sides x, y, z of the body's inertia, s = (x + y + z) / 3:

    force_x  = -3 pi s beta v_x  - rho / 2  y z |v_x| v_x                    (y, z alike)
    torque_x = -pi s^3 beta w_x  - rho / 64 x (y^4 + z^4) |w_x| w_x

Ellipsoid with semi-axes r, mean diameter D = 2/3 (r_x + r_y + r_z), projected area A and its
largest value A_max, all times the interaction coefficient geom_fluid[0]:

    added mass  force = p x w, torque = p x v + L x w,    p = rho m_A v, L = rho I_A w
    Magnus      force = C_magnus rho V w x v              (V: volume)
    Kutta       force = C_kutta rho A cos(alpha) (n x v) x v     (n: unit normal of A)
    drag        force = -(3 pi D beta + rho |v| (A C_blunt + (A_max - A) C_slender)) v
                torque = -(pi D^3 beta + rho |I_D w|) w   (I_D: `drag_moments`)

Source: MuJoCo: Computation, "Fluid forces"; Andersen, Pesavento and Wang, J. Fluid Mech. 541
(2005).
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, cross, into_frame, norm, scaled_by
from cortenforge.step.apply_force import apply_force
from cortenforge.step.constants import CAPSULE, CYLINDER, SPHERE
from cortenforge.step.position.objects import motion_at_point
from cortenforge.step.sleeping.body_runs import (
    RUN_BODIES,
    is_run_active,
    run_count,
    run_end,
    run_start,
)

PI = math.pi


@kernel(lanes=True, unit=True)
def fluid_forces(m, d):
    """qfrc_fluid of all bodies with mass, in runs that are awake.  Mirrors mj_fluid."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            fluid_forces_of_run(m, d, run)


@kernel(lanes=True)
def fluid_forces_of_run(m, d, run: int):
    """qfrc_fluid of the bodies of a run."""
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        boxed = uses_inertia_box(m, b)
        if any_lane(boxed):
            add_inertia_box_forces(m, d, b, boxed)
        first = m.body_geomadr[b]
        for g in range(first, first + m.body_geomnum[b]):
            active = uses_ellipsoid(m, b, g)
            if any_lane(active):
                add_ellipsoid_forces(m, d, b, g, active)


@kernel(lanes=True)
def largest_interaction(m, b: int):
    """Largest interaction coefficient of a body's geoms; above zero, there is no inertia box."""
    largest = 0.0
    first = m.body_geomadr[b]
    for g in range(first, first + m.body_geomnum[b]):
        largest = max(largest, m.geom_fluid[g, 0])
    return largest


@kernel(lanes=True)
def uses_inertia_box(m, b: int):
    """Whether the inertia box model applies to a body."""
    mass = select(has_fluid(m), m.body_mass[b], 0.0)
    return select(largest_interaction(m, b) > 0.0, 0.0, mass) >= MINVAL


@kernel(lanes=True)
def uses_ellipsoid(m, b: int, g: int):
    """Whether the ellipsoid model applies to a geom of a body."""
    mass = select(has_fluid(m), m.body_mass[b], 0.0)
    share = select(mass >= MINVAL, m.geom_fluid[g, 0], 0.0)
    return select(largest_interaction(m, b) > 0.0, share, 0.0) != 0.0


@kernel(lanes=True)
def has_fluid(m):
    """Whether the density or the viscosity of the fluid is not zero."""
    return abs(m.opt_density) + abs(m.opt_viscosity) != 0.0


@kernel(lanes=True)
def velocity_in_fluid(m, d, b: int, point, axes):
    """(angular, linear) velocity of a body relative to the wind, at `point`, in the given axes."""
    v = motion_at_point(m, d, b, point, d.cvel[b])
    return into_frame(axes, angular(v)), into_frame(axes, linear(v) - m.opt_wind)


@kernel(lanes=True)
def inertia_box_sides(m, b: int):
    """Side lengths of the box whose inertia is the body's, in its inertial frame."""
    moments = m.body_inertia[b]
    scale = 6.0 / m.body_mass[b]
    return vec3(
        math.sqrt(max(MINVAL, moments.y + moments.z - moments.x) * scale),
        math.sqrt(max(MINVAL, moments.x + moments.z - moments.y) * scale),
        math.sqrt(max(MINVAL, moments.x + moments.y - moments.z) * scale),
    )


@kernel(lanes=True)
def add_inertia_box_forces(m, d, b: int, active):
    """Add the force of the inertia box model to qfrc_fluid.  Mirrors mj_inertiaBoxFluidModel."""
    w, v = velocity_in_fluid(m, d, b, d.xipos[b], d.ximat[b])
    force, torque = inertia_box_force(m, b, w, v)
    apply_force(m, d, d.qfrc_fluid, b, d.xipos[b], d.ximat[b] @ force, d.ximat[b] @ torque, active)


@kernel(lanes=True)
def inertia_box_force(m, b: int, w, v):
    """(force, torque) on the inertia box, in the body's inertial frame."""
    sides = inertia_box_sides(m, b)
    x, y, z = sides.x, sides.y, sides.z

    # Stokes drag of a sphere with the mean side as diameter
    mean_side = (x + y + z) / 3.0
    torque = w * (-PI * mean_side * mean_side * mean_side * max(m.opt_viscosity, 0.0))
    force = v * (-3.0 * PI * mean_side * max(m.opt_viscosity, 0.0))

    # quadratic drag of the faces
    density = max(m.opt_density, 0.0)
    face_speeds, spin_speeds = inertia_box_speeds(sides, w, v)
    force = force - scaled_by(face_speeds, v) * (0.5 * density)
    return force, torque - scaled_by(spin_speeds, w) * (density / 64.0)


@kernel(lanes=True)
def inertia_box_speeds(sides, w, v):
    """Faces of a box times their speeds: (y z |v_x|, ...), (x (y^4 + z^4) |w_x|, ...)."""
    x, y, z = sides.x, sides.y, sides.z
    faces = vec3(y * z * abs(v.x), x * z * abs(v.y), x * y * abs(v.z))
    spins = vec3(
        x * (y * y * y * y + z * z * z * z) * abs(w.x),
        y * (x * x * x * x + z * z * z * z) * abs(w.y),
        z * (x * x * x * x + y * y * y * y) * abs(w.z),
    )
    return faces, spins


@kernel(lanes=True)
def semi_axes(m, g: int):
    """Semi-axes of the ellipsoid that replaces a geom.  Mirrors mju_geomSemiAxes."""
    size = m.geom_size[g]
    kind = m.geom_type[g]
    if kind == SPHERE:
        return vec3(size.x, size.x, size.x)
    if kind == CAPSULE:
        return vec3(size.x, size.x, size.x + size.y)
    if kind == CYLINDER:
        return vec3(size.x, size.x, size.y)
    return size


@kernel(lanes=True)
def add_ellipsoid_forces(m, d, b: int, g: int, active):
    """Add the force of the ellipsoid model of a geom.  Mirrors mj_ellipsoidFluidModel."""
    axes = d.geom_xmat[g]
    w, v = velocity_in_fluid(m, d, b, d.geom_xpos[g], axes)
    force, torque = ellipsoid_force(m, g, w, v)
    apply_force(m, d, d.qfrc_fluid, b, d.geom_xpos[g], axes @ force, axes @ torque, active)


@kernel(lanes=True)
def ellipsoid_force(m, g: int, w, v):
    """(force, torque) on a geom by the ellipsoid model, in the geom's frame."""
    added_force, added_torque = added_mass_force(m, g, w, v)
    lift = lift_force(m, g, w, v)
    drag_part, drag_torque = drag_force_torque(m, g, w, v)
    interaction = m.geom_fluid[g, 0]
    return (added_force + lift + drag_part) * interaction, (
        added_torque + drag_torque
    ) * interaction


@kernel(lanes=True)
def added_mass_force(m, g: int, w, v):
    """(force, torque) of the added mass.  Mirrors mj_addedMassForces."""
    mass = vec3(m.geom_fluid[g, 6], m.geom_fluid[g, 7], m.geom_fluid[g, 8])
    moments = vec3(m.geom_fluid[g, 9], m.geom_fluid[g, 10], m.geom_fluid[g, 11])
    momentum = scaled_by(mass, v) * m.opt_density
    spin = scaled_by(moments, w) * m.opt_density
    return cross(momentum, w), cross(momentum, v) + cross(spin, w)


@kernel(lanes=True)
def longest_axes(size):
    """(longest, middle) of three semi-axes."""
    longest = max(max(size.x, size.y), size.z)
    shortest = min(min(size.x, size.y), size.z)
    return longest, size.x + size.y + size.z - longest - shortest


@kernel(lanes=True)
def squared_faces(size):
    """(r_j r_k)^2 for each axis of an ellipsoid, with semi-axes in units of the longest one."""
    longest, _middle = longest_axes(size)
    x, y, z = size.x / longest, size.y / longest, size.z / longest
    return vec3(y * z * y * z, z * x * z * x, x * y * x * y)


@kernel(lanes=True)
def ellipsoid_projection(size, v):
    """Projection of an ellipsoid along a velocity: (area, normal, |normal|^2).

    With the unit velocity u, n_i = (r_j r_k)^2 u_i / sum of (r_j r_k)^2 u^2 is normal to the
    surface where the flow meets it, n . u = 1, and the area is pi sqrt(sum (r_j r_k)^4 u^2 / sum
    (r_j r_k)^2 u^2). Semi-axes are scaled by the longest one, so that small bodies lose no
    precision.
    """
    longest, _middle = longest_axes(size)
    speed = norm(v)
    direction = v * select(speed > MINVAL, 1.0 / max(speed, MINVAL), 0.0)
    faces = squared_faces(size)
    weighted = scaled_by(scaled_by(faces, direction), direction)
    total = weighted.x + weighted.y + weighted.z
    inverse = select(total > MINVAL, 1.0 / max(total, MINVAL), 0.0)
    normal = scaled_by(faces, direction) * inverse
    square = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z
    area = PI * longest * longest * math.sqrt(total * square)
    return area, normal, square


@kernel(lanes=True)
def lift_force(m, g: int, w, v):
    """Magnus force and lift by the Kutta condition.  Mirrors mj_viscousForces."""
    size = semi_axes(m, g)
    volume = 4.0 / 3.0 * PI * size.x * size.y * size.z
    magnus = cross(w, v) * (m.geom_fluid[g, 5] * m.opt_density * volume)
    area, normal, square = ellipsoid_projection(size, v)
    cosine = select(square > MINVAL, 1.0 / max(square, MINVAL), 0.0)
    circulation = cross(normal, v) * (m.geom_fluid[g, 4] * m.opt_density * cosine * area)
    return magnus + cross(circulation, v)


@kernel(lanes=True)
def drag_force_torque(m, g: int, w, v):
    """(force, torque) of viscous and quadratic drag.  Mirrors mj_viscousForces."""
    size = semi_axes(m, g)
    longest, middle = longest_axes(size)
    blunt, slender = m.geom_fluid[g, 1], m.geom_fluid[g, 2]

    area, _, _ = ellipsoid_projection(size, v)
    largest_area = PI * longest * middle
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    resistance = 3.0 * PI * diameter * m.opt_viscosity + m.opt_density * norm(v) * (
        area * blunt + slender * (largest_area - area)
    )

    angular_momentum = scaled_by(drag_moments(m, g, size), w)
    viscous = PI * diameter * diameter * diameter * m.opt_viscosity
    return v * -resistance, w * -(viscous + m.opt_density * norm(angular_momentum))


@kernel(lanes=True)
def drag_moments(m, g: int, size):
    """Moments I_D of angular drag about each axis, by angular and slender coefficients."""
    slender, turning = m.geom_fluid[g, 2], m.geom_fluid[g, 3]
    longest, middle = longest_axes(size)
    largest = 8.0 / 15.0 * PI * middle * longest * longest * longest * longest
    x = ellipsoid_max_moment(size.x, size.y, size.z)
    y = ellipsoid_max_moment(size.y, size.z, size.x)
    z = ellipsoid_max_moment(size.z, size.x, size.y)
    return vec3(
        turning * x + slender * (largest - x),
        turning * y + slender * (largest - y),
        turning * z + slender * (largest - z),
    )


@kernel(lanes=True)
def ellipsoid_max_moment(along, across1, across2):
    """8/15 pi along reach^4 of the largest ellipsoid of revolution about one semi-axis.

    Mirrors mji_ellipsoid_max_moment.
    """
    reach = max(across1, across2)
    return 8.0 / 15.0 * PI * along * reach * reach * reach * reach
