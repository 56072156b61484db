"""Features of convex geoms where two of them touch: vertices, edges and faces.

A box has six faces, a hull its polygons, a cylinder two caps, for which a polygon of sixteen
corners stands. The touching feature follows from the vertices of the Minkowski difference that
GJK or EPA ended with (`witness`): one corner is a vertex, two an edge, three a face. Polygons are
wound clockwise, seen from outside. Source: MuJoCo: Computation, "Multiple contacts".
"""

from __future__ import annotations

import math

from cortenforge.kernel import count_bits, kernel, vec3
from cortenforge.math.vector import dot, into_frame, signed_axis, unit
from cortenforge.step.collision.axes import axis_flag
from cortenforge.step.collision.convex.support_function import box_corner
from cortenforge.step.constants import BOX, CYLINDER, MESH

#: least cosine between faces that face each other; largest sine between an edge and a face
FACING_COSINE = 0.996
LYING_SINE = 0.0888
#: corners of the polygon that stands for a cylinder's cap, and what turns one into the next
CAP_CORNERS = 16
CAP_COS = math.cos(2.0 * math.pi / CAP_CORNERS)
CAP_SIN = math.sin(2.0 * math.pi / CAP_CORNERS)


@kernel
def touching_feature(m, d, g: int, side: int):
    """Feature of a geom that touches: (count, a, b, c).

    count: 1 for a vertex, 2 for an edge, 3 for a face; a, b, c: its corners. Geoms without corners
    count as a vertex of number -1.
    """
    kind = m.geom_type[g]
    a = d.diff_corner[d.witness[0], side]
    b = d.diff_corner[d.witness[1], side]
    c = d.diff_corner[d.witness[2], side]
    count = 3
    if kind < BOX:
        # a cylinder that touches with both ends touches with its side, not with a cap
        count = 1
        a = a if a == b and a == c else -1
    elif a == b:
        count = 1 if a == c else 2
        b = c
    elif c == b or a == c:
        count = 2
    return count, a, b, c


@kernel
def touching_point(d, side: int, turn, shift):
    """A point of a geom at which it touches, in its own axes."""
    k = d.witness[0]
    first = d.diff_first[k]
    second = into_frame(turn, first - d.diff_point[k] - shift)
    return first if side == 0 else second


@kernel
def face_count(m, g: int, corner: int):
    """How many faces may meet at a corner: candidates for `face_at_feature`."""
    kind = m.geom_type[g]
    count = 0
    if kind == BOX:
        count = 6
    elif kind == CYLINDER:
        count = 2
    elif kind == MESH:
        count = m.mesh_polymapnum[hull_mesh_vertex(m, g, corner)]
    return count


@kernel
def hull_mesh_vertex(m, g: int, corner: int):
    """A hull's vertex as a vertex of all meshes."""
    return m.mesh_vertadr[m.geom_dataid[g]] + m.hull_vertid[corner]


@kernel
def face_at_feature(m, g: int, k: int, count: int, a: int, b: int, c: int, outward):
    """The k-th face at the touching feature, or -1 if it lacks one of the feature's corners."""
    kind = m.geom_type[g]
    side = -1
    if kind == BOX:
        side = k if box_face_touches(k, count, a, b, c, outward) else -1
    elif kind == CYLINDER:
        side = k if a == 1 - k else -1
    else:
        mesh = m.geom_dataid[g]
        side = (
            m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[hull_mesh_vertex(m, g, a)] + k]
        )
        if (count > 1 and not polygon_has_vertex(m, side, m.hull_vertid[b])) or (
            count > 2 and not polygon_has_vertex(m, side, m.hull_vertid[c])
        ):
            side = -1
    return side


@kernel
def polygon_has_vertex(m, polygon: int, vertex: int):
    """Whether a polygon of a hull has a vertex."""
    first = m.mesh_polyvertadr[polygon]
    for k in range(first, first + m.mesh_polyvertnum[polygon]):
        if m.mesh_polyvert[k] == vertex:
            return True
    return False


@kernel
def box_face_axis(side: int):
    """The axis perpendicular to a face of a box; faces are x, -x, y, -y, z, -z."""
    return 0 if side < 2 else (1 if side < 4 else 2)


@kernel
def box_face_touches(side: int, count: int, a: int, b: int, c: int, outward):
    """Whether a box's face has the touching corners.

    Corners on a diagonal, of a face or of the box, name no face: then the face whose normal is
    along `outward` does.
    """
    second = a if count == 1 else b
    third = second if count < 3 else c
    upper = a & second & third
    lower = 7 & ~(a | second | third)
    touches = axis_flag(box_face_axis(side)) & (lower if side & 1 else upper) != 0
    if count_bits(upper | lower) != 4 - count:
        touches = dot(outward, box_face_normal(side)) > FACING_COSINE
    return touches


@kernel
def box_face_normal(side: int):
    """Outward normal of a face of a box."""
    return signed_axis(box_face_axis(side), -1.0 if side & 1 else 1.0)


@kernel
def geom_face_normal(m, g: int, side: int):
    """Outward normal of a face, in the geom's axes."""
    kind = m.geom_type[g]
    normal = vec3(0.0, 0.0, 1.0 if side == 0 else -1.0)
    if kind == BOX:
        normal = box_face_normal(side)
    elif kind == MESH:
        normal = m.mesh_polynormal[side]
    return normal


@kernel
def face_corner_count(m, g: int, side: int):
    """How many corners a face has."""
    kind = m.geom_type[g]
    count = CAP_CORNERS
    if kind == BOX:
        count = 4
    elif kind == MESH:
        count = m.mesh_polyvertnum[side]
    return count


@kernel
def write_face(m, target, g: int, side: int, turn, shift):
    """Write a face's corners to `target`, in the frame of the first geom."""
    kind = m.geom_type[g]
    if kind == BOX:
        write_box_face(target, m.geom_size[g], side, turn, shift)
    elif kind == MESH:
        count = m.mesh_polyvertnum[side]
        last = m.mesh_polyvertadr[side] + count - 1
        for k in range(count):
            target[k] = turn @ m.hull_polypoint[last - k] + shift
    else:
        write_cap_polygon(target, m.geom_size[g], side, turn, shift)


@kernel
def first_box_face_corner(side: int):
    """The corner at which the outline of a box's face starts."""
    first = 2
    if side == 0:
        first = 7
    elif side == 3:
        first = 4
    elif side == 4:
        first = 6
    elif side == 5:
        first = 3
    return first


@kernel
def write_box_face(target, size, side: int, turn, shift):
    """The four corners of a box's face, in order around it.  Mirrors boxFace."""
    corner = first_box_face_corner(side)
    one = 4 if side < 2 else 1
    other = 4 if box_face_axis(side) == 1 else 2
    for k in range(4):
        target[k] = turn @ box_corner(size, corner) + shift
        corner = corner ^ (other if k == 1 else one)


@kernel
def write_cap_polygon(target, size, side: int, turn, shift):
    """Corners of the polygon that stands for a cylinder's cap, by repeated rotation."""
    level = size.y if side == 0 else -size.y
    sine = -CAP_SIN if side == 0 else CAP_SIN
    x = size.x
    y = 0.0
    for k in range(CAP_CORNERS):
        target[k] = turn @ vec3(x, y, level) + shift
        next_x = x * CAP_COS - y * sine
        y = x * sine + y * CAP_COS
        x = next_x


@kernel
def edge_count(m, g: int, count: int, corner: int):
    """How many edges the feature has: all at a vertex, one of an edge.  Mirrors mjc_GeomEdges."""
    kind = m.geom_type[g]
    edges = 1
    if kind == BOX and count == 1:
        edges = 3
    elif kind == MESH and count == 1:
        edges = m.mesh_polymapnum[hull_mesh_vertex(m, g, corner)]
    return edges


@kernel
def edge_at_feature(m, g: int, k: int, count: int, a: int, b: int, outward, near, reach):
    """Both ends of the k-th edge at the feature, in the geom's axes: (start, end).

    Of a capsule, its axis moved outward by the radius and half of the reach, as in MuJoCo, which
    enlarges both geoms by that; of a cylinder, the line of its side through `near`.
    """
    kind = m.geom_type[g]
    size = m.geom_size[g]
    start = vec3(0.0, 0.0, 0.0)
    end = start
    if kind == BOX:
        start = box_corner(size, a)
        end = box_corner(size, b if count == 2 else a ^ axis_flag(k))
    elif kind == MESH:
        start = m.hull_vert[a]
        end = m.hull_vert[b] if count == 2 else previous_polygon_corner(m, g, a, k)
    elif kind == CYLINDER:
        start = vec3(near.x, near.y, -size.y)
        end = vec3(near.x, near.y, size.y)
    else:
        radius = size.x + 0.5 * reach
        start = vec3(outward.x * radius, outward.y * radius, -size.y)
        end = vec3(outward.x * radius, outward.y * radius, size.y)
    return start, end


@kernel
def previous_polygon_corner(m, g: int, corner: int, k: int):
    """The vertex before a hull's vertex in the k-th polygon that has it."""
    side = m.mesh_polyadr[m.geom_dataid[g]]
    side += m.mesh_polymap[m.mesh_polymapadr[hull_mesh_vertex(m, g, corner)] + k]
    first = m.mesh_polyvertadr[side]
    count = m.mesh_polyvertnum[side]
    before = first + count - 1
    for at in range(first, first + count):
        if m.mesh_polyvert[at] == m.hull_vertid[corner]:
            return m.hull_polypoint[before]
        before = at
    return m.hull_vert[corner]


@kernel
def edge_direction(start, end):
    """Unit direction of an edge."""
    return unit(end - start)
