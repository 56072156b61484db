"""How deep the cores of two convex geoms are inside each other: the expanding polytope algorithm.

A polytope inside the difference of both geoms grows where it is nearest to the origin, until that
face lies on the surface. Heights of faces have a sign, so that it does not matter whether the
origin is inside the first tetrahedron, on its border or, by rounding, just outside.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, norm, unit
from cortenforge.step.collision.convex.difference import farthest_difference
from cortenforge.step.collision.convex.distance import TOUCHING, span_of
from cortenforge.step.collision.convex.farthest import has_corners
from cortenforge.step.collision.convex.polytope import (
    face_normal,
    grow,
    lowest_face,
    set_tetrahedron,
)
from cortenforge.step.collision.convex.simplex import foot_weights, nearest_on_triangle

#: six directions around a point, four around a line, two from a plane
MOST_TRIES = 12


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
def is_repeated(d, v: int):
    """Whether a vertex comes from the same corners as an earlier one."""
    for i in range(v):
        same = d.diff_corner[i, 0] == d.diff_corner[v, 0]
        if same and d.diff_corner[i, 1] == d.diff_corner[v, 1]:
            return True
    return False


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
        normal = face_normal(d, lowest)
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
        normal = face_normal(d, f)
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
