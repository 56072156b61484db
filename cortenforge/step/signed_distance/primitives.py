"""Signed distances of primitive shapes: exact everywhere, also inside, with unit gradients.

    sphere      |p| - r
    capsule     |p - clip(p.z, -h, h) e_z| - r
    box         |max(|p| - s, 0)|, or inside max(|p| - s)
    cylinder    the same of (rho - r, |z| - h)
    ellipsoid   +-|p - q|,  q_i = a_i^2 p_i / (t + a_i^2),  sum of q_i^2 / a_i^2 = 1

Sources: Quilez, "Distance functions"; Eberly, "Distance from a point to an ellipse, an ellipsoid,
or a hyperellipsoid", Geometric Tools, 2013.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, dot, norm, unit

#: most Newton steps of an ellipsoid's nearest point; they converge quadratically
MAX_NEWTON_STEPS = 30
NEWTON_TOLERANCE = 1e-15


@kernel
def with_sign_of(size, like):
    """A size with the sign of another number."""
    return -size if like < 0.0 else size


@kernel
def sphere_distance(radius, p):
    """Signed distance of a sphere: (distance, gradient); at its centre, along z."""
    far = norm(p)
    gradient = vec3(0.0, 0.0, 1.0)
    if far >= MINVAL:
        gradient = p * (1.0 / far)
    return far - radius, gradient


@kernel
def capsule_distance(size, p):
    """Signed distance of a capsule along z: (distance, gradient)."""
    out = vec3(p.x, p.y, p.z - clip(p.z, -size.y, size.y))
    far = norm(out)
    gradient = vec3(1.0, 0.0, 0.0)
    if far >= MINVAL:
        gradient = out * (1.0 / far)
    return far - size.x, gradient


@kernel
def box_distance(size, p):
    """Signed distance of a box: (distance, gradient); inside, to the nearest face."""
    x = abs(p.x) - size.x
    y = abs(p.y) - size.y
    z = abs(p.z) - size.z
    out = vec3(max(x, 0.0), max(y, 0.0), max(z, 0.0))
    distance = norm(out)
    gradient = vec3(with_sign_of(out.x, p.x), with_sign_of(out.y, p.y), with_sign_of(out.z, p.z))
    if distance > MINVAL:
        gradient = gradient * (1.0 / distance)
    else:
        distance = max(x, max(y, z))
        if distance == x:
            gradient = vec3(with_sign_of(1.0, p.x), 0.0, 0.0)
        elif distance == y:
            gradient = vec3(0.0, with_sign_of(1.0, p.y), 0.0)
        else:
            gradient = vec3(0.0, 0.0, with_sign_of(1.0, p.z))
    return distance, gradient


@kernel
def cylinder_distance(size, p):
    """Signed distance of a cylinder along z: (distance, gradient): side, cap or rim."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    aside = vec3(1.0, 0.0, 0.0)
    if across >= MINVAL:
        aside = vec3(p.x / across, p.y / across, 0.0)
    up = vec3(0.0, 0.0, with_sign_of(1.0, p.z))
    to_side = across - size.x
    to_cap = abs(p.z) - size.y
    distance = max(to_side, to_cap)
    gradient = aside if to_side > to_cap else up
    if to_side > 0.0 and to_cap > 0.0:
        distance = math.sqrt(to_side * to_side + to_cap * to_cap)
        gradient = (aside * to_side + up * to_cap) * (1.0 / distance)
    return distance, gradient


@kernel
def ellipsoid_foot_point(size, place, t):
    """The point q_i = a_i^2 p_i / (t + a_i^2); on the surface, p is along its normal."""
    return vec3(
        size.x * size.x * place.x / max(t + size.x * size.x, MINVAL),
        size.y * size.y * place.y / max(t + size.y * size.y, MINVAL),
        size.z * size.z * place.z / max(t + size.z * size.z, MINVAL),
    )


@kernel
def ellipsoid_excess(size, q):
    """sum of q_i^2 / a_i^2 - 1: 0 on an ellipsoid's surface, -1 at its centre."""
    x = q.x / size.x
    y = q.y / size.y
    z = q.z / size.z
    return x * x + y * y + z * z - 1.0


@kernel
def ellipsoid_excess_rate(size, q, t):
    """Minus the derivative of the excess of q(t) by t."""
    x = q.x / size.x
    y = q.y / size.y
    z = q.z / size.z
    return 2.0 * (
        x * x / max(t + size.x * size.x, MINVAL)
        + y * y / max(t + size.y * size.y, MINVAL)
        + z * z / max(t + size.z * size.z, MINVAL)
    )


@kernel
def lift_onto_ellipsoid(size, q):
    """A point of the plane across the shortest axis, moved along that axis onto the surface."""
    rest = math.sqrt(max(-ellipsoid_excess(size, q), 0.0))
    moved = vec3(q.x, q.y, rest * size.z)
    if size.x <= size.y and size.x <= size.z:
        moved = vec3(rest * size.x, q.y, q.z)
    elif size.y <= size.z:
        moved = vec3(q.x, rest * size.y, q.z)
    return moved


@kernel
def ellipsoid_distance(size, p):
    """Signed distance of an ellipsoid: (distance, gradient), by Newton's method.

    The excess of q(t) falls with t and is convex, and the start is left of its zero, so that
    steps never overshoot. MuJoCo has an approximation that is good near the surface.
    """
    place = vec3(abs(p.x), abs(p.y), abs(p.z))
    t = max(
        size.x * (place.x - size.x), max(size.y * (place.y - size.y), size.z * (place.z - size.z))
    )
    q = ellipsoid_foot_point(size, place, t)
    over = ellipsoid_excess(size, q)
    if over < 0.0:
        q = lift_onto_ellipsoid(size, q)
    else:
        for _step in range(MAX_NEWTON_STEPS):
            step = over / max(ellipsoid_excess_rate(size, q, t), MINVAL)
            t += step
            q = ellipsoid_foot_point(size, place, t)
            over = ellipsoid_excess(size, q)
            if over <= NEWTON_TOLERANCE:
                break
    away = place - q
    distance = norm(away)
    if ellipsoid_excess(size, place) < 0.0:
        distance = -distance
    normal = vec3(
        with_sign_of(q.x, p.x) / (size.x * size.x),
        with_sign_of(q.y, p.y) / (size.y * size.y),
        with_sign_of(q.z, p.z) / (size.z * size.z),
    )
    return distance, unit(normal)


@kernel
def nearest_triangle_point(a, b, c, p):
    """The nearest point of a triangle, by Voronoi regions: in it, on an edge, or a corner.

    Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.
    """
    ab = b - a
    ac = c - a
    ap = p - a
    d1 = dot(ab, ap)
    d2 = dot(ac, ap)
    bp = p - b
    d3 = dot(ab, bp)
    d4 = dot(ac, bp)
    cp = p - c
    d5 = dot(ab, cp)
    d6 = dot(ac, cp)
    of_a = d3 * d6 - d5 * d4
    of_b = d5 * d2 - d1 * d6
    of_c = d1 * d4 - d3 * d2
    nearest = a
    if d1 <= 0.0 and d2 <= 0.0:
        nearest = a
    elif d3 >= 0.0 and d4 <= d3:
        nearest = b
    elif d6 >= 0.0 and d5 <= d6:
        nearest = c
    elif of_c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        nearest = a + ab * (d1 / max(d1 - d3, MINVAL))
    elif of_b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        nearest = a + ac * (d2 / max(d2 - d6, MINVAL))
    elif of_a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        nearest = b + (c - b) * ((d4 - d3) / max(d4 - d3 + d5 - d6, MINVAL))
    else:
        whole = max(of_a + of_b + of_c, MINVAL)
        nearest = a + ab * (of_b / whole) + ac * (of_c / whole)
    return nearest
