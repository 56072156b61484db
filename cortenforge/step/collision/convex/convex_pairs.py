"""Collision of convex pairs: all pairs of types without an analytic routine.

Bounding boxes, the separating direction of the step before, GJK and EPA, then the manifold. These
kernels branch on data, so worlds in lockstep run one after another; results depend on the poses of
the geoms only. Source: MuJoCo: Computation, "Convex collisions".
"""

from __future__ import annotations

from cortenforge.fields.data_convex import NAPART
from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, unit
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import append_contact
from cortenforge.step.collision.convex.contact_manifold import build_contact_manifold
from cortenforge.step.collision.convex.gjk import pair_size
from cortenforge.step.collision.convex.minkowski import (
    minkowski_support,
    relative_position,
    relative_rotation,
)
from cortenforge.step.collision.convex.nearest_points import find_nearest_points, has_polytope_room
from cortenforge.step.collision.convex.obb import boxes_separated, shapes_separated
from cortenforge.step.collision.convex.support_function import rounding_radius
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, MESH, NO_MULTICCD
from cortenforge.step.status import warn
from cortenforge.step.statuses import WARN_CONVEX

#: geoms are clearly apart if the gap is this share of their size
CLEAR_SEPARATION = 1e-3
#: with so many iterations, GJK finds geoms that are clearly apart to be so
ENOUGH_ITERATIONS = 20


@kernel(unit=True)
def convex_convex(m, d, p: int, g1: int, g2: int):
    """Contacts of two convex geoms.  Mirrors mjc_Convex."""
    d.found = 0
    if d.asked == 1 and has_polytope_room(m, d):
        reach = detection_distance(m, p, g1, g2)
        turn = relative_rotation(d, g1, g2)
        shift = relative_position(d, g1, g2)
        apart = boxes_separated(m, g1, g2, turn, shift, reach)
        if not apart and not still_separated(m, d, p, g1, g2, turn, shift, reach):
            late = False
            if not shapes_separated(m, d, g1, g2, turn, shift, reach):
                late = find_nearest_points(m, d, g1, g2, turn, shift, reach)
            if d.found == 0:
                d.apart_axis[p & (NAPART - 1)] = unit(d.apart)
            warn(d, WARN_CONVEX, late, p, 1.0 * m.opt_ccd_iterations)
            if (
                d.found > 0
                and can_touch_in_several_points(m, g1)
                and can_touch_in_several_points(m, g2)
            ):
                expand_to_manifold(m, d, p, g1, g2)
            add_found_contacts(d, p, g1)


@kernel
def add_found_contacts(d, p: int, g1: int):
    """Append the contacts found, given in the axes of the first geom."""
    axes = d.geom_xmat[g1]
    for k in range(d.found):
        pos = d.geom_xpos[g1] + axes @ d.found_pos[k]
        append_contact(d, p, d.found_dist[k], pos, axes @ d.found_normal, vec3(0.0, 0.0, 0.0))


@kernel
def still_separated(m, d, p: int, g1: int, g2: int, turn, shift, reach):
    """Whether a pair is still separated along its last separating direction.

    A separating direction is a proof whatever its origin, so results do not depend on earlier
    steps: near the limit, distances are computed, and iterations suffice for geoms that are
    clearly apart.
    """
    slot = p & (NAPART - 1)
    axis = d.apart_axis[slot]
    if m.opt_ccd_iterations < ENOUGH_ITERATIONS or not dot(axis, axis) > 0.5:
        return False
    d.hull_hint[0] = valid_hull_hint(m, g1, d.apart_corner[slot, 0])
    d.hull_hint[1] = valid_hull_hint(m, g2, d.apart_corner[slot, 1])
    point = minkowski_support(m, d, g1, g2, turn, shift, 0, -axis)
    wanted = (
        reach
        + rounding_radius(m, g1)
        + rounding_radius(m, g2)
        + CLEAR_SEPARATION * pair_size(m, g1, g2)
    )
    d.apart_corner[slot, 0] = d.hull_hint[0]
    d.apart_corner[slot, 1] = d.hull_hint[1]
    return dot(axis, point) > wanted


@kernel
def valid_hull_hint(m, g: int, corner: int):
    """A corner from which a hull search may start, if it is of this geom's hull; else -1."""
    found = -1
    if m.geom_type[g] == MESH:
        first = m.hull_vertadr[m.geom_dataid[g]]
        if first <= corner < first + m.hull_vertnum[m.geom_dataid[g]]:
            found = corner
    return found


@kernel
def can_touch_in_several_points(m, g: int):
    """Whether a geom has faces or edges, so that a manifold may have several contacts."""
    kind = m.geom_type[g]
    flat = kind == CAPSULE or CYLINDER <= kind <= BOX
    flat = flat or (kind == MESH and m.mesh_polynum[m.geom_dataid[g]] > 0)
    return flat and m.opt_disableflags & NO_MULTICCD == 0


@kernel(unit=True)
def expand_to_manifold(m, d, p: int, g1: int, g2: int):
    """Replace the single contact by the manifold, where geoms have faces or edges."""
    turn = relative_rotation(d, g1, g2)
    build_contact_manifold(
        m, d, g1, g2, turn, relative_position(d, g1, g2), detection_distance(m, p, g1, g2)
    )
