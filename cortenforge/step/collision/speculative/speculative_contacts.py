"""Speculative contacts: contacts that will occur within the step, as contacts at its start.

Source: MuJoCo: Computation, "Speculative contacts".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot, into_frame, norm
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import contact_margin, detection_distance
from cortenforge.step.collision.contact_list import append_contact
from cortenforge.step.collision.convex.contact_manifold import build_contact_manifold
from cortenforge.step.collision.convex.convex_pairs import can_touch_in_several_points
from cortenforge.step.collision.convex.minkowski import rotation_in_frame
from cortenforge.step.collision.convex.nearest_points import has_polytope_room
from cortenforge.step.collision.speculative.conservative_advancement import (
    NO_IMPACT,
    time_of_impact,
)
from cortenforge.step.collision.speculative.geom_motion import position_at_time, rotation_at_time
from cortenforge.step.collision.speculative.plane_manifold import build_plane_manifold
from cortenforge.step.constants import HFIELD, MESH, PLANE
from cortenforge.step.rays.cast import hit_geom
from cortenforge.step.status import is_ok


@kernel(unit=True)
def add_speculative_contacts(m, d, p: int, g1: int, g2: int):
    """Speculative contacts of a pair with a fast geom and no contact within the margin.

    Mirrors mjc_advanceGeomPair.
    """
    fast = d.geom_fast[g1] == 1 or d.geom_fast[g2] == 1
    known = m.geom_type[g1] != HFIELD and m.geom_type[g2] <= MESH
    asked = d.asked == 1 and fast and known and not has_contact_within_margin(m, d, p, g1, g2)
    if asked and swept_spheres_meet(m, d, p, g1, g2) and has_polytope_room(m, d):
        time, closing = time_of_impact(m, d, p, g1, g2)
        if time < NO_IMPACT:
            write_speculative_contacts(m, d, p, g1, g2, time, closing)


@kernel
def swept_spheres_meet(m, d, p: int, g1: int, g2: int):
    """Whether swept bounding spheres, or a sphere and a plane, come within reach.

    Least distance of p + t v for 0 <= t <= 1: t = -p.v / |v|^2, clamped.
    """
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    motion = d.geom_slide[g2] - d.geom_slide[g1]
    reach = m.geom_rbound[g1] + m.geom_rbound[g2] + detection_distance(m, p, g1, g2)
    if m.geom_type[g1] == PLANE:
        height = dot(between, geom_z_axis(d, g1))
        return min(height, height + dot(motion, geom_z_axis(d, g1))) <= reach
    square = dot(motion, motion)
    time = clip(-dot(between, motion) / square, 0.0, 1.0) if square > 0.0 else 0.0
    return norm(between + motion * time) <= reach


@kernel
def has_contact_within_margin(m, d, p: int, g1: int, g2: int):
    """Whether one of the last contacts, those of this pair, is within the margin."""
    found = False
    c = min(d.ncon, d.nconmax) - 1
    while c >= 0 and d.contact_candidate[max(c, 0)] == p:
        if d.contact_dist[c] < contact_margin(m, p, g1, g2):
            found = True
        c -= 1
    return found


@kernel
def write_speculative_contacts(m, d, p: int, g1: int, g2: int, time, closing):
    """Append the contacts at the time of impact, moved back to the start of the step.

    Positions are x = w1 x1 + w2 x2 with the witness points at the start and the geoms' shares of
    the travel. For several contacts of separate geoms, MuJoCo enlarges both by half of the reach,
    2 dist + (1 - t) closing + ccd_tolerance: points of faces move out along the normal of the
    manifold and back along that of the pair. Where the normals differ, points are offset, here as
    there.
    """
    one = rotation_at_time(d, g1, time)
    turn = rotation_in_frame(one, rotation_at_time(d, g2, time))
    shift = into_frame(one, position_at_time(d, g2, time) - position_at_time(d, g1, time))
    local = d.found_normal
    reach = 2.0 * d.found_dist[0] + (1.0 - time) * closing + m.opt_ccd_tolerance
    if m.geom_type[g1] == PLANE:
        build_plane_manifold(m, d, g2, turn, shift, 0.5 * reach)
    elif can_touch_in_several_points(m, g1) and can_touch_in_several_points(m, g2):
        build_contact_manifold(m, d, g1, g2, turn, shift, reach)
    aside = (d.found_normal - local) * (0.5 * reach)
    for k in range(d.found):
        half = d.found_normal * (0.5 * d.found_dist[k]) - aside
        first = d.geom_xpos[g1] + d.geom_xmat[g1] @ (d.found_pos[k] - half)
        inside = into_frame(turn, d.found_pos[k] + half - shift)
        second = d.geom_xpos[g2] + d.geom_xmat[g2] @ inside
        if is_ok(d) and path_is_clear(m, d, g1, g2, first, second):
            share = d.geom_travel[g1] / (d.geom_travel[g1] + d.geom_travel[g2])
            pos = first * share + second * (1.0 - share)
            append_contact(d, p, 0.0, pos, one @ local, vec3(0.0, 0.0, 0.0))
            if d.ncon <= d.nconmax:
                d.contact_time[d.ncon - 1] = time
                d.contact_closing[d.ncon - 1] = closing


@kernel
def path_is_clear(m, d, g1: int, g2: int, first, second):
    """Whether no geom that both could collide with is between.  Mirrors isRayOccluded."""
    away = second - first
    far = norm(away)
    if far <= 0.0:
        return True
    along = away * (1.0 / far)
    for g in range(m.ngeom):
        if g != g1 and g != g2 and masks_allow_contact(m, g, g1) and masks_allow_contact(m, g, g2):
            between, _part = hit_geom(m, d, g, first, along, far)
            if between >= 0.0 and between < far:
                return False
    return True


@kernel
def masks_allow_contact(m, g: int, other: int):
    """Whether masks let two geoms collide, and they are not of the same moving body."""
    one_way = m.geom_contype[g] & m.geom_conaffinity[other]
    other_way = m.geom_contype[other] & m.geom_conaffinity[g]
    body = m.geom_bodyid[g]
    carried = body == m.geom_bodyid[other] and m.body_weldid[body] != 0
    return not carried and (one_way | other_way) != 0
