"""Edge contact of two boxes: the nearest points of two edges along the axis across them.

    n = e1_i x e2_j / |e1_i x e2_j|,   dist = n.(q2 - q1),   pos = (q1 + q2) / 2

Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9 (nearest points of segments).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, dot, unit
from cortenforge.step.collision.axes import component, cyclic_vector, next_axis
from cortenforge.step.collision.contact_list import append_contact

#: a component of the axis below which two parallel edges support it
AMBIGUOUS_COMPONENT = 1e-9
NO_EDGE_DISTANCE = 1e10


@kernel
def row_of_entry(n: int):
    """Row of entry n of a 3x3 matrix: n / 3."""
    return 0 if n < 3 else (1 if n < 6 else 2)


@kernel
def edge_cross_axis(d, edges: int):
    """Unit vector across edge i of the first box and edge j of the second, in the first's axes."""
    i = row_of_entry(edges)
    j = edges - 3 * i
    return unit(
        cyclic_vector(i, 0.0, -d.box_turn[next_axis(next_axis(i)), j], d.box_turn[next_axis(i), j])
    )


@kernel
def add_edge_contact(m, d, p: int, g1: int, g2: int, edges: int, second, limit):
    """Contact halfway between the nearest points of two edges, along the axis across them.

    In the axes of the first box. If a component of the axis is nearly zero, two parallel edges of
    a box support it equally, and rounding must not choose: all are tried, and the nearest points
    count.
    """
    i = row_of_entry(edges)
    j = edges - 3 * i
    axis = edge_cross_axis(d, edges)
    if dot(axis, second) < 0.0:
        axis = axis * -1.0
    seen = into_second_box(d, axis)
    tries1 = ambiguous_component(
        component(axis, next_axis(i)), component(axis, next_axis(next_axis(i)))
    )
    tries2 = ambiguous_component(
        component(seen, next_axis(j)), component(seen, next_axis(next_axis(j)))
    )
    best = NO_EDGE_DISTANCE
    point1 = vec3(0.0, 0.0, 0.0)
    point2 = vec3(0.0, 0.0, 0.0)
    for k in range(4):
        flip1 = 1 if k > 1 else 0
        flip2 = k - 2 * flip1
        if (flip1 == 0 or tries1 != 0) and (flip2 == 0 or tries2 != 0):
            corner1 = support_edge(m.geom_size[g1], axis, i, flip1 * tries1, 1.0)
            size2 = m.geom_size[g2]
            own = support_edge(size2, seen, j, flip2 * tries2, -1.0)
            corner2 = vec3(
                dot(d.box_turn[0], own), dot(d.box_turn[1], own), dot(d.box_turn[2], own)
            )
            corner2 = corner2 + second
            one, other = nearest_edge_points(
                d, corner1, corner2, i, j, m.geom_size[g1, i], component(size2, j)
            )
            square = dot(other - one, other - one)
            if square < best:
                best, point1, point2 = square, one, other
    dist = dot(point2 - point1, axis)
    if dist <= limit:
        middle = (point1 + point2) * 0.5
        turn = d.geom_xmat[g1]
        append_contact(
            d, p, dist, turn @ middle + d.geom_xpos[g1], turn @ axis, vec3(0.0, 0.0, 0.0)
        )


@kernel
def into_second_box(d, axis):
    """A vector in the first box' axes in those of the second."""
    return d.box_turn[0] * axis.x + d.box_turn[1] * axis.y + d.box_turn[2] * axis.z


@kernel
def ambiguous_component(one, other):
    """Which of two components (1, 2) is so small that its sign is not known; 0 for neither."""
    if abs(one) < AMBIGUOUS_COMPONENT:
        return 1
    return 2 if abs(other) < AMBIGUOUS_COMPONENT else 0


@kernel
def support_edge(size, axis, k: int, flipped: int, side):
    """Middle of the edge along axis k that supports a direction, or its opposite.

    side: 1 along the direction, -1 against it.

    flipped: which of the other two components (1 or 2) has the other sign; 0 for neither.
    """
    a = next_axis(k)
    b = next_axis(a)
    one = component(size, a) * (side if component(axis, a) >= 0.0 else -side)
    other = component(size, b) * (side if component(axis, b) >= 0.0 else -side)
    if flipped == 1:
        one = -one
    if flipped == 2:
        other = -other
    return cyclic_vector(k, 0.0, one, other)


@kernel
def nearest_edge_points(d, corner1, corner2, i: int, j: int, length1, length2):
    """Nearest points of two edges: along axis i of the first box, axis j of the second."""
    along = vec3(d.box_turn[0, j], d.box_turn[1, j], d.box_turn[2, j])
    cosine = component(along, i)
    square = 1.0 - cosine * cosine
    between = corner2 - corner1
    u = component(between, i)
    v = dot(along, between)
    s = 0.0 if square < MINVAL else (u - cosine * v) / square
    s = clip(s, -length1, length1)
    t = clip(cosine * s - v, -length2, length2)
    s = clip(u + cosine * t, -length1, length1)
    return corner1 + cyclic_vector(i, s, 0.0, 0.0), corner2 + along * t
