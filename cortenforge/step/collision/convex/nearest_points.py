"""Nearest or deepest points of two convex geoms: GJK, then EPA; two ellipsoids by Newton.

    dist = |x| - r1 - r2  (cores disjoint),   dist = -depth - r1 - r2  (cores overlap)

r1, r2 are the radii around cores of spheres and capsules. Results are in the axes of the first
geom: `found`, `found_dist`, `found_pos` (halfway between the surfaces), `found_normal`.
Source: MuJoCo: Computation, "Convex collisions".
"""

from __future__ import annotations

from cortenforge.fields.data_convex import NPOLYTOPEMAX
from cortenforge.kernel import kernel
from cortenforge.math.vector import norm
from cortenforge.step.collision.convex.ellipsoids import UNDECIDED, ellipsoid_gap
from cortenforge.step.collision.convex.epa import VERTICES_PER_ITERATION, epa
from cortenforge.step.collision.convex.epa_polytope import FACE_BLOCK
from cortenforge.step.collision.convex.gjk import BEYOND_CUTOFF, DISJOINT
from cortenforge.step.collision.convex.segment_distance import core_distance
from cortenforge.step.collision.convex.support_function import rounding_radius
from cortenforge.step.constants import ELLIPSOID
from cortenforge.step.status import has_capacity

#: spare faces: of the first tetrahedron, and of a vertex in work
FIRST_FACES = 16
#: least divisor of a normal
SHORTEST_DISTANCE = 1e-300


@kernel
def has_polytope_room(m, d):
    """Whether there is memory for a polytope with two faces more a vertex."""
    wanted = FIRST_FACES + 2 * VERTICES_PER_ITERATION * m.opt_ccd_iterations + FACE_BLOCK
    return has_capacity(d, d.npolytopemax, NPOLYTOPEMAX, wanted)


@kernel
def find_nearest_points(m, d, g1: int, g2: int, turn, shift, reach):
    """Nearest or deepest points of two geoms within `reach`; whether iterations ran out.

    turn, shift: the second geom in the frame of the first. For geoms farther apart than `reach`,
    `apart` is a direction that separates them.  Mirrors mjc_ccd.
    """
    d.found = 0
    if m.geom_type[g1] == ELLIPSOID and m.geom_type[g2] == ELLIPSOID:
        known, gap, normal, first = ellipsoid_gap(m, g1, g2, turn, shift, reach)
        if known == BEYOND_CUTOFF:
            d.apart = -normal
        elif known == DISJOINT:
            write_single_contact(d, gap, first + normal * (0.5 * gap), normal)
        if known != UNDECIDED:
            return False
    around = rounding_radius(m, g1) + rounding_radius(m, g2)
    outcome, n, x, first, late = core_distance(m, d, g1, g2, turn, shift, reach + around)
    if outcome == BEYOND_CUTOFF:
        d.apart = x
        return late
    dist = norm(x)
    normal = x * (-1.0 / max(dist, SHORTEST_DISTANCE))
    for k in range(3):
        d.witness[k] = min(k, n - 1)
    if outcome != DISJOINT:
        depth, normal, first, late = epa(m, d, g1, g2, turn, shift, n)
        dist = -depth
    gap = dist - around
    if gap <= reach:
        write_single_contact(d, gap, first + normal * (rounding_radius(m, g1) + 0.5 * gap), normal)
    return late


@kernel
def write_single_contact(d, gap, pos, normal):
    """Write a single contact: distance, position and normal."""
    d.found = 1
    d.found_dist[0] = gap
    d.found_pos[0] = pos
    d.found_normal = normal
