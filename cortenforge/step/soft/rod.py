"""Segments of chains: Cosserat rods, which resist stretching, shear, bending and twisting.

A segment of length L has an orientation q (from its own axes to the world's), whose third axis e3
lies along it at rest, and an inverse inertia J^-1 = diag(across, across, about).

Stretch and shear, with u the segment in its own axes and K = h^2 L diag(G A 5/6, G A 5/6, E A):

    u = R(q)' (x_b - x_a) / L,    C = u - e3,    du = [u]x omega   for a turn omega of its own axes
    lambda = -(K^-1 + theta W)^-1 C,    W = (w_a + w_b) / L^2 + [u]x J^-1 [u]x'
    (theta is that of shear; in the last entry of the diagonal, that of stretch)
    x_b += w_b R(q) lambda / L,    x_a -= w_a R(q) lambda / L,    q turns by J^-1 (lambda x u)

Bend and twist of neighbours p, q whose relative orientation at rest is r:

    Omega = 2 sgn(o_w) (o_x, o_y, o_z),    o = r* p* q,    k = (E I, E I, 2 G I) / length
    lambda_i = -h^2 k_i Omega_i / (1 + theta h^2 k_i w_i),    w_i = J_p^-1 + J_q^-1 about axis i
    q turns by J^-1 lambda,    p turns by -J^-1 R(p* q) lambda

The derivative of Omega by a turn of q is taken as the identity, as it is for small Omega.

Source: Kugelstadt and Schoemer, "Position and Orientation Based Cosserat Rods" (2016); theta: see
`implicitness`. Stiffness: `soft/chain_elements.py`.
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, select, vec3
from cortenforge.math.rotation import conjugate, rotate, unit_quat
from cortenforge.math.vector import cross, inverse_symmetric
from cortenforge.step.soft.implicitness import implicitness
from cortenforge.step.soft.membrane import DIVISION_FLOOR


@kernel(lanes=True)
def rotated_by_small_angle(q, turn):
    """q (1, turn/2), normalised: q after a small rotation about its own axes."""
    return unit_quat(q * quat(1.0, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z))


@kernel(lanes=True)
def multiplier_increment(stiffness, error, weight):
    """lambda = -h^2 k C / (1 + theta h^2 k w); stiffness: h^2 k, error: C, weight: w."""
    ratio = stiffness * weight
    return -(stiffness * error) / (1.0 + implicitness(ratio) * ratio)


@kernel
def segment_inverse_inertia(m, d, k: int, axis: int):
    """Inverse inertia of a segment across its axis (0) or about it (1); 0 if it is pinned."""
    free = d.soft_w[m.softrod_vert[k, 0]] + d.soft_w[m.softrod_vert[k, 1]] > 0.0
    return m.softrod_invinertia[k, axis] if free else 0.0


@kernel
def segment_rotation(m, d, k: int, torque):
    """J^-1 torque: the small rotation, in the segment's own axes, that a torque causes."""
    across, about = segment_inverse_inertia(m, d, k, 0), segment_inverse_inertia(m, d, k, 1)
    return vec3(torque.x * across, torque.y * across, torque.z * about)


@kernel(lanes=True)
def axis_multiplier(u, shear, stretch, weight, across, about):
    """lambda of stretch and shear, in the segment's axes; u: the segment over its length, there.

    shear, stretch: h^2 times stiffness. weight: (w_a + w_b) / L^2. across, about: inverse inertia.
    Ends that move and the axis that turns are solved for together: far from the axis a force has
    a long arm.
    """
    lateral2 = u.x * u.x + u.y * u.y
    theta_shear = implicitness(shear * (weight + across * (lateral2 + u.z * u.z)))
    theta_stretch = implicitness(stretch * (weight + across * lateral2))
    inverse = inverse_symmetric(
        1.0 / max(shear, DIVISION_FLOOR)
        + theta_shear * (weight + u.z * u.z * across + u.y * u.y * about),
        -theta_shear * (u.x * u.y * about),
        -theta_shear * (u.x * u.z * across),
        1.0 / max(shear, DIVISION_FLOOR)
        + theta_shear * (weight + u.z * u.z * across + u.x * u.x * about),
        -theta_shear * (u.y * u.z * across),
        1.0 / max(stretch, DIVISION_FLOOR) + theta_stretch * (weight + lateral2 * across),
    )
    return inverse @ vec3(-u.x, -u.y, 1.0 - u.z)


@kernel(unit=True)
def project_stretch_shear(m, d, first: int, last: int):
    """Project stretch and shear of the segments of one colour: both ends and the orientation."""
    h2 = d.soft_h * d.soft_h
    for k in range(first, last):
        a, b = m.softrod_vert[k, 0], m.softrod_vert[k, 1]
        xa, xb = d.soft_p[a], d.soft_p[b]
        wa, wb = d.soft_w[a], d.soft_w[b]
        q = d.soft_q[k]
        length = m.softrod_length[k]
        u = rotate(conjugate(q), xb - xa) * (1.0 / length)
        weight = (wa + wb) / (length * length)
        force = axis_multiplier(
            u,
            m.softrod_stiffness[k, 0] * length * h2,
            m.softrod_stiffness[k, 1] * length * h2,
            weight,
            segment_inverse_inertia(m, d, k, 0),
            segment_inverse_inertia(m, d, k, 1),
        )
        correction = rotate(q, force) * (1.0 / length)
        d.soft_p[a] = xa - correction * wa
        d.soft_p[b] = xb + correction * wb
        d.soft_q[k] = rotated_by_small_angle(q, segment_rotation(m, d, k, cross(force, u)))


@kernel(unit=True)
def project_bend_twist(m, d, first: int, last: int):
    """Project bending and twist of the pairs of neighbours of one colour: both orientations."""
    h2 = d.soft_h * d.soft_h
    for k in range(first, last):
        one, two = m.softtwist_rod[k, 0], m.softtwist_rod[k, 1]
        p, q = d.soft_q[one], d.soft_q[two]
        relative = conjugate(p) * q
        error = conjugate(m.softtwist_rest[k]) * relative
        sign = select(error.w < 0.0, -2.0, 2.0)
        bend = m.softtwist_stiffness[k, 0] * h2
        twist = m.softtwist_stiffness[k, 1] * h2
        across = segment_inverse_inertia(m, d, one, 0) + segment_inverse_inertia(m, d, two, 0)
        about = segment_inverse_inertia(m, d, one, 1) + segment_inverse_inertia(m, d, two, 1)
        torque = vec3(
            multiplier_increment(bend, sign * error.x, across),
            multiplier_increment(bend, sign * error.y, across),
            multiplier_increment(twist, sign * error.z, about),
        )
        d.soft_q[two] = rotated_by_small_angle(q, segment_rotation(m, d, two, torque))
        d.soft_q[one] = rotated_by_small_angle(
            p, segment_rotation(m, d, one, -rotate(relative, torque))
        )
