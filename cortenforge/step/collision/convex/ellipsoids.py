"""Two ellipsoids: the direction of largest gap, their distance or (negative) depth.

    gap(u) = u.shift - h1(u) - h2(u),   h_i(u) = sqrt(u.A_i u),   A_i = R_i S_i^2 R_i^T
    maximize gap over |u| = 1: Newton's method in the tangent plane of u
    gradient  (shift - p1 - p2) in that plane,   p_i = A_i u / h_i
    -Hessian  sum of (A_i - p_i p_i^T) / h_i  +  gap I

p1 is the first geom's support point along u, p2 that of the second about its centre. The search
takes a tenth of the time of GJK and EPA. Where ellipsoids overlap, the maximum is known to be the
global one if the depth is at most r1 + r2, r_i = min(S_i)^2 / max(S_i) their least radii of
curvature: a ball of radius r1 + r2 rolls inside of the Minkowski difference. It touches the surface
where the search ended, so a ball around the origin lies in it, and nothing is nearer. Deeper
overlaps are left to EPA.

Source: Kurzhanski and Valyi, "Ellipsoidal Calculus for Estimation and Control", 1997 (support
functions and outer ellipsoids of sums); docs/collision.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import Tolerance, kernel, mat3, vec3
from cortenforge.math.vector import cross, dot, into_frame, norm, scaled_by, unit
from cortenforge.step.collision.convex.gjk import BEYOND_CUTOFF, DISJOINT

#: most Newton steps; they converge quadratically
MAX_ELLIPSOID_STEPS = 12
#: converged below this step, and the longest step  [rad]
TURN_TOLERANCE = Tolerance(1e-9, single=1e-6)
LONGEST_TURN = 0.5
#: the search gave no certain answer
UNDECIDED = -1


@kernel
def ellipsoid_gap(m, g1: int, g2: int, turn, shift, reach):
    """Gap of two ellipsoids; returns (known, gap, u, one), in the axes of the first.

    known: DISJOINT if the gap is the largest one, whether or not they overlap; BEYOND_CUTOFF if it
           is larger than `reach` along u; UNDECIDED if EPA has to answer.
    u:     unit direction of the gap, from the first geom to the second.
    one:   support point of the first geom along u.
    """
    size1 = m.geom_size[g1]
    size2 = m.geom_size[g2]
    squares1 = scaled_by(size1, size1)
    squares2 = scaled_by(size2, size2)
    u = initial_normal(squares1, squares2, turn, shift)
    gap = 0.0
    one = u
    for _k in range(MAX_ELLIPSOID_STEPS):
        one, high1 = ellipsoid_reach(squares1, u)
        local, high2 = ellipsoid_reach(squares2, into_frame(turn, u))
        other = turn @ local
        gap = dot(u, shift) - high1 - high2
        if gap > reach:
            return BEYOND_CUTOFF, gap, u, one
        step, sound = newton_turn(squares1, squares2, turn, u, one, high1, other, high2, shift, gap)
        if not sound:
            return UNDECIDED, gap, u, one
        size = norm(step)
        if size <= TURN_TOLERANCE:
            sure = -gap <= least_curvature_radius(size1) + least_curvature_radius(size2)
            return DISJOINT if sure else UNDECIDED, gap, u, one
        u = unit(u + step * min(1.0, LONGEST_TURN / size))
    return UNDECIDED, gap, u, one


@kernel
def least_curvature_radius(size):
    """Least radius of curvature of an ellipsoid: min(size)^2 / max(size).  [m]"""
    least = min(size.x, min(size.y, size.z))
    return least * least / max(size.x, max(size.y, size.z))


@kernel
def ellipsoid_reach(squares, u):
    """Support point of an ellipsoid along u and its height: (A u / h, h), h = sqrt(u.A u)."""
    stretched = scaled_by(squares, u)
    high = math.sqrt(dot(stretched, u))
    return stretched * (1.0 / high), high


@kernel
def outer_ellipsoid_product(squares1, squares2, turn, v, weight):
    """Q v, for an ellipsoid Q = (1 + w) A1 + (1 + 1/w) A2 around the sum of two ellipsoids."""
    local = scaled_by(squares2, into_frame(turn, v))
    return scaled_by(squares1, v) * (1.0 + weight) + (turn @ local) * (1.0 + 1.0 / weight)


@kernel
def initial_normal(squares1, squares2, turn, shift):
    """Start: the normal of an outer ellipsoid of A - B where the line of centres exits.

    u = Q^-1 shift, with the weight of least trace, w = sqrt(tr A2 / tr A1).
    """
    total1 = squares1.x + squares1.y + squares1.z
    total2 = squares2.x + squares2.y + squares2.z
    weight = math.sqrt(total2 / total1)
    x = outer_ellipsoid_product(squares1, squares2, turn, vec3(1.0, 0.0, 0.0), weight)
    y = outer_ellipsoid_product(squares1, squares2, turn, vec3(0.0, 1.0, 0.0), weight)
    z = outer_ellipsoid_product(squares1, squares2, turn, vec3(0.0, 0.0, 1.0), weight)
    # one over a symmetric matrix, but for its determinant, which is positive
    inverse = mat3(
        y.y * z.z - z.y * y.z,
        z.x * y.z - y.x * z.z,
        y.x * z.y - z.x * y.y,
        z.y * x.z - x.y * z.z,
        x.x * z.z - z.x * x.z,
        z.x * x.y - x.x * z.y,
        x.y * y.z - y.y * x.z,
        y.x * x.z - x.x * y.z,
        x.x * y.y - y.x * x.y,
    )
    return unit(inverse @ shift)


@kernel
def support_derivative(squares, point, high, v):
    """Derivative of an ellipsoid's support point by the direction, times v: (A v - p p.v) / h."""
    return (scaled_by(squares, v) - point * dot(point, v)) * (1.0 / high)


@kernel
def newton_turn(squares1, squares2, turn, u, one, high1, other, high2, shift, gap):
    """Newton step towards the largest gap, perpendicular to u: (step, sound).

    sound: whether the negated Hessian is positive definite, so that the step leads to a maximum.
    """
    e1 = unit(cross(u, vec3(1.0, 0.0, 0.0) if abs(u.x) < 0.5 else vec3(0.0, 1.0, 0.0)))
    e2 = cross(u, e1)
    local = into_frame(turn, other)
    move1 = support_derivative(squares1, one, high1, e1)
    move1 += turn @ support_derivative(squares2, local, high2, into_frame(turn, e1))
    move2 = support_derivative(squares1, one, high1, e2)
    move2 += turn @ support_derivative(squares2, local, high2, into_frame(turn, e2))
    xx = dot(e1, move1) + gap
    xy = dot(e1, move2)
    yy = dot(e2, move2) + gap
    tilt = shift - one - other
    x = dot(e1, tilt)
    y = dot(e2, tilt)
    det = xx * yy - xy * xy
    sound = xx > 0.0 and det > 0.0
    scale = 1.0 / det if sound else 0.0
    return e1 * ((yy * x - xy * y) * scale) + e2 * ((xx * y - xy * x) * scale), sound
