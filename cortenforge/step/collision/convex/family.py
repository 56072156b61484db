"""Collision of convex pairs: all pairs of types without an analytic routine.

Bounding boxes, the separating direction of the step before, GJK and EPA, then the manifold. These
kernels branch on data, so worlds in lockstep run one after another; results depend on the poses of
the geoms only. Source: MuJoCo: Computation, "Convex collisions".
"""

from __future__ import annotations

from cortenforge.fields.data_convex import NAPART
from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, unit
from cortenforge.step.collision.broad import reach_of
from cortenforge.step.collision.contacts import append
from cortenforge.step.collision.convex.boxes import boxes_apart, shapes_apart
from cortenforge.step.collision.convex.difference import (
    farthest_difference,
    shift_between,
    turn_between,
)
from cortenforge.step.collision.convex.distance import span_of
from cortenforge.step.collision.convex.farthest import radius_around
from cortenforge.step.collision.convex.manifold import spread
from cortenforge.step.collision.convex.pair import has_polytope_room, meet
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, MESH, NO_MULTICCD
from cortenforge.step.status import warn
from cortenforge.step.statuses import CONVEX

#: geoms are clearly apart if the gap is this share of their size
CLEARLY = 1e-3
#: with so many iterations, GJK finds geoms that are clearly apart to be so
ENOUGH = 20


@kernel(unit=True)
def convex_convex(m, d, p: int, g1: int, g2: int):
    """Contacts of two convex geoms.  Mirrors mjc_Convex."""
    d.found = 0
    if d.asked == 1 and has_polytope_room(m, d):
        reach = reach_of(m, p, g1, g2)
        turn = turn_between(d, g1, g2)
        shift = shift_between(d, g1, g2)
        apart = boxes_apart(m, g1, g2, turn, shift, reach)
        if not apart and not still_apart(m, d, p, g1, g2, turn, shift, reach):
            late = False
            if not shapes_apart(m, d, g1, g2, turn, shift, reach):
                late = meet(m, d, g1, g2, turn, shift, reach)
            if d.found == 0:
                d.apart_axis[p & (NAPART - 1)] = unit(d.apart)
            warn(d, CONVEX, late, p, 1.0 * m.opt_ccd_iterations)
            if d.found > 0 and has_several(m, g1) and has_several(m, g2):
                spread_contacts(m, d, p, g1, g2)
            add_found(d, p, g1)


@kernel
def add_found(d, p: int, g1: int):
    """Append the contacts found, given in the axes of the first geom."""
    axes = d.geom_xmat[g1]
    for k in range(d.found):
        pos = d.geom_xpos[g1] + axes @ d.found_pos[k]
        append(d, p, d.found_dist[k], pos, axes @ d.found_normal, vec3(0.0, 0.0, 0.0))


@kernel
def still_apart(m, d, p: int, g1: int, g2: int, turn, shift, reach):
    """Whether a pair is still separated along its last separating direction.

     A separating direction is a proof whatever its origin, so results do not depend on earlier
    steps: near the limit, distances are computed, and iterations suffice for geoms that are
    clearly apart.
    """
    slot = p & (NAPART - 1)
    axis = d.apart_axis[slot]
    if m.opt_ccd_iterations < ENOUGH or not dot(axis, axis) > 0.5:
        return False
    d.hull_hint[0] = own_corner(m, g1, d.apart_corner[slot, 0])
    d.hull_hint[1] = own_corner(m, g2, d.apart_corner[slot, 1])
    point = farthest_difference(m, d, g1, g2, turn, shift, 0, -axis)
    wanted = reach + radius_around(m, g1) + radius_around(m, g2) + CLEARLY * span_of(m, g1, g2)
    d.apart_corner[slot, 0] = d.hull_hint[0]
    d.apart_corner[slot, 1] = d.hull_hint[1]
    return dot(axis, point) > wanted


@kernel
def own_corner(m, g: int, corner: int):
    """A corner from which a hull search may start, if it is of this geom's hull; else -1."""
    found = -1
    if m.geom_type[g] == MESH:
        first = m.hull_vertadr[m.geom_dataid[g]]
        if first <= corner < first + m.hull_vertnum[m.geom_dataid[g]]:
            found = corner
    return found


@kernel
def has_several(m, g: int):
    """Whether a geom has faces or edges, so that a manifold may have several contacts."""
    kind = m.geom_type[g]
    flat = kind == CAPSULE or CYLINDER <= kind <= BOX
    flat = flat or (kind == MESH and m.mesh_polynum[m.geom_dataid[g]] > 0)
    return flat and m.opt_disableflags & NO_MULTICCD == 0


@kernel(unit=True)
def spread_contacts(m, d, p: int, g1: int, g2: int):
    """Replace the single contact by the manifold, where geoms have faces or edges."""
    turn = turn_between(d, g1, g2)
    spread(m, d, g1, g2, turn, shift_between(d, g1, g2), reach_of(m, p, g1, g2))
