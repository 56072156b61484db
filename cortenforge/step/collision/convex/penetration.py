"""How deep the cores of two convex geoms are inside each other: the expanding polytope algorithm.

A polytope inside the difference of both geoms grows where it is nearest to the origin, until that
face lies on the surface. Heights of faces have a sign, so that it does not matter whether the
origin is inside the first tetrahedron, on its border or, by rounding, just outside.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, norm, unit
from cortenforge.step.collision.convex.difference import farthest_difference
from cortenforge.step.collision.convex.distance import TOUCHING, span_of
from cortenforge.step.collision.convex.farthest import has_corners
from cortenforge.step.collision.convex.simplex import FAR, foot_weights, nearest_on_triangle

#: six directions around a point, four around a line, two from a plane
MOST_TRIES = 12
#: faces whose sine is below this have no normal
THIN = 1e-12


@kernel
def height_above(d, n: int, point):
    """How far a point is from the flat of the first vertices: a point, a line or a plane."""
    a = d.diff_point[0]
    height = norm(point - a)
    if n == 2:
        along = unit(d.diff_point[1] - a)
        height = norm(cross(point - a, along))
    elif n == 3:
        height = abs(dot(point - a, unit(cross(d.diff_point[1] - a, d.diff_point[2] - a))))
    return height


@kernel
def axis_by_number(k: int):
    """Both directions of the three axes."""
    sign = -1.0 if k & 1 else 1.0
    return vec3(sign if k < 2 else 0.0, sign if k == 2 or k == 3 else 0.0, sign if k > 3 else 0.0)


@kernel
def across(along):
    """Some direction at a right angle to another."""
    x = abs(along.x)
    y = abs(along.y)
    z = abs(along.z)
    other = vec3(0.0, 0.0, 1.0)
    if x <= y and x <= z:
        other = vec3(1.0, 0.0, 0.0)
    elif y <= z:
        other = vec3(0.0, 1.0, 0.0)
    return unit(cross(along, other))


@kernel
def direction_out(d, n: int, k: int):
    """The k-th direction in which to look for a point outside the flat of some vertices."""
    along = axis_by_number(k if k < 6 else k - 6)
    if n == 2:
        edge = d.diff_point[1] - d.diff_point[0]
        along = across(edge)
        if k & 1:
            along = unit(cross(edge, along))
        if k & 2:
            along = -along
    elif n == 3:
        along = flat_normal(d, n)
        if k & 1:
            along = -along
    return along


@kernel
def first_tetrahedron(m, d, g1: int, g2: int, turn, shift, n: int):
    """Make a tetrahedron of a smaller simplex with the origin; fewer vertices if all is flat."""
    count = n
    for k in range(MOST_TRIES):
        if count < 4:
            along = direction_out(d, count, k)
            point = farthest_difference(m, d, g1, g2, turn, shift, count, along)
            if height_above(d, count, point) > TOUCHING * span_of(m, g1, g2):
                count += 1
    return count


@kernel
def flat_normal(d, n: int):
    """A direction in which the hull of up to three vertices has no extent."""
    normal = vec3(1.0, 0.0, 0.0)
    if n == 2:
        normal = across(d.diff_point[1] - d.diff_point[0])
    elif n == 3:
        a = d.diff_point[0]
        normal = unit(cross(d.diff_point[1] - a, d.diff_point[2] - a))
    return normal


@kernel
def set_face(d, f: int, i: int, j: int, k: int):
    """A face of the polytope by its vertices, counter-clockwise from outside."""
    a = d.diff_point[i]
    ab = d.diff_point[j] - a
    ac = d.diff_point[k] - a
    normal = cross(ab, ac)
    square = dot(normal, normal)
    d.face_corner[f, 0] = i
    d.face_corner[f, 1] = j
    d.face_corner[f, 2] = k
    d.face_height[f] = FAR
    d.face_normal[f] = normal
    if square > THIN * THIN * dot(ab, ab) * dot(ac, ac):
        outward = normal * (1.0 / math.sqrt(square))
        d.face_normal[f] = outward
        d.face_height[f] = dot(outward, a)


@kernel
def copy_face(d, target: int, source: int):
    """Put one face in another's place."""
    for c in range(3):
        d.face_corner[target, c] = d.face_corner[source, c]
    d.face_normal[target] = d.face_normal[source]
    d.face_height[target] = d.face_height[source]


@kernel
def add_edge(d, n: int, i: int, j: int):
    """One more edge of a face that is taken away; if its twin is there, both go.  New count."""
    for e in range(n):
        if d.rim_edge[e, 0] == j and d.rim_edge[e, 1] == i:
            d.rim_edge[e, 0] = d.rim_edge[n - 1, 0]
            d.rim_edge[e, 1] = d.rim_edge[n - 1, 1]
            return n - 1
    d.rim_edge[n, 0] = i
    d.rim_edge[n, 1] = j
    return n + 1


@kernel
def grow(d, faces: int, v: int, slack):
    """Take vertex v into the polytope: faces that it sees make room for new ones.  New count."""
    point = d.diff_point[v]
    edges = 0
    f = 0
    while f < faces:
        if dot(d.face_normal[f], point) - d.face_height[f] > slack:
            i = d.face_corner[f, 0]
            j = d.face_corner[f, 1]
            k = d.face_corner[f, 2]
            if edges + 3 > d.npolytopemax:
                return 0
            edges = add_edge(d, edges, i, j)
            edges = add_edge(d, edges, j, k)
            edges = add_edge(d, edges, k, i)
            faces -= 1
            copy_face(d, f, faces)
        else:
            f += 1
    if faces + edges > d.npolytopemax:
        return 0
    for e in range(edges):
        set_face(d, faces + e, v, d.rim_edge[e, 0], d.rim_edge[e, 1])
    return faces + edges


@kernel
def lowest_face(d, faces: int):
    """The face nearest to the origin."""
    lowest = 0
    for f in range(1, faces):
        if d.face_height[f] < d.face_height[lowest]:
            lowest = f
    return lowest


@kernel
def is_repeated(d, v: int):
    """Whether a vertex comes from the same corners as an earlier one."""
    for i in range(v):
        same = d.diff_corner[i, 0] == d.diff_corner[v, 0]
        if same and d.diff_corner[i, 1] == d.diff_corner[v, 1]:
            return True
    return False


@kernel
def set_tetrahedron(d):
    """The first four faces."""
    a = d.diff_point[0]
    volume = dot(d.diff_point[3] - a, cross(d.diff_point[1] - a, d.diff_point[2] - a))
    i = 1 if volume > 0.0 else 2
    j = 3 - i
    set_face(d, 0, 0, j, i)
    set_face(d, 1, 0, i, 3)
    set_face(d, 2, i, j, 3)
    set_face(d, 3, 0, 3, j)


@kernel
def expand(m, d, g1: int, g2: int, turn, shift):
    """Grow the polytope of a tetrahedron; its lowest face in the end, or -1 - face if it was cut
    short.  Mirrors epa of MuJoCo's native collisions."""
    polyhedra = has_corners(m, g1) and has_corners(m, g2)
    span = span_of(m, g1, g2)
    slack = TOUCHING * span
    enough = slack if polyhedra else max(slack, m.opt_ccd_tolerance)
    set_tetrahedron(d)
    faces = 4
    v = 4
    lowest = 0
    for _k in range(m.opt_ccd_iterations):
        lowest = lowest_face(d, faces)
        normal = d.face_normal[lowest]
        height = d.face_height[lowest]
        if v >= d.npolytopemax:
            return -1 - lowest
        point = farthest_difference(m, d, g1, g2, turn, shift, v, normal)
        if dot(point, normal) - height <= enough or (polyhedra and is_repeated(d, v)):
            return lowest
        grown = grow(d, faces, v, 0.1 * slack)
        if grown == 0:
            return -1 - lowest
        faces = grown
        v += 1
    return -1 - lowest_face(d, faces)


@kernel
def penetrate(m, d, g1: int, g2: int, turn, shift, n: int):
    """Depth, normal and the deepest point of the first core, from a simplex with the origin.

    The vertices that the point comes from go to `witness`. Flat differences have no depth: they can
    be left across. `late` says that iterations ran out.
    """
    count = first_tetrahedron(m, d, g1, g2, turn, shift, n)
    late = False
    normal = flat_normal(d, min(count, 3))
    depth = 0.0
    i = 0
    j = min(1, count - 1)
    k = min(2, count - 1)
    if count == 4:
        f = expand(m, d, g1, g2, turn, shift)
        late = f < 0
        if late:
            f = -1 - f
        normal = d.face_normal[f]
        depth = d.face_height[f]
        i = d.face_corner[f, 0]
        j = d.face_corner[f, 1]
        k = d.face_corner[f, 2]
    # the face may be one of several in a plane, and the foot in another one
    x, y, z = foot_weights(d.diff_point[i], d.diff_point[j], d.diff_point[k])
    if count < 4 or x + y + z == 0.0:
        x, y, z = nearest_on_triangle(d.diff_point[i], d.diff_point[j], d.diff_point[k])
    d.witness[0] = i
    d.witness[1] = j
    d.witness[2] = k
    first = d.diff_first[i] * x + d.diff_first[j] * y + d.diff_first[k] * z
    return depth, normal, first, late
