"""Contact manifold of a convex pair: two faces clipped, or an edge clipped on a face.

GJK or EPA gave one contact; clipping one polygon by the sides of the other gives the rest. Its
normal and its features say which faces may touch. Faces face each other if the cosine of their
normals is below -0.996 (5 degrees); an edge lies on a face if its sine with it is below 0.0888. At
most four contacts remain, the corners of largest area.

Source: MuJoCo: Computation, "Multiple contacts" (the single-shot pipeline).
"""

from __future__ import annotations

from cortenforge.fields.data_convex import MAX_CONVEX_CONTACTS, NPOLYGONMAX
from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.collision.convex.contact_features import (
    FACING_COSINE,
    LYING_SINE,
    edge_at_feature,
    edge_count,
    edge_direction,
    face_at_feature,
    face_corner_count,
    face_count,
    geom_face_normal,
    touching_feature,
    touching_point,
    write_face,
)
from cortenforge.step.collision.convex.polygon_clipping import (
    clip_edge,
    clip_polygon,
    largest_quadrilateral,
)
from cortenforge.step.constants import CAPSULE
from cortenforge.step.status import need


@kernel
def build_contact_manifold(m, d, g1: int, g2: int, turn, shift, reach):
    """Replace a pair's single contact by its manifold, if a face or an edge touches.

    Mirrors mjc_multicontact.
    """
    normal = d.found_normal
    out1 = normal
    out2 = into_frame(turn, -normal)
    count1, a1, b1, c1 = touching_feature(m, d, g1, 0)
    count2, a2, b2, c2 = touching_feature(m, d, g2, 1)
    best1 = -1
    best2 = -1
    least = -FACING_COSINE
    for k1 in range(face_count(m, g1, a1)):
        side1 = face_at_feature(m, g1, k1, count1, a1, b1, c1, out1)
        if side1 >= 0:
            one = geom_face_normal(m, g1, side1)
            for k2 in range(face_count(m, g2, a2)):
                side2 = face_at_feature(m, g2, k2, count2, a2, b2, c2, out2)
                if side2 >= 0:
                    facing = dot(one, turn @ geom_face_normal(m, g2, side2))
                    if facing < least:
                        least = facing
                        best1 = side1
                        best2 = side2
    if best1 >= 0:
        clip_face_against_face(m, d, g1, g2, turn, shift, reach, best1, best2)
        return
    laid = False
    if count1 < 3 and count1 <= count2:
        laid = clip_first_edge(m, d, g1, g2, turn, shift, reach, count1, count2)
    if not laid and count2 < 3:
        clip_second_edge(m, d, g1, g2, turn, shift, reach, count1, count2)


@kernel
def has_polygon_room(d, corners: int):
    """Whether polygons of so many corners fit in memory; if not, the step is repeated."""
    if 2 * corners > d.npolygonmax:
        need(d, NPOLYGONMAX, 2 * corners)
    return 2 * corners <= d.npolygonmax


@kernel
def clip_face_against_face(m, d, g1: int, g2: int, turn, shift, reach, side1: int, side2: int):
    """Contacts of two faces: the second's corners, clipped by the first and projected onto it.

    The depth of each corner is along the second face's normal, which is the contact normal.
    """
    corners1 = face_corner_count(m, g1, side1)
    corners2 = face_corner_count(m, g2, side2)
    if not has_polygon_room(d, corners1 + corners2):
        return
    straight = mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    write_face(m, d.side_one, g1, side1, straight, vec3(0.0, 0.0, 0.0))
    write_face(m, d.side_two, g2, side2, turn, shift)
    one = geom_face_normal(m, g1, side1)
    two = turn @ geom_face_normal(m, g2, side2)
    base, left = clip_polygon(d, d.side_one, corners1, d.side_two, corners2, one)
    cosine = dot(one, two)
    kept = 0
    for k in range(left):
        # polygons of hulls are not quite flat: how deep a corner is does not depend on the others
        above = dot(d.clipped[base + k] - d.side_one[0], one)
        if above <= reach:
            d.clipped[base + kept] = d.clipped[base + k] - one * above
            d.clipped_dist[base + kept] = -above * cosine
            kept += 1
    add_face_corners(d, base, kept, two)


@kernel
def add_face_corners(d, base: int, corners: int, two):
    """Make contacts of the clipped polygon's corners; of more than four, those of largest area.

    The corners lie on the first geom; `clipped_dist` has their distances from the second. The
    contact normal is -two, `two` being the outward normal of the second geom's face.
    """
    if corners > MAX_CONVEX_CONTACTS:
        n1, n2, n3, n4 = largest_quadrilateral(d, base, corners)
        set_face_corner(d, 0, base + n1, two)
        set_face_corner(d, 1, base + n2, two)
        set_face_corner(d, 2, base + n3, two)
        set_face_corner(d, 3, base + n4, two)
    else:
        for k in range(corners):
            set_face_corner(d, k, base + k, two)
    if corners > 0:
        d.found = min(corners, MAX_CONVEX_CONTACTS)
        d.found_normal = -two


@kernel
def set_face_corner(d, k: int, corner: int, two):
    """Write contact k, halfway between a corner and the second face."""
    d.found_dist[k] = d.clipped_dist[corner]
    d.found_pos[k] = d.clipped[corner] - two * (0.5 * d.clipped_dist[corner])


@kernel
def clip_first_edge(m, d, g1: int, g2: int, turn, shift, reach, count1: int, count2: int):
    """Contacts of an edge of the first geom on a face of the second; whether there is one."""
    normal = d.found_normal
    out2 = into_frame(turn, -normal)
    _n1, a1, b1, _c1 = touching_feature(m, d, g1, 0)
    _n2, a2, b2, c2 = touching_feature(m, d, g2, 1)
    near1 = touching_point(d, 0, turn, shift)
    for k2 in range(face_count(m, g2, a2)):
        side = face_at_feature(m, g2, k2, count2, a2, b2, c2, out2)
        if side >= 0:
            two = turn @ geom_face_normal(m, g2, side)
            for k1 in range(edge_count(m, g1, count1, a1)):
                start, end = edge_at_feature(m, g1, k1, count1, a1, b1, normal, near1, reach)
                # a side that is turned away is not what the edge touches
                if (
                    dot(two, normal) < 0.0
                    and abs(dot(edge_direction(start, end), two)) < LYING_SINE
                ):
                    if has_polygon_room(d, face_corner_count(m, g2, side) + 2):
                        write_face(m, d.side_two, g2, side, turn, shift)
                        corners = face_corner_count(m, g2, side)
                        ends = clip_edge(d, d.side_two, corners, start, end, two)
                        add_edge_ends(
                            d, ends, d.side_two, two, reach, edge_padding(m, g1, reach), -two
                        )
                    return True
    return False


@kernel
def clip_second_edge(m, d, g1: int, g2: int, turn, shift, reach, count1: int, count2: int):
    """Contacts of an edge of the second geom on a face of the first."""
    normal = d.found_normal
    out2 = into_frame(turn, -normal)
    _n1, a1, b1, c1 = touching_feature(m, d, g1, 0)
    _n2, a2, b2, _c2 = touching_feature(m, d, g2, 1)
    near2 = touching_point(d, 1, turn, shift)
    for k1 in range(face_count(m, g1, a1)):
        side = face_at_feature(m, g1, k1, count1, a1, b1, c1, normal)
        if side >= 0:
            one = geom_face_normal(m, g1, side)
            for k2 in range(edge_count(m, g2, count2, a2)):
                start, end = edge_at_feature(m, g2, k2, count2, a2, b2, out2, near2, reach)
                lies = abs(dot(turn @ edge_direction(start, end), one)) < LYING_SINE
                if dot(one, normal) > 0.0 and lies:
                    if has_polygon_room(d, face_corner_count(m, g1, side) + 2):
                        straight = mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
                        write_face(m, d.side_one, g1, side, straight, vec3(0.0, 0.0, 0.0))
                        corners = face_corner_count(m, g1, side)
                        ends = clip_edge(
                            d, d.side_one, corners, turn @ start + shift, turn @ end + shift, one
                        )
                        add_edge_ends(
                            d, ends, d.side_one, one, reach, edge_padding(m, g2, reach), one
                        )
                    return


@kernel
def edge_padding(m, g: int, reach):
    """How far `edge_at_feature` moved an edge beyond its geom's surface.  [m]"""
    return 0.5 * reach if m.geom_type[g] == CAPSULE else 0.0


@kernel
def add_edge_ends(d, ends: int, plane, outward, reach, pad, normal):
    """Contacts at the ends of an edge on a face, of those within reach.

    ends:  the bits of `clip_edge`.    plane: corners of the face.    outward: its normal. pad:
    how far the edge was moved towards the face.    normal: of the contacts. An end that was cut
    off counts twice if it is the only one, as in MuJoCo, which clips the edge in both directions.
    """
    kept = 0
    for k in range(2):
        point = d.clipped[k]
        above = dot(point - plane[0], outward)
        dist = above + pad
        if ends > 0 and dist <= reach:
            d.found_dist[kept] = dist
            d.found_pos[kept] = point - outward * (0.5 * (above - pad))
            kept += 1
            if kept == 1 and ends & (2 if k == 0 else 4) != 0:
                d.found_dist[1] = dist
                d.found_pos[1] = d.found_pos[0]
                d.found = 2
            elif kept == 1:
                d.found = 1
    if kept > 0:
        d.found = max(kept, d.found)
        d.found_normal = normal
