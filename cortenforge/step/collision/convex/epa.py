"""Penetration depth of the cores of two convex geoms: EPA, the expanding polytope algorithm.

    depth = min over |u| = 1 of h(u),   h(u) = s(u).u, s the support of the Minkowski difference

A polytope inside A - B, at first a tetrahedron, grows at its face nearest to the origin: with the
face's normal n and height t, the next vertex is w = s(n). The depth is between t and w.n, and EPA
ends where w.n - t is below the tolerance. Heights of faces are signed, so that the origin may be
inside the first tetrahedron, on its border or, by rounding, just outside.

Sources: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects",
Game Developers Conference, 2001, and "Collision Detection in Interactive 3D Environments", 2003,
section 4.3.8; MuJoCo: Computation, "Convex collisions".
"""

from __future__ import annotations

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.math.vector import cross, dot, norm, unit
from cortenforge.step.collision.convex.epa_polytope import (
    add_polytope_vertex,
    nearest_polytope_face,
    polytope_face_normal,
    set_initial_faces,
)
from cortenforge.step.collision.convex.gjk import TOUCHING_TOLERANCE, pair_size
from cortenforge.step.collision.convex.minkowski import minkowski_support
from cortenforge.step.collision.convex.penetration_search import (
    axis_direction,
    find_witness_triangle,
    least_overlap,
    perpendicular,
)
from cortenforge.step.collision.convex.simplex import (
    INFINITE_DISTANCE,
    projection_weights,
    triangle_weights,
)
from cortenforge.step.collision.convex.support_function import is_polyhedron

#: vertices of a polytope for each of `ccd_iterations`: deep round geoms take more iterations than
#: GJK does, and a depth that was cut short is neither the least one nor MuJoCo's
VERTICES_PER_ITERATION = 3
#: tolerances: of coplanar faces, and of a projection outside of a face
COPLANAR_TOLERANCE = Tolerance(1e-9, single=3e-6)
OUTSIDE_WEIGHT = 1e-6
#: directions to try: six around a point, four around a line, two from a plane
MAX_DIRECTION_TRIES = 12


@kernel
def distance_from_flat(d, n: int, point):
    """Distance of a point from the affine hull of n vertices: a point, a line or a plane."""
    a = d.diff_point[0]
    height = norm(point - a)
    if n == 2:
        along = unit(d.diff_point[1] - a)
        height = norm(cross(point - a, along))
    elif n == 3:
        height = abs(dot(point - a, unit(cross(d.diff_point[1] - a, d.diff_point[2] - a))))
    return height


@kernel
def direction_off_flat(d, n: int, k: int):
    """The k-th search direction for a point outside of the affine hull of n vertices."""
    along = axis_direction(k if k < 6 else k - 6)
    if n == 2:
        edge = d.diff_point[1] - d.diff_point[0]
        along = perpendicular(edge)
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
def initial_tetrahedron(m, d, g1: int, g2: int, turn, shift, n: int):
    """Extend a simplex that has the origin to a tetrahedron; how many vertices it has.

    Fewer than four if the Minkowski difference is flat.
    """
    count = n
    for k in range(MAX_DIRECTION_TRIES):
        if count < 4:
            along = direction_off_flat(d, count, k)
            point = minkowski_support(m, d, g1, g2, turn, shift, count, along)
            if distance_from_flat(d, count, point) > TOUCHING_TOLERANCE * pair_size(m, g1, g2):
                count += 1
    return count


@kernel
def flat_normal(d, n: int):
    """A unit direction along which up to three vertices have no extent."""
    normal = vec3(1.0, 0.0, 0.0)
    if n == 2:
        normal = perpendicular(d.diff_point[1] - d.diff_point[0])
    elif n == 3:
        a = d.diff_point[0]
        normal = unit(cross(d.diff_point[1] - a, d.diff_point[2] - a))
    return normal


@kernel
def is_repeated_vertex(d, v: int):
    """Whether a vertex comes from the same corners of both geoms as an earlier one."""
    for i in range(v):
        same = d.diff_corner[i, 0] == d.diff_corner[v, 0]
        if same and d.diff_corner[i, 1] == d.diff_corner[v, 1]:
            return True
    return False


@kernel
def expand_polytope(m, d, g1: int, g2: int, turn, shift):
    """Expand the polytope from its tetrahedron to the surface.  Mirrors epa.

    Returns (faces, lowest, late, best):
        faces   number of faces
        lowest  the face nearest to the origin
        late    whether iterations or memory ran out before the tolerance was reached
        best    normal along which the overlap w.n was least
    """
    polyhedra = is_polyhedron(m, g1) and is_polyhedron(m, g2)
    span = pair_size(m, g1, g2)
    slack = TOUCHING_TOLERANCE * span
    enough = slack if polyhedra else max(slack, m.opt_ccd_tolerance)
    set_initial_faces(d)
    faces = 4
    v = 4
    lowest = 0
    best = polytope_face_normal(d, 0)
    least = INFINITE_DISTANCE
    for _k in range(VERTICES_PER_ITERATION * m.opt_ccd_iterations):
        lowest = nearest_polytope_face(d, faces)
        normal = polytope_face_normal(d, lowest)
        height = d.face_height[lowest]
        if v >= d.npolytopemax:
            return faces, lowest, True, best
        point = minkowski_support(m, d, g1, g2, turn, shift, v, normal)
        overlap = dot(point, normal)
        if overlap - height <= enough or (polyhedra and is_repeated_vertex(d, v)):
            return faces, lowest, False, normal
        if overlap < least:
            least = overlap
            best = normal
        grown = add_polytope_vertex(d, faces, v, lowest, 0.1 * slack)
        if grown == 0:
            return faces, lowest, True, best
        faces = grown
        v += 1
    return faces, nearest_polytope_face(d, faces), True, best


@kernel
def epa(m, d, g1: int, g2: int, turn, shift, n: int):
    """Penetration depth of two cores, from a simplex with the origin.  Mirrors epa.

    Returns (depth, normal, first, late) in the frame of the first geom:
        depth   distance of the origin from the surface of the Minkowski difference  [m]
        normal  unit direction from the first geom to the second
        first   deepest point of the first core
        late    whether iterations ran out and the depth may not be the least
    `witness` holds the three vertices that `first` comes from. A flat difference has depth 0, along
    its normal. Where iterations run out, a local search (`penetration_search.py`) goes on.
    """
    count = initial_tetrahedron(m, d, g1, g2, turn, shift, n)
    late = False
    normal = flat_normal(d, min(count, 3))
    depth = 0.0
    for k in range(3):
        d.witness[k] = min(k, count - 1)
    if count == 4:
        faces, f, late, best = expand_polytope(m, d, g1, g2, turn, shift)
        normal = polytope_face_normal(d, f)
        depth = d.face_height[f]
        set_witness_face(d, f)
        if late:
            known = depth
            normal, depth = least_overlap(m, d, g1, g2, turn, shift, best)
            late = depth - known > m.opt_ccd_tolerance
            find_witness_triangle(m, d, g1, g2, turn, shift, normal)
            return depth, normal, deepest_first_point(d, count), late
        # the manifold starts from the lowest face, the point from the one with the projection
        below = face_with_projection(d, faces, f)
        set_witness_face(d, below)
        first = deepest_first_point(d, count)
        set_witness_face(d, f)
        return depth, normal, first, late
    return depth, normal, deepest_first_point(d, count), late


@kernel
def set_witness_face(d, f: int):
    """Make the vertices of a face the witnesses of the deepest point."""
    for k in range(3):
        d.witness[k] = d.face_corner[f, k]


@kernel
def least_projection_weight(d, f: int):
    """Least barycentric coordinate of the origin's projection onto a face; below zero outside."""
    x, y, z = projection_weights(
        d.diff_point[d.face_corner[f, 0]],
        d.diff_point[d.face_corner[f, 1]],
        d.diff_point[d.face_corner[f, 2]],
    )
    return min(x, min(y, z)) if x + y + z > 0.0 else -INFINITE_DISTANCE


@kernel
def face_with_projection(d, faces: int, lowest: int):
    """Of the faces coplanar with the lowest one, the one that contains the origin's projection."""
    best = lowest
    most = least_projection_weight(d, lowest)
    if most < -OUTSIDE_WEIGHT:
        normal = polytope_face_normal(d, lowest)
        level = (1.0 + COPLANAR_TOLERANCE) * d.face_height[lowest] + COPLANAR_TOLERANCE
        for f in range(faces):
            if (
                d.face_height[f] <= level
                and dot(polytope_face_normal(d, f), normal) > 1.0 - COPLANAR_TOLERANCE
            ):
                inside = least_projection_weight(d, f)
                if inside > most:
                    most = inside
                    best = f
    return best


@kernel
def deepest_first_point(d, count: int):
    """Point of the first core that belongs to the origin's projection on the witnesses."""
    a = d.diff_point[d.witness[0]]
    b = d.diff_point[d.witness[1]]
    c = d.diff_point[d.witness[2]]
    x, y, z = projection_weights(a, b, c)
    if count < 4 or x + y + z == 0.0:
        x, y, z = triangle_weights(a, b, c)
    first = d.diff_first[d.witness[0]] * x + d.diff_first[d.witness[1]] * y
    return first + d.diff_first[d.witness[2]] * z
