"""Boxes against boxes: separating axis test (SAT), then a clipped face or a pair of edges.

    separation(a) = |t.a| - sum of s1_i |e1_i.a| - sum of s2_i |e2_i.a|

for 15 axes a: 0 to 2 face normals of the first box, 3 to 5 of the second, 6 + 3 i + j the cross
product of edge i of the first and j of the second. The axis of largest separation decides; an edge
must be better than the best face. t: between the centres, s: half sizes, e: axes of the boxes.

Sources: Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996; Ericson, "Real-Time Collision
Detection", 2005, section 4.4.1; MuJoCo: Computation, "Pair-wise colliders".
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.collision.box_edges import edge_axis, touch_edges
from cortenforge.step.collision.box_faces import touch_faces
from cortenforge.step.collision.broad import reach_of
from cortenforge.step.collision.shapes import after, part

#: rounding of a separation, relative to the sizes
ROUNDING = 1e-13
#: edges are parallel if the squared sine between them is below this
PARALLEL = 1e-16
#: relative advantage that an edge needs over a face
BIAS = 1e-6
#: cosine and relative advantage below which an edge axis gives way to the best face
SAME_AXIS = 0.99
ALMOST = 0.05
#: boxes are farther apart than the limit
APART = -1
LEAST = -1e10


@kernel(unit=True)
def box_box(m, d, p: int, g1: int, g2: int):
    """Contacts of two boxes: a clipped face, or the nearest points of two edges.

    Mirrors mjc_BoxBox.
    """
    if d.asked == 1:
        touch_boxes(m, d, p, g1, g2)


@kernel
def touch_boxes(m, d, p: int, g1: int, g2: int):
    """The same for boxes whose bounding spheres overlap."""
    size1, size2 = m.geom_size[g1], m.geom_size[g2]
    turn1, turn2 = d.geom_xmat[g1], d.geom_xmat[g2]
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    second = into_frame(turn1, between)
    first = into_frame(turn2, between * -1.0)
    for k in range(3):
        row = into_frame(
            turn2, vec3(d.geom_xmat[g1, k], d.geom_xmat[g1, 3 + k], d.geom_xmat[g1, 6 + k])
        )
        d.box_turn[k] = row
    total = size1.x + size1.y + size1.z + size2.x + size2.y + size2.z
    reach = reach_of(m, p, g1, g2)
    limit = reach + ROUNDING * total
    face, face_gap = widest_face(d, first, second, size1, size2, limit)
    if face != APART:
        axis, gap = widest_edge(d, second, size1, size2, limit, face, face_gap)
        if axis >= 6 and is_face(d, axis, gap, face, face_gap):
            axis = face
        if axis >= 6:
            touch_edges(m, d, p, g1, g2, axis - 6, second, limit)
        elif axis != APART:
            touch_faces(m, d, p, g1, g2, axis, first, second, reach)


@kernel
def widest_face(d, first, second, size1, size2, limit):
    """The face normal of largest separation: (axis, separation); SEPARATED if beyond limit."""
    best, axis = LEAST, 0
    for k in range(6):
        if k < 3:
            row = d.box_turn[k]
            wide = abs(row.x) * size2.x + abs(row.y) * size2.y + abs(row.z) * size2.z
            gap = abs(part(second, k)) - part(size1, k) - wide
        else:
            j = k - 3
            x, y, z = abs(d.box_turn[0, j]), abs(d.box_turn[1, j]), abs(d.box_turn[2, j])
            gap = abs(part(first, j)) - part(size2, j) - (x * size1.x + y * size1.y + z * size1.z)
        if gap > limit:
            return APART, gap
        if gap > best:
            best, axis = gap, k
    return axis, best


@kernel
def widest_edge(d, second, size1, size2, limit, face: int, face_gap):
    """The edge axis of larger separation than the best face: (axis, separation).

    The face if there is none; SEPARATED if an axis is beyond the limit.
    """
    best, axis = face_gap, face
    for i in range(3):
        for j in range(3):
            i1, j1 = after(i), after(j)
            i2, j2 = after(i1), after(j1)
            x, y = -d.box_turn[i2, j], d.box_turn[i1, j]
            square = x * x + y * y
            if square >= PARALLEL:
                scale = 1.0 / math.sqrt(square)
                x, y = x * scale, y * scale
                wide1 = part(size1, i1) * abs(x) + part(size1, i2) * abs(y)
                one = x * d.box_turn[i1, j1] + y * d.box_turn[i2, j1]
                other = x * d.box_turn[i1, j2] + y * d.box_turn[i2, j2]
                wide2 = part(size2, j1) * abs(one) + part(size2, j2) * abs(other)
                gap = abs(x * part(second, i1) + y * part(second, i2)) - wide1 - wide2
                if gap > limit:
                    return APART, gap
                if gap - BIAS * abs(gap) > best and gap > face_gap:
                    best, axis = gap, 6 + 3 * i + j
    return axis, best


@kernel
def is_face(d, axis: int, gap, face: int, face_gap):
    """Whether an edge axis is nearly the best face's normal and hardly better than it.

    Then the face is taken: its contacts have several points, which hold boxes more steadily.
    """
    across = edge_axis(d, axis - 6)
    if face < 3:
        cosine = abs(part(across, face))
    else:
        j = face - 3
        cosine = abs(dot(across, vec3(d.box_turn[0, j], d.box_turn[1, j], d.box_turn[2, j])))
    return cosine > SAME_AXIS and gap < face_gap + ALMOST * abs(face_gap) + 1e-15
