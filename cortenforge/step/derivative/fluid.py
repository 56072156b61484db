"""How forces of the medium change with velocities.

A change of a body's velocity, as each dof above it makes one, changes force and torque by their
derivative along it; what the dofs above feel of that are the entries.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import angular, linear, pairing, wrench_about
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm, scaled_by
from cortenforge.step.constants import DISCRETE
from cortenforge.step.derivative.alone import is_alone
from cortenforge.step.derivative.pattern import entry
from cortenforge.step.push import last_dof
from cortenforge.step.velocity.fluid import (
    PI,
    box_felt,
    box_sides,
    drag_moments,
    ellipsoid_felt,
    semi_axes,
    velocity_in_medium,
)


@kernel(lanes=True, unit=True)
def fluid_velocity(m, d, biased: int):
    """Add the derivative of qfrc_fluid to qDeriv.  Mirrors mjd_ellipsoidFluid and its like.

    biased: 0 for implicitfast and metrics, which take it symmetric.
    """
    for b in range(m.nbody):
        boxed = box_felt(m, b)
        if any_lane(boxed):
            add_box(m, d, b, boxed, biased)
        first = m.body_geomadr[b]
        for g in range(first, first + m.body_geomnum[b]):
            felt = ellipsoid_felt(m, b, g)
            if any_lane(felt):
                add_ellipsoid(m, d, b, g, felt, biased)


@kernel(lanes=True)
def add_wrench(m, d, b: int, k: int, place, force, torque, felt, biased: int):
    """Entries of one column: what the change of a force by dof k is to all dofs above the body.

    Made symmetric for a metric, and for implicitfast but for bodies that are solved by themselves.
    """
    wrench = wrench_about(force, torque, place - d.subtree_com[m.body_rootid[b]])
    i = last_dof(m, b)
    while i >= 0:
        value = pairing(d.cdof[i], wrench)
        here = entry(m, i, k)
        if biased == 0 and (m.opt_integrator == DISCRETE or not is_alone(m, m.body_rootid[b])):
            there = entry(m, k, i)
            d.qDeriv[here] = select(felt, d.qDeriv[here] + 0.5 * value, d.qDeriv[here])
            d.qDeriv[there] = select(felt, d.qDeriv[there] + 0.5 * value, d.qDeriv[there])
        else:
            d.qDeriv[here] = select(felt, d.qDeriv[here] + value, d.qDeriv[here])
        i = m.dof_parentid[i]


@kernel(lanes=True)
def change_by(m, d, b: int, k: int, place, axes):
    """How dof k changes the velocity of a point of a body, in the given axes."""
    spin = angular(d.cdof[k])
    offset = place - d.subtree_com[m.body_rootid[b]]
    return into_frame(axes, spin), into_frame(axes, linear(d.cdof[k]) + cross(spin, offset))


@kernel(lanes=True)
def add_box(m, d, b: int, felt, biased: int):
    """Drag of the box that has the body's inertia."""
    w, v = velocity_in_medium(m, d, b, d.xipos[b], d.ximat[b])
    turn, pull, faces, spins = box_drag(m, b, w, v)
    k = last_dof(m, b)
    while k >= 0:
        dw, dv = change_by(m, d, b, k, d.xipos[b], d.ximat[b])
        force, torque = box_change(turn, pull, faces, spins, dw, dv)
        force, torque = d.ximat[b] @ force, d.ximat[b] @ torque
        add_wrench(m, d, b, k, d.xipos[b], force, torque, felt, biased)
        k = m.dof_parentid[k]


@kernel(lanes=True)
def box_drag(m, b: int, w, v):
    """What a box has against changes of its velocity: against turns and shifts in a thick medium,
    and of its faces, against shifts and turns along and about each axis."""
    sides = box_sides(m, b)
    x, y, z = sides.x, sides.y, sides.z
    ball = (x + y + z) / 3.0
    viscosity, density = max(m.opt_viscosity, 0.0), max(m.opt_density, 0.0)
    turn = -PI * ball * ball * ball * viscosity
    pull = -3.0 * PI * ball * viscosity
    faces = vec3(y * z * abs(v.x), x * z * abs(v.y), x * y * abs(v.z)) * density
    spins = vec3(
        x * (y * y * y * y + z * z * z * z) * abs(w.x),
        y * (x * x * x * x + z * z * z * z) * abs(w.y),
        z * (x * x * x * x + y * y * y * y) * abs(w.z),
    ) * (density / 32.0)
    return turn, pull, faces, spins


@kernel(lanes=True)
def box_change(turn, pull, faces, spins, dw, dv):
    """Each velocity of a box changes its own force only."""
    return dv * pull - scaled_by(faces, dv), dw * turn - scaled_by(spins, dw)


@kernel(lanes=True)
def add_ellipsoid(m, d, b: int, g: int, felt, biased: int):
    """Added mass, lift and drag of one geom; to a metric, drag alone."""
    place, axes = d.geom_xpos[g], d.geom_xmat[g]
    w, v = velocity_in_medium(m, d, b, place, axes)
    whole = 1
    if biased == 0 and m.opt_integrator == DISCRETE:
        whole = 0
    k = last_dof(m, b)
    while k >= 0:
        dw, dv = change_by(m, d, b, k, place, axes)
        force, torque = ellipsoid_change(m, g, w, v, dw, dv, whole)
        force, torque = axes @ force, axes @ torque
        add_wrench(m, d, b, k, place, force, torque, felt, biased)
        k = m.dof_parentid[k]


@kernel(lanes=True)
def ellipsoid_change(m, g: int, w, v, dw, dv, whole: int):
    """Change of a geom's force and torque in its axes; of drag alone if not of the whole."""
    force, torque = drag_change(m, g, v, dv), spin_drag_change(m, g, w, dw)
    if whole != 0:
        added_force, added_torque = added_mass_change(m, g, w, v, dw, dv)
        force = added_force + lift_change(m, g, w, v, dw, dv) + force
        torque = added_torque + torque
    share = m.geom_fluid[g, 0]
    return force * share, torque * share


@kernel(lanes=True)
def added_mass_change(m, g: int, w, v, dw, dv):
    """Of the medium that moves along.  Mirrors mjd_addedMassForces."""
    mass = vec3(m.geom_fluid[g, 6], m.geom_fluid[g, 7], m.geom_fluid[g, 8]) * m.opt_density
    moments = vec3(m.geom_fluid[g, 9], m.geom_fluid[g, 10], m.geom_fluid[g, 11]) * m.opt_density
    momentum, change = scaled_by(mass, v), scaled_by(mass, dv)
    spin, spun = scaled_by(moments, w), scaled_by(moments, dw)
    force = cross(change, w) + cross(momentum, dw)
    torque = cross(change, v) + cross(momentum, dv) + cross(spun, w) + cross(spin, dw)
    return force, torque


@kernel(lanes=True)
def outline(size, v):
    """An ellipsoid seen along a velocity: squares of its faces, their product with the velocity,
    and its length; relative to the longest half axis."""
    longest = max(max(size.x, size.y), size.z)
    x, y, z = size.x / longest, size.y / longest, size.z / longest
    faces = vec3(y * z * y * z, z * x * z * x, x * y * x * y)
    normal = scaled_by(faces, v)
    return faces, normal, norm(normal)


@kernel(lanes=True)
def lift_change(m, g: int, w, v, dw, dv):
    """Of Magnus and Kutta lift.  Mirrors mjd_magnus_force and mjd_kutta_lift."""
    size = semi_axes(m, g)
    volume = 4.0 / 3.0 * PI * size.x * size.y * size.z
    magnus = (cross(dw, v) + cross(w, dv)) * (m.geom_fluid[g, 5] * m.opt_density * volume)

    longest = max(max(size.x, size.y), size.z)
    faces, normal, length = outline(size, v)
    speed = norm(v)
    seen = dot(normal, v)
    moving = speed > MINVAL and length > MINVAL and seen > MINVAL
    length, speed = select(moving, length, 1.0), select(moving, speed, 1.0)
    seen = select(moving, seen, 1.0)
    change = scaled_by(faces, dv)
    # lift = scale * (normal x v) x v, scale = coefficient * sqrt(seen) / (speed * length)
    area = PI * longest * longest
    scale = m.geom_fluid[g, 4] * m.opt_density * area * math.sqrt(seen) / (speed * length)
    growth = dot(normal, dv) / seen - dot(v, dv) / (speed * speed)
    growth = growth - dot(normal, change) / (length * length)
    around = cross(normal, v)
    turned = cross(cross(change, v) + cross(normal, dv), v) + cross(around, dv)
    lift = (turned + cross(around, v) * growth) * scale
    return magnus + select(moving, lift, vec3(0.0, 0.0, 0.0))


@kernel(lanes=True)
def drag_change(m, g: int, v, dv):
    """Of viscous and quadratic drag.  Mirrors mjd_viscous_drag."""
    size = semi_axes(m, g)
    longest = max(max(size.x, size.y), size.z)
    shortest = min(min(size.x, size.y), size.z)
    middle = size.x + size.y + size.z - longest - shortest
    blunt, slender = m.geom_fluid[g, 1], m.geom_fluid[g, 2]
    faces, normal, length = outline(size, v)
    speed = norm(v)
    seen = dot(normal, v)
    moving = speed > MINVAL and length > MINVAL and seen > MINVAL
    length, speed = select(moving, length, 1.0), select(moving, speed, 1.0)
    seen = select(moving, seen, 1.0)
    area = PI * longest * longest * length / math.sqrt(seen)
    change = dot(normal, scaled_by(faces, dv)) / (length * length) - dot(normal, dv) / seen
    wet = area * blunt + slender * (PI * longest * middle - area)
    quadratic = dv * (speed * wet) + v * (
        dot(v, dv) / speed * wet + speed * area * change * (blunt - slender)
    )
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    viscous = dv * (-3.0 * PI * diameter * m.opt_viscosity)
    return viscous - select(moving, quadratic, vec3(0.0, 0.0, 0.0)) * m.opt_density


@kernel(lanes=True)
def spin_drag_change(m, g: int, w, dw):
    """Of the torque of drag.  Mirrors mjd_viscous_torque."""
    size = semi_axes(m, g)
    moments = drag_moments(m, g, size)
    stirred = scaled_by(moments, w)
    length = norm(stirred)
    turning = length > MINVAL
    safe = select(turning, length, 1.0)
    growth = select(turning, dot(stirred, scaled_by(moments, dw)) / safe, 0.0)
    diameter = 2.0 / 3.0 * (size.x + size.y + size.z)
    viscous = PI * diameter * diameter * diameter * m.opt_viscosity
    return dw * -(viscous + m.opt_density * length) - w * (m.opt_density * growth)
