"""Face contacts of two boxes: the incident face clipped by the sides of the reference face.

The reference face is that of the separating axis, the incident face that of the other box that is
most opposed to it. Clipping is by Sutherland and Hodgman, as in `convex/polygon_clipping.py`.
Corners are (x, y, z): along both sides of the reference face, and above it.

    a side cuts at |x| = s_x or |y| = s_y;   dist = z,   contacts are halfway to the reference face

Source: Sutherland and Hodgman, "Reentrant polygon clipping", Communications of the ACM 17(1), 1974.
"""

from __future__ import annotations

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.step.collision.axes import component, cyclic_vector, next_axis
from cortenforge.step.collision.contact_list import append_contact

#: room for a polygon; there are two, one that is read and one that is written
MAX_POLYGON_CORNERS = 12
#: corners are the same if their squared distance is below this share of the face's size
SAME_CORNER_SQUARE = Tolerance(1e-14, single=1e-12)


@kernel
def add_face_contacts(m, d, p: int, g1: int, g2: int, axis: int, first, second, reach):
    """Contacts of the reference face, whose normal is the axis, with the incident face.

    first, second: each box' centre in the frame of the other. Contacts are halfway between the
    surfaces.
    """
    is_first = 1 if axis < 3 else 0
    a = axis if axis < 3 else axis - 3
    owner = g2 if is_first == 0 else g1
    other = g1 if is_first == 0 else g2
    size = m.geom_size[owner]
    centre = second if is_first == 1 else first
    side = 1.0 if component(centre, a) >= 0.0 else -1.0
    width, height = component(size, next_axis(a)), component(size, next_axis(next_axis(a)))
    write_incident_face(m, d, is_first, a, side, centre, component(size, a), other)
    start, count = clip_by_side(d, 0, 4, 0, 1.0, width)
    start, count = clip_by_side(d, start, count, 0, -1.0, width)
    start, count = clip_by_side(d, start, count, 1, 1.0, height)
    start, count = clip_by_side(d, start, count, 1, -1.0, height)
    count = merge_close_corners(
        d, start, count, reach, SAME_CORNER_SQUARE * (width * width + height * height)
    )
    turn = d.geom_xmat[owner]
    outward = side if is_first == 1 else -side
    normal = turn @ cyclic_vector(a, outward, 0.0, 0.0)
    for k in range(count):
        corner = d.box_polygon[start + k]
        point = cyclic_vector(a, side * (component(size, a) + 0.5 * corner.z), corner.x, corner.y)
        pos = turn @ point + d.geom_xpos[owner]
        append_contact(d, p, corner.z, pos, normal, vec3(0.0, 0.0, 0.0))


@kernel
def relative_axis_component(d, is_first: int, row: int, column: int):
    """Entry (row, column) of the other box' axes in those of the reference box."""
    return d.box_turn[row, column] if is_first == 1 else d.box_turn[column, row]


@kernel
def write_incident_face(m, d, is_first: int, a: int, side, centre, depth, other: int):
    """Write the incident face of the other box as a polygon above the reference face."""
    size = m.geom_size[other]
    b = 0
    for k in range(1, 3):
        if abs(relative_axis_component(d, is_first, a, k)) > abs(
            relative_axis_component(d, is_first, a, b)
        ):
            b = k
    towards = -1.0 if side * relative_axis_component(d, is_first, a, b) > 0.0 else 1.0
    x, u = next_axis(a), next_axis(b)
    y, v = next_axis(x), next_axis(u)
    far, su, sv = towards * component(size, b), component(size, u), component(size, v)
    middle = vec3(
        component(centre, x) + far * relative_axis_component(d, is_first, x, b),
        component(centre, y) + far * relative_axis_component(d, is_first, y, b),
        side * (component(centre, a) + far * relative_axis_component(d, is_first, a, b)) - depth,
    )
    along = vec3(
        su * relative_axis_component(d, is_first, x, u),
        su * relative_axis_component(d, is_first, y, u),
        side * su * relative_axis_component(d, is_first, a, u),
    )
    across = vec3(
        sv * relative_axis_component(d, is_first, x, v),
        sv * relative_axis_component(d, is_first, y, v),
        side * sv * relative_axis_component(d, is_first, a, v),
    )
    d.box_polygon[0] = middle + along + across
    d.box_polygon[1] = middle - along + across
    d.box_polygon[2] = middle - along - across
    d.box_polygon[3] = middle + along - across


@kernel
def distance_beyond_side(d, at: int, along_y: int, sign, limit):
    """How far a corner is beyond a side of the reference face."""
    corner = d.box_polygon[at]
    return sign * (corner.y if along_y == 1 else corner.x) - limit


@kernel
def clip_by_side(d, start: int, count: int, along_y: int, sign, limit):
    """Clip a polygon by a side; where the result begins, and how many corners it has."""
    outside = 0
    for k in range(count):
        if distance_beyond_side(d, start + k, along_y, sign, limit) > 0.0:
            outside += 1
    if outside == 0:
        return start, count
    target = MAX_POLYGON_CORNERS - start
    kept = 0
    for k in range(count):
        after = start + (0 if k + 1 == count else k + 1)
        here = distance_beyond_side(d, start + k, along_y, sign, limit)
        there = distance_beyond_side(d, after, along_y, sign, limit)
        if here <= 0.0 and kept < MAX_POLYGON_CORNERS:
            d.box_polygon[target + kept] = d.box_polygon[start + k]
            kept += 1
        if (
            (here < 0.0 and there > 0.0) or (here > 0.0 and there < 0.0)
        ) and kept < MAX_POLYGON_CORNERS:
            from_here = d.box_polygon[start + k]
            share = here / (here - there)
            d.box_polygon[target + kept] = from_here + (d.box_polygon[after] - from_here) * share
            kept += 1
    return target, kept


@kernel
def merge_close_corners(d, start: int, count: int, reach, same):
    """Keep the corners within reach, near duplicates once; how many there are."""
    kept = 0
    for k in range(count):
        corner = d.box_polygon[start + k]
        fresh = corner.z <= reach
        for q in range(kept):
            x = d.box_polygon[start + q, 0] - corner.x
            y = d.box_polygon[start + q, 1] - corner.y
            if x * x + y * y < same:
                fresh = False
        if fresh:
            d.box_polygon[start + kept] = corner
            kept += 1
    return kept
