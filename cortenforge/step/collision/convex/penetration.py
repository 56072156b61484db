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
from cortenforge.step.collision.convex.polish import (
    across,
    axis_by_number,
    least_overlap,
    look_around,
)
from cortenforge.step.collision.convex.polytope import (
    face_normal,
    grow,
    lowest_face,
    set_tetrahedron,
)
from cortenforge.step.collision.convex.simplex import FAR, foot_weights, nearest_on_triangle

#: vertices of a polytope for each iteration that a model grants: deep and round geoms take more
#: than the distance of geoms does, and what was cut short is neither the least depth nor MuJoCo's
PATIENCE = 3
#: faces in one plane, and a foot beside a face: differences that count
LEVEL = 1e-9
OUTSIDE = 1e-6
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
    """Grow the polytope of a tetrahedron: how many faces it has in the end, and the lowest; whether
    that was not the end; a direction along which geoms overlapped least.

    Mirrors epa of MuJoCo's native collisions.
    """
    polyhedra = has_corners(m, g1) and has_corners(m, g2)
    span = span_of(m, g1, g2)
    slack = TOUCHING * span
    enough = slack if polyhedra else max(slack, m.opt_ccd_tolerance)
    set_tetrahedron(d)
    faces = 4
    v = 4
    lowest = 0
    best = face_normal(d, 0)
    least = FAR
    for _k in range(PATIENCE * m.opt_ccd_iterations):
        lowest = lowest_face(d, faces)
        normal = face_normal(d, lowest)
        height = d.face_height[lowest]
        if v >= d.npolytopemax:
            return faces, lowest, True, best
        point = farthest_difference(m, d, g1, g2, turn, shift, v, normal)
        overlap = dot(point, normal)
        if overlap - height <= enough or (polyhedra and is_repeated(d, v)):
            return faces, lowest, False, normal
        if overlap < least:
            least = overlap
            best = normal
        grown = grow(d, faces, v, lowest, 0.1 * slack)
        if grown == 0:
            return faces, lowest, True, best
        faces = grown
        v += 1
    return faces, lowest_face(d, faces), True, best


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
    for k in range(3):
        d.witness[k] = min(k, count - 1)
    if count == 4:
        faces, f, late, best = expand(m, d, g1, g2, turn, shift)
        normal = face_normal(d, f)
        depth = d.face_height[f]
        keep_face(d, f)
        if late:
            known = depth
            normal, depth = least_overlap(m, d, g1, g2, turn, shift, best)
            late = depth - known > m.opt_ccd_tolerance
            look_around(m, d, g1, g2, turn, shift, normal)
            return depth, normal, deepest_on_first(d, count), late
        # several contacts are found by the lowest face, the point by the one that has its foot
        below = face_below(d, faces, f)
        keep_face(d, below)
        first = deepest_on_first(d, count)
        keep_face(d, f)
        return depth, normal, first, late
    return depth, normal, deepest_on_first(d, count), late


@kernel
def keep_face(d, f: int):
    """Say that the deepest point comes from the vertices of a face."""
    for k in range(3):
        d.witness[k] = d.face_corner[f, k]


@kernel
def inside_by(d, f: int):
    """The least weight of a face's vertices in the foot of the origin; below zero outside."""
    x, y, z = foot_weights(
        d.diff_point[d.face_corner[f, 0]],
        d.diff_point[d.face_corner[f, 1]],
        d.diff_point[d.face_corner[f, 2]],
    )
    return min(x, min(y, z)) if x + y + z > 0.0 else -FAR


@kernel
def face_below(d, faces: int, lowest: int):
    """Of faces in one plane with the lowest, the one that the foot of the origin is in."""
    best = lowest
    most = inside_by(d, lowest)
    if most < -OUTSIDE:
        normal = face_normal(d, lowest)
        level = (1.0 + LEVEL) * d.face_height[lowest] + LEVEL
        for f in range(faces):
            if d.face_height[f] <= level and dot(face_normal(d, f), normal) > 1.0 - LEVEL:
                inside = inside_by(d, f)
                if inside > most:
                    most = inside
                    best = f
    return best


@kernel
def deepest_on_first(d, count: int):
    """The point of the first core that comes from the foot of the origin on the last face."""
    a = d.diff_point[d.witness[0]]
    b = d.diff_point[d.witness[1]]
    c = d.diff_point[d.witness[2]]
    x, y, z = foot_weights(a, b, c)
    if count < 4 or x + y + z == 0.0:
        x, y, z = nearest_on_triangle(a, b, c)
    first = d.diff_first[d.witness[0]] * x + d.diff_first[d.witness[1]] * y
    return first + d.diff_first[d.witness[2]] * z
