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

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.collision.axes import component, next_axis
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.box_edges import add_edge_contact, edge_cross_axis
from cortenforge.step.collision.box_faces import add_face_contacts

#: rounding of a separation, relative to the sizes
SEPARATION_ROUNDING = Tolerance(1e-13, single=1e-6)
#: edges are parallel if the squared sine between them is below this
PARALLEL_EDGES = Tolerance(1e-16, single=1e-12)
#: relative advantage that an edge needs over a face
EDGE_BIAS = 1e-6
#: cosine and relative advantage below which an edge axis gives way to the best face
SAME_AXIS = 0.99
FACE_PREFERENCE = 0.05
#: boxes are farther apart than the limit
SEPARATED = -1
LEAST_SEPARATION = -1e10


@kernel(unit=True)
def box_box(m, d, p: int, g1: int, g2: int):
    """Contacts of two boxes: a clipped face, or the nearest points of two edges.

    Mirrors mjc_BoxBox.
    """
    if d.asked == 1:
        add_box_contacts(m, d, p, g1, g2)


@kernel
def add_box_contacts(m, d, p: int, g1: int, g2: int):
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
    reach = detection_distance(m, p, g1, g2)
    limit = reach + SEPARATION_ROUNDING * total
    face, face_gap = max_separation_face(d, first, second, size1, size2, limit)
    if face != SEPARATED:
        axis, gap = max_separation_edge(d, second, size1, size2, limit, face, face_gap)
        if axis >= 6 and prefers_face(d, axis, gap, face, face_gap):
            axis = face
        if axis >= 6:
            add_edge_contact(m, d, p, g1, g2, axis - 6, second, limit)
        elif axis != SEPARATED:
            add_face_contacts(m, d, p, g1, g2, axis, first, second, reach)


@kernel
def max_separation_face(d, first, second, size1, size2, limit):
    """The face normal of largest separation: (axis, separation); SEPARATED if beyond limit."""
    best, axis = LEAST_SEPARATION, 0
    for k in range(6):
        if k < 3:
            row = d.box_turn[k]
            wide = abs(row.x) * size2.x + abs(row.y) * size2.y + abs(row.z) * size2.z
            gap = abs(component(second, k)) - component(size1, k) - wide
        else:
            j = k - 3
            x, y, z = abs(d.box_turn[0, j]), abs(d.box_turn[1, j]), abs(d.box_turn[2, j])
            gap = (
                abs(component(first, j))
                - component(size2, j)
                - (x * size1.x + y * size1.y + z * size1.z)
            )
        if gap > limit:
            return SEPARATED, gap
        if gap > best:
            best, axis = gap, k
    return axis, best


@kernel
def max_separation_edge(d, second, size1, size2, limit, face: int, face_gap):
    """The edge axis of larger separation than the best face: (axis, separation).

    The face if there is none; SEPARATED if an axis is beyond the limit.
    """
    best, axis = face_gap, face
    for i in range(3):
        for j in range(3):
            i1, j1 = next_axis(i), next_axis(j)
            i2, j2 = next_axis(i1), next_axis(j1)
            x, y = -d.box_turn[i2, j], d.box_turn[i1, j]
            square = x * x + y * y
            if square >= PARALLEL_EDGES:
                scale = 1.0 / math.sqrt(square)
                x, y = x * scale, y * scale
                wide1 = component(size1, i1) * abs(x) + component(size1, i2) * abs(y)
                one = x * d.box_turn[i1, j1] + y * d.box_turn[i2, j1]
                other = x * d.box_turn[i1, j2] + y * d.box_turn[i2, j2]
                wide2 = component(size2, j1) * abs(one) + component(size2, j2) * abs(other)
                gap = abs(x * component(second, i1) + y * component(second, i2)) - wide1 - wide2
                if gap > limit:
                    return SEPARATED, gap
                if gap - EDGE_BIAS * abs(gap) > best and gap > face_gap:
                    best, axis = gap, 6 + 3 * i + j
    return axis, best


@kernel
def prefers_face(d, axis: int, gap, face: int, face_gap):
    """Whether an edge axis is nearly the best face's normal and hardly better than it.

    Then the face is taken: its contacts have several points, which hold boxes more steadily.
    """
    across = edge_cross_axis(d, axis - 6)
    if face < 3:
        cosine = abs(component(across, face))
    else:
        j = face - 3
        cosine = abs(dot(across, vec3(d.box_turn[0, j], d.box_turn[1, j], d.box_turn[2, j])))
    return cosine > SAME_AXIS and gap < face_gap + FACE_PREFERENCE * abs(face_gap) + 1e-15
