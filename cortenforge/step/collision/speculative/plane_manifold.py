"""Contact manifold of a geom above a plane: its lowest face, or a line of its side.

For speculative contacts, at the time of impact.

Source: MuJoCo: Computation, "Speculative contacts" and "Multiple contacts".
"""

from __future__ import annotations

import math

from cortenforge.fields.data_convex import MAX_CONVEX_CONTACTS
from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.convex.contact_features import (
    LYING_SINE,
    face_corner_count,
    geom_face_normal,
    write_face,
)
from cortenforge.step.collision.convex.contact_manifold import has_polygon_room
from cortenforge.step.collision.convex.polygon_clipping import largest_quadrilateral
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, MESH


@kernel
def build_plane_manifold(m, d, g: int, turn, shift, larger):
    """Replace the lowest point by a face's corners, or both ends of a line that lies flat.

    In the frame of the plane.  larger: how much MuJoCo enlarges the geom; a capsule's line is
    that of the larger one, moved back along the plane's normal.
    """
    kind = m.geom_type[g]
    if kind == CAPSULE and abs(turn.zz) < LYING_SINE:
        radius = m.geom_size[g, 0] + larger
        x = -turn.zx * radius
        y = -turn.zy * radius
        back = shift + vec3(0.0, 0.0, larger)
        set_plane_corner(d, 0, turn @ vec3(x, y, -m.geom_size[g, 1]) + back)
        set_plane_corner(d, 1, turn @ vec3(x, y, m.geom_size[g, 1]) + back)
        d.found = 2
    elif kind == CYLINDER and abs(turn.zz) < LYING_SINE:
        add_cylinder_line(d, m.geom_size[g], turn, shift)
    elif CYLINDER <= kind <= BOX or (kind == MESH and has_hull_polygons(m, g)):
        side = lowest_face(m, g, turn)
        corners = face_corner_count(m, g, side)
        if has_polygon_room(d, corners):
            write_face(m, d.clipped, g, side, turn, shift)
            add_plane_corners(d, corners)


@kernel
def add_cylinder_line(d, size, turn, shift):
    """Both ends of the lowest line of a cylinder's side, the lower one first."""
    out = size.x / math.sqrt(turn.zx * turn.zx + turn.zy * turn.zy)
    lower = -size.y if turn.zz > 0.0 else size.y
    set_plane_corner(d, 0, turn @ vec3(-turn.zx * out, -turn.zy * out, lower) + shift)
    set_plane_corner(d, 1, turn @ vec3(-turn.zx * out, -turn.zy * out, -lower) + shift)
    d.found = 2


@kernel
def has_hull_polygons(m, g: int):
    """Whether a mesh's hull has polygons."""
    return m.mesh_polynum[m.geom_dataid[g]] > 0


@kernel
def lowest_face(m, g: int, turn):
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
        up = (turn @ geom_face_normal(m, g, side)).z
        if up < least:
            least = up
            best = side
    return best


@kernel
def add_plane_corners(d, corners: int):
    """Contacts of corners with the plane; of more than four, those of largest area."""
    if corners > MAX_CONVEX_CONTACTS:
        n1, n2, n3, n4 = largest_quadrilateral(d, 0, corners)
        set_plane_corner(d, 0, d.clipped[n1])
        set_plane_corner(d, 1, d.clipped[n2])
        set_plane_corner(d, 2, d.clipped[n3])
        set_plane_corner(d, 3, d.clipped[n4])
    else:
        for k in range(corners):
            set_plane_corner(d, k, d.clipped[k])
    d.found = min(corners, MAX_CONVEX_CONTACTS)


@kernel
def set_plane_corner(d, k: int, point):
    """Contact k: halfway between a point and the plane below it."""
    d.found_dist[k] = point.z
    d.found_pos[k] = vec3(point.x, point.y, 0.5 * point.z)
