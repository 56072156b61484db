"""Face contacts of two boxes: the incident face clipped by the sides of the reference face.

The reference face is that of the separating axis, the incident face that of the other box that is
most opposed to it. Clipping is by Sutherland and Hodgman, as in `convex/polygon_clipping.py`.
Corners are (x, y, z): along both sides of the reference face, and above it.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.contacts import append
from cortenforge.step.collision.shapes import after, cyclic, part

#: room for a polygon; there are two, one that is read and one that is written
MOST = 12
#: corners are the same if their squared distance is below this share of the face's size
SAME = 1e-14


@kernel
def touch_faces(m, d, p: int, g1: int, g2: int, axis: int, first, second, reach):
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
    side = 1.0 if part(centre, a) >= 0.0 else -1.0
    width, height = part(size, after(a)), part(size, after(after(a)))
    lay_face(m, d, is_first, a, side, centre, part(size, a), other)
    start, count = clip_side(d, 0, 4, 0, 1.0, width)
    start, count = clip_side(d, start, count, 0, -1.0, width)
    start, count = clip_side(d, start, count, 1, 1.0, height)
    start, count = clip_side(d, start, count, 1, -1.0, height)
    count = distinct_corners(d, start, count, reach, SAME * (width * width + height * height))
    turn = d.geom_xmat[owner]
    outward = side if is_first == 1 else -side
    normal = turn @ cyclic(a, outward, 0.0, 0.0)
    for k in range(count):
        corner = d.box_polygon[start + k]
        point = cyclic(a, side * (part(size, a) + 0.5 * corner.z), corner.x, corner.y)
        pos = turn @ point + d.geom_xpos[owner]
        append(d, p, corner.z, pos, normal, vec3(0.0, 0.0, 0.0))


@kernel
def turned(d, is_first: int, row: int, column: int):
    """Entry (row, column) of the other box' axes in those of the reference box."""
    return d.box_turn[row, column] if is_first == 1 else d.box_turn[column, row]


@kernel
def lay_face(m, d, is_first: int, a: int, side, centre, depth, other: int):
    """Write the incident face of the other box as a polygon above the reference face."""
    size = m.geom_size[other]
    b = 0
    for k in range(1, 3):
        if abs(turned(d, is_first, a, k)) > abs(turned(d, is_first, a, b)):
            b = k
    towards = -1.0 if side * turned(d, is_first, a, b) > 0.0 else 1.0
    x, u = after(a), after(b)
    y, v = after(x), after(u)
    far, su, sv = towards * part(size, b), part(size, u), part(size, v)
    middle = vec3(
        part(centre, x) + far * turned(d, is_first, x, b),
        part(centre, y) + far * turned(d, is_first, y, b),
        side * (part(centre, a) + far * turned(d, is_first, a, b)) - depth,
    )
    along = vec3(
        su * turned(d, is_first, x, u),
        su * turned(d, is_first, y, u),
        side * su * turned(d, is_first, a, u),
    )
    across = vec3(
        sv * turned(d, is_first, x, v),
        sv * turned(d, is_first, y, v),
        side * sv * turned(d, is_first, a, v),
    )
    d.box_polygon[0] = middle + along + across
    d.box_polygon[1] = middle - along + across
    d.box_polygon[2] = middle - along - across
    d.box_polygon[3] = middle + along - across


@kernel
def beyond(d, at: int, along_y: int, sign, limit):
    """How far a corner is beyond a side of the reference face."""
    corner = d.box_polygon[at]
    return sign * (corner.y if along_y == 1 else corner.x) - limit


@kernel
def clip_side(d, start: int, count: int, along_y: int, sign, limit):
    """Clip a polygon by a side; where the result begins, and how many corners it has."""
    outside = 0
    for k in range(count):
        if beyond(d, start + k, along_y, sign, limit) > 0.0:
            outside += 1
    if outside == 0:
        return start, count
    target = MOST - start
    kept = 0
    for k in range(count):
        after = start + (0 if k + 1 == count else k + 1)
        here = beyond(d, start + k, along_y, sign, limit)
        there = beyond(d, after, along_y, sign, limit)
        if here <= 0.0 and kept < MOST:
            d.box_polygon[target + kept] = d.box_polygon[start + k]
            kept += 1
        if ((here < 0.0 and there > 0.0) or (here > 0.0 and there < 0.0)) and kept < MOST:
            from_here = d.box_polygon[start + k]
            share = here / (here - there)
            d.box_polygon[target + kept] = from_here + (d.box_polygon[after] - from_here) * share
            kept += 1
    return target, kept


@kernel
def distinct_corners(d, start: int, count: int, reach, same):
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
