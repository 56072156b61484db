"""Segments of chains: Cosserat rods, which resist stretching, shear, bending and twisting.

A segment has an orientation, whose third axis lies along it at rest.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, select, vec3
from cortenforge.math.rotation import conjugate, rotate, unit_quat
from cortenforge.math.vector import cross, inverse_symmetric
from cortenforge.step.soft.blend import implicitness
from cortenforge.step.soft.membrane import TINY


@kernel(lanes=True)
def turned_by(q, turn):
    """An orientation after a small rotation, about its own axes."""
    return unit_quat(q * quat(1.0, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z))


@kernel(lanes=True)
def reply(stiffness, off, weight):
    """How hard one mode of an element pulls back, in a step that counts its own stiffness."""
    ratio = stiffness * weight
    return -(stiffness * off) / (1.0 + implicitness(ratio) * ratio)


@kernel
def inverse_inertia(m, d, k: int, axis: int):
    """Inverse inertia of a segment across its axis (0) or about it (1); none if it is pinned."""
    free = d.soft_w[m.softrod_vert[k, 0]] + d.soft_w[m.softrod_vert[k, 1]] > 0.0
    return m.softrod_invinertia[k, axis] if free else 0.0


@kernel
def answer(m, d, k: int, torque):
    """How a torque turns a segment."""
    across, about = inverse_inertia(m, d, k, 0), inverse_inertia(m, d, k, 1)
    return vec3(torque.x * across, torque.y * across, torque.z * about)


@kernel(lanes=True)
def hold_axis(u, shear, stretch, weight, across, about):
    """The force that brings a segment, in units of its length, back to its axis.

    Ends that move and the axis that turns are solved for together: far from the axis a force has
    a long arm.
    """
    aside = u.x * u.x + u.y * u.y
    theta = implicitness(shear * (weight + across * (aside + u.z * u.z)))
    along = implicitness(stretch * (weight + across * aside))
    inverse = inverse_symmetric(
        1.0 / max(shear, TINY) + theta * (weight + u.z * u.z * across + u.y * u.y * about),
        -theta * (u.x * u.y * about),
        -theta * (u.x * u.z * across),
        1.0 / max(shear, TINY) + theta * (weight + u.z * u.z * across + u.x * u.x * about),
        -theta * (u.y * u.z * across),
        1.0 / max(stretch, TINY) + along * (weight + aside * across),
    )
    return inverse @ vec3(-u.x, -u.y, 1.0 - u.z)


@kernel(unit=True)
def straighten_segments(m, d, first: int, last: int):
    """Pull ends of segments towards their axes, and turn the axes towards them."""
    square = d.soft_h * d.soft_h
    for k in range(first, last):
        a, b = m.softrod_vert[k, 0], m.softrod_vert[k, 1]
        xa, xb = d.soft_p[a], d.soft_p[b]
        wa, wb = d.soft_w[a], d.soft_w[b]
        q = d.soft_q[k]
        length = m.softrod_length[k]
        along = rotate(conjugate(q), xb - xa) * (1.0 / length)
        weight = (wa + wb) / (length * length)
        force = hold_axis(
            along,
            m.softrod_stiffness[k, 0] * length * square,
            m.softrod_stiffness[k, 1] * length * square,
            weight,
            inverse_inertia(m, d, k, 0),
            inverse_inertia(m, d, k, 1),
        )
        push = rotate(q, force) * (1.0 / length)
        d.soft_p[a] = xa - push * wa
        d.soft_p[b] = xb + push * wb
        d.soft_q[k] = turned_by(q, answer(m, d, k, cross(force, along)))


@kernel(unit=True)
def untwist_segments(m, d, first: int, last: int):
    """Turn neighbours among segments towards each other's axes."""
    square = d.soft_h * d.soft_h
    for k in range(first, last):
        one, two = m.softtwist_rod[k, 0], m.softtwist_rod[k, 1]
        p, q = d.soft_q[one], d.soft_q[two]
        between = conjugate(p) * q
        off = conjugate(m.softtwist_rest[k]) * between
        sign = select(off.w < 0.0, -2.0, 2.0)
        bend = m.softtwist_stiffness[k, 0] * square
        twist = m.softtwist_stiffness[k, 1] * square
        across = inverse_inertia(m, d, one, 0) + inverse_inertia(m, d, two, 0)
        about = inverse_inertia(m, d, one, 1) + inverse_inertia(m, d, two, 1)
        torque = vec3(
            reply(bend, sign * off.x, across),
            reply(bend, sign * off.y, across),
            reply(twist, sign * off.z, about),
        )
        d.soft_q[two] = turned_by(q, answer(m, d, two, torque))
        d.soft_q[one] = turned_by(p, answer(m, d, one, -rotate(between, torque)))
