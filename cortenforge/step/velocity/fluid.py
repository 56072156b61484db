"""Forces of the medium: a box of equal inertia for each body, or an ellipsoid for each geom."""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, cross, into_frame, norm, scaled_by
from cortenforge.step.constants import CAPSULE, CYLINDER, SPHERE
from cortenforge.step.push import push
from cortenforge.step.sleeping.runs import BODIES, end_of, first_of, run_count, stirs

PI = math.pi


@kernel(lanes=True, unit=True)
def fluid(m, d):
    """Fluid forces on every body that has mass.  Mirrors mj_fluid."""
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            slow_down(m, d, run)


@kernel(lanes=True)
def slow_down(m, d, run: int):
    """The same for bodies of a run."""
    for b in range(first_of(m, run, BODIES), end_of(m, run, BODIES)):
        boxed = box_felt(m, b)
        if any_lane(boxed):
            box_forces(m, d, b, boxed)
        first = m.body_geomadr[b]
        for g in range(first, first + m.body_geomnum[b]):
            felt = ellipsoid_felt(m, b, g)
            if any_lane(felt):
                ellipsoid_forces(m, d, b, g, felt)


@kernel(lanes=True)
def largest_share(m, b: int):
    """Above zero if a geom of the body is an ellipsoid to the medium: then there is no box."""
    largest = 0.0
    first = m.body_geomadr[b]
    for g in range(first, first + m.body_geomnum[b]):
        largest = max(largest, m.geom_fluid[g, 0])
    return largest


@kernel(lanes=True)
def box_felt(m, b: int):
    """Whether a body moves through the medium as a box."""
    mass = select(has_medium(m), m.body_mass[b], 0.0)
    return select(largest_share(m, b) > 0.0, 0.0, mass) >= MINVAL


@kernel(lanes=True)
def ellipsoid_felt(m, b: int, g: int):
    """Whether a geom of a body moves through the medium as an ellipsoid."""
    mass = select(has_medium(m), m.body_mass[b], 0.0)
    share = select(mass >= MINVAL, m.geom_fluid[g, 0], 0.0)
    return select(largest_share(m, b) > 0.0, share, 0.0) != 0.0


@kernel(lanes=True)
def has_medium(m):
    """Whether there is anything to move through."""
    return abs(m.opt_density) + abs(m.opt_viscosity) != 0.0


@kernel(lanes=True)
def velocity_in_medium(m, d, b: int, place, axes):
    """Angular and linear velocity of a point of a body against the wind, in the given axes."""
    v = d.cvel[b]
    offset = place - d.subtree_com[m.body_rootid[b]]
    moving = linear(v) + cross(angular(v), offset)
    return into_frame(axes, angular(v)), into_frame(axes, moving - m.opt_wind)


@kernel(lanes=True)
def box_sides(m, b: int):
    """Lengths of the box that has the body's inertia."""
    moments = m.body_inertia[b]
    scale = 6.0 / m.body_mass[b]
    return vec3(
        math.sqrt(max(MINVAL, moments.y + moments.z - moments.x) * scale),
        math.sqrt(max(MINVAL, moments.x + moments.z - moments.y) * scale),
        math.sqrt(max(MINVAL, moments.x + moments.y - moments.z) * scale),
    )


@kernel(lanes=True)
def box_forces(m, d, b: int, felt):
    """Drag on the box that has the body's inertia.  Mirrors mj_inertiaBoxFluidModel."""
    w, v = velocity_in_medium(m, d, b, d.xipos[b], d.ximat[b])
    force, torque = box_force(m, b, w, v)
    push(m, d, d.qfrc_fluid, b, d.xipos[b], d.ximat[b] @ force, d.ximat[b] @ torque, felt)


@kernel(lanes=True)
def box_force(m, b: int, w, v):
    """The same, in the body's own axes."""
    sides = box_sides(m, b)
    x, y, z = sides.x, sides.y, sides.z

    # Stokes drag of a ball of the mean size
    ball = (x + y + z) / 3.0
    torque = w * (-PI * ball * ball * ball * max(m.opt_viscosity, 0.0))
    force = v * (-3.0 * PI * ball * max(m.opt_viscosity, 0.0))

    # drag of the faces, quadratic in velocity
    density = max(m.opt_density, 0.0)
    faces = vec3(y * z * abs(v.x), x * z * abs(v.y), x * y * abs(v.z))
    force = force - scaled_by(faces, v) * (0.5 * density)
    spins = vec3(
        x * (y * y * y * y + z * z * z * z) * abs(w.x),
        y * (x * x * x * x + z * z * z * z) * abs(w.y),
        z * (x * x * x * x + y * y * y * y) * abs(w.z),
    )
    return force, torque - scaled_by(spins, w) * (density / 64.0)


@kernel(lanes=True)
def semi_axes(m, g: int):
    """Half lengths of the ellipsoid that stands for a geom.  Mirrors mju_geomSemiAxes."""
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
def ellipsoid_forces(m, d, b: int, g: int, felt):
    """Added mass, lift and drag of one geom.  Mirrors mj_ellipsoidFluidModel."""
    axes = d.geom_xmat[g]
    w, v = velocity_in_medium(m, d, b, d.geom_xpos[g], axes)
    force, torque = ellipsoid_force(m, g, w, v)
    push(m, d, d.qfrc_fluid, b, d.geom_xpos[g], axes @ force, axes @ torque, felt)


@kernel(lanes=True)
def ellipsoid_force(m, g: int, w, v):
    """The same, in the geom's own axes."""
    added_force, added_torque = added_mass(m, g, w, v)
    lift = lift_force(m, g, w, v)
    drag_force, drag_torque = drag(m, g, w, v)
    share = m.geom_fluid[g, 0]
    return (added_force + lift + drag_force) * share, (added_torque + drag_torque) * share


@kernel(lanes=True)
def added_mass(m, g: int, w, v):
    """Force and torque of the medium that moves along.  Mirrors mj_addedMassForces."""
    mass = vec3(m.geom_fluid[g, 6], m.geom_fluid[g, 7], m.geom_fluid[g, 8])
    moments = vec3(m.geom_fluid[g, 9], m.geom_fluid[g, 10], m.geom_fluid[g, 11])
    momentum = scaled_by(mass, v) * m.opt_density
    spin = scaled_by(moments, w) * m.opt_density
    return cross(momentum, w), cross(momentum, v) + cross(spin, w)


@kernel(lanes=True)
def projection(size, v):
    """How an ellipsoid looks along a velocity: seen area, surface normal, and its square.

    The normal n solves n . direction = 1. Lengths are taken relative to the longest half axis,
    so that small bodies lose no precision.
    """
    longest = max(max(size.x, size.y), size.z)
    x, y, z = size.x / longest, size.y / longest, size.z / longest
    speed = norm(v)
    direction = v * select(speed > MINVAL, 1.0 / max(speed, MINVAL), 0.0)
    faces = vec3(y * z * y * z, z * x * z * x, x * y * x * y)
    seen = scaled_by(scaled_by(faces, direction), direction)
    total = seen.x + seen.y + seen.z
    inverse = select(total > MINVAL, 1.0 / max(total, MINVAL), 0.0)
    normal = scaled_by(faces, direction) * inverse
    square = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z
    area = PI * longest * longest * math.sqrt(total * square)
    return area, normal, square


@kernel(lanes=True)
def lift_force(m, g: int, w, v):
    """Magnus and Kutta lift.  Mirrors mj_viscousForces."""
    size = semi_axes(m, g)
    volume = 4.0 / 3.0 * PI * size.x * size.y * size.z
    magnus = cross(w, v) * (m.geom_fluid[g, 5] * m.opt_density * volume)
    area, normal, square = projection(size, v)
    cosine = select(square > MINVAL, 1.0 / max(square, MINVAL), 0.0)
    circulation = cross(normal, v) * (m.geom_fluid[g, 4] * m.opt_density * cosine * area)
    return magnus + cross(circulation, v)


@kernel(lanes=True)
def drag(m, g: int, w, v):
    """Viscous and quadratic drag, force and torque.  Mirrors mj_viscousForces."""
    size = semi_axes(m, g)
    longest = max(max(size.x, size.y), size.z)
    shortest = min(min(size.x, size.y), size.z)
    middle = size.x + size.y + size.z - longest - shortest
    blunt, slender = m.geom_fluid[g, 1], m.geom_fluid[g, 2]

    area, _, _ = projection(size, v)
    widest = PI * longest * middle
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    resistance = 3.0 * PI * diameter * m.opt_viscosity + m.opt_density * norm(v) * (
        area * blunt + slender * (widest - area)
    )

    stirred = scaled_by(drag_moments(m, g, size), w)
    viscous = PI * diameter * diameter * diameter * m.opt_viscosity
    return v * -resistance, w * -(viscous + m.opt_density * norm(stirred))


@kernel(lanes=True)
def drag_moments(m, g: int, size):
    """What the medium has against turns about each axis of an ellipsoid."""
    slender, turning = m.geom_fluid[g, 2], m.geom_fluid[g, 3]
    longest = max(max(size.x, size.y), size.z)
    shortest = min(min(size.x, size.y), size.z)
    middle = size.x + size.y + size.z - longest - shortest
    largest = 8.0 / 15.0 * PI * middle * longest * longest * longest * longest
    x = spin_moment(size.x, size.y, size.z)
    y = spin_moment(size.y, size.z, size.x)
    z = spin_moment(size.z, size.x, size.y)
    return vec3(
        turning * x + slender * (largest - x),
        turning * y + slender * (largest - y),
        turning * z + slender * (largest - z),
    )


@kernel(lanes=True)
def spin_moment(along, across1, across2):
    """Moment of the largest ellipsoid of revolution about one half axis."""
    reach = max(across1, across2)
    return 8.0 / 15.0 * PI * along * reach * reach * reach * reach
