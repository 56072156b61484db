"""Contact manifold of a geom above a plane: its lowest face, or a line of its side.

For speculative contacts, at the time of impact.
"""

from __future__ import annotations

import math

from cortenforge.fields.data_convex import MOST_FOUND
from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.convex.clip import widest_four
from cortenforge.step.collision.convex.manifold import has_room
from cortenforge.step.collision.convex.sides import LYING, side_corners, side_normal, write_side
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, MESH


@kernel
def spread_on_plane(m, d, g: int, turn, shift, larger):
    """Replace the lowest point by a face's corners, or both ends of a line that lies flat.

     In the frame of the plane.  larger: how much MuJoCo enlarges the geom; a capsule's line is
    that of the larger one, moved back along the plane's normal.
    """
    kind = m.geom_type[g]
    if kind == CAPSULE and abs(turn.zz) < LYING:
        radius = m.geom_size[g, 0] + larger
        x = -turn.zx * radius
        y = -turn.zy * radius
        back = shift + vec3(0.0, 0.0, larger)
        put(d, 0, turn @ vec3(x, y, -m.geom_size[g, 1]) + back)
        put(d, 1, turn @ vec3(x, y, m.geom_size[g, 1]) + back)
        d.found = 2
    elif kind == CYLINDER and abs(turn.zz) < LYING:
        lay_cylinder(d, m.geom_size[g], turn, shift)
    elif CYLINDER <= kind <= BOX or (kind == MESH and has_sides(m, g)):
        side = lowest_side(m, g, turn)
        corners = side_corners(m, g, side)
        if has_room(d, corners):
            write_side(m, d.clipped, g, side, turn, shift)
            put_corners(d, corners)


@kernel
def lay_cylinder(d, size, turn, shift):
    """Both ends of the lowest line of a cylinder's side, the lower one first."""
    out = size.x / math.sqrt(turn.zx * turn.zx + turn.zy * turn.zy)
    lower = -size.y if turn.zz > 0.0 else size.y
    put(d, 0, turn @ vec3(-turn.zx * out, -turn.zy * out, lower) + shift)
    put(d, 1, turn @ vec3(-turn.zx * out, -turn.zy * out, -lower) + shift)
    d.found = 2


@kernel
def has_sides(m, g: int):
    """Whether a mesh's hull has polygons."""
    return m.mesh_polynum[m.geom_dataid[g]] > 0


@kernel
def lowest_side(m, g: int, turn):
    """The face whose normal points down most."""
    kind = m.geom_type[g]
    first = 0
    count = 6 if kind == BOX else 2
    if kind == MESH:
        first = m.mesh_polyadr[m.geom_dataid[g]]
        count = m.mesh_polynum[m.geom_dataid[g]]
    best = first
    least = 2.0
    for side in range(first, first + count):
        up = (turn @ side_normal(m, g, side)).z
        if up < least:
            least = up
            best = side
    return best


@kernel
def put_corners(d, corners: int):
    """Contacts of corners with the plane; of more than four, those of largest area."""
    if corners > MOST_FOUND:
        n1, n2, n3, n4 = widest_four(d, 0, corners)
        put(d, 0, d.clipped[n1])
        put(d, 1, d.clipped[n2])
        put(d, 2, d.clipped[n3])
        put(d, 3, d.clipped[n4])
    else:
        for k in range(corners):
            put(d, k, d.clipped[k])
    d.found = min(corners, MOST_FOUND)


@kernel
def put(d, k: int, point):
    """Contact k: halfway between a point and the plane below it."""
    d.found_dist[k] = point.z
    d.found_pos[k] = vec3(point.x, point.y, 0.5 * point.z)
