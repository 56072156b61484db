"""The subproblem of GJK: the point of a simplex nearest to the origin, as weights.

    x = sum of w_i p_i,   w_i >= 0,   sum of w_i = 1

Weights in a triangle are barycentric coordinates of the origin's projection, ratios of areas:
w_a = n.((b - f) x (c - f)) / |n|^2 with n = (b - a) x (c - a) and f = n (n.a) / |n|^2. Vertices of
weight zero leave the simplex. Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.
"""

from __future__ import annotations

from cortenforge.kernel import Tolerance, kernel
from cortenforge.math.vector import cross, dot
from cortenforge.step.collision.convex.minkowski import copy_minkowski_vertex

#: larger than any distance
INFINITE_DISTANCE = 1e300
#: triangles are degenerate if the squared sine between two edges is below this
DEGENERATE_SINE_SQUARE = Tolerance(1e-22, single=1e-12)


@kernel
def segment_weight(a, b):
    """Weight of the second end in the point of a segment nearest to the origin."""
    along = b - a
    square = dot(along, along)
    return max(0.0, min(1.0, -dot(a, along) / square)) if square > 0.0 else 0.0


@kernel
def projection_weights(a, b, c):
    """Barycentric coordinates of the origin's projection onto a triangle's plane.

    Returns (x, y, z), weights of a, b, c: negative where the projection is outside of the triangle;
    all zero if the triangle is degenerate.
    """
    ab = b - a
    ac = c - a
    normal = cross(ab, ac)
    square = dot(normal, normal)
    x = 0.0
    y = 0.0
    z = 0.0
    if square > DEGENERATE_SINE_SQUARE * dot(ab, ab) * dot(ac, ac):
        foot = normal * (dot(normal, a) / square)
        x = dot(normal, cross(b - foot, c - foot))
        y = dot(normal, cross(c - foot, a - foot))
        z = dot(normal, cross(a - foot, b - foot))
        scale = 1.0 / (x + y + z)
        x = x * scale
        y = y * scale
        z = z * scale
    return x, y, z


@kernel
def triangle_weights(a, b, c):
    """Weights (of a, b, c) of the point of a triangle nearest to the origin."""
    x, y, z = projection_weights(a, b, c)
    if not (x > 0.0 and y > 0.0 and z > 0.0):
        x, y, z = triangle_border_weights(a, b, c, x <= 0.0, y <= 0.0, z <= 0.0)
    return x, y, z


@kernel
def triangle_border_weights(a, b, c, beyond_a, beyond_b, beyond_c):
    """Weights of the nearest point on those edges that the origin projects beyond."""
    best = INFINITE_DISTANCE
    x = 1.0
    y = 0.0
    z = 0.0
    if beyond_a:
        t = segment_weight(b, c)
        point = b * (1.0 - t) + c * t
        best = dot(point, point)
        x = 0.0
        y = 1.0 - t
        z = t
    if beyond_b:
        t = segment_weight(a, c)
        point = a * (1.0 - t) + c * t
        if dot(point, point) < best:
            best = dot(point, point)
            x = 1.0 - t
            y = 0.0
            z = t
    if beyond_c:
        t = segment_weight(a, b)
        point = a * (1.0 - t) + b * t
        if dot(point, point) < best:
            x = 1.0 - t
            y = t
            z = 0.0
    return x, y, z


@kernel
def set_tetrahedron_face_weights(d, i: int, j: int, k: int, other: int, best):
    """Set the weights of face ijk of a tetrahedron, if its nearest point is nearer than `best`.

    Only faces that have the origin on their outer side count. other: the fourth vertex.
    Returns the squared distance of the nearest point so far.
    """
    a = d.diff_point[i]
    b = d.diff_point[j]
    c = d.diff_point[k]
    normal = cross(b - a, c - a)
    inside = dot(normal, d.diff_point[other] - a)
    square = best
    if -dot(normal, a) * inside <= 0.0:
        x, y, z = triangle_weights(a, b, c)
        point = a * x + b * y + c * z
        square = dot(point, point)
        if square < best:
            d.simplex_weight[i] = x
            d.simplex_weight[j] = y
            d.simplex_weight[k] = z
            d.simplex_weight[other] = 0.0
    return min(square, best)


@kernel
def set_simplex_weights(d, n: int):
    """Set `simplex_weight` to the weights of the point nearest to the origin.

    Returns False if a tetrahedron has the origin inside. The same question as `subdistance` of
    MuJoCo, which answers it by signed volumes.
    """
    a = d.diff_point[0]
    if n == 1:
        d.simplex_weight[0] = 1.0
    elif n == 2:
        t = segment_weight(a, d.diff_point[1])
        d.simplex_weight[0] = 1.0 - t
        d.simplex_weight[1] = t
    elif n == 3:
        x, y, z = triangle_weights(a, d.diff_point[1], d.diff_point[2])
        d.simplex_weight[0] = x
        d.simplex_weight[1] = y
        d.simplex_weight[2] = z
    else:
        best = set_tetrahedron_face_weights(d, 0, 1, 2, 3, INFINITE_DISTANCE)
        best = set_tetrahedron_face_weights(d, 0, 1, 3, 2, best)
        best = set_tetrahedron_face_weights(d, 0, 2, 3, 1, best)
        best = set_tetrahedron_face_weights(d, 1, 2, 3, 0, best)
        return best < INFINITE_DISTANCE
    return True


@kernel
def reduce_simplex(d, n: int):
    """Keep the vertices of positive weight; returns how many.

    4 if the origin is inside of a tetrahedron, 0 if no vertex has a weight.
    """
    if not set_simplex_weights(d, n):
        return n
    kept = 0
    for i in range(n):
        if d.simplex_weight[i] > 0.0:
            if kept < i:
                d.simplex_weight[kept] = d.simplex_weight[i]
                copy_minkowski_vertex(d, kept, i)
            kept += 1
    return kept
