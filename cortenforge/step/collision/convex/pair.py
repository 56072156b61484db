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
from cortenforge.step.collision.convex.distance import APART, BEYOND
from cortenforge.step.collision.convex.ellipsoids import UNKNOWN, between_ellipsoids
from cortenforge.step.collision.convex.farthest import radius_around
from cortenforge.step.collision.convex.penetration import PATIENCE, penetrate
from cortenforge.step.collision.convex.polytope import BLOCK
from cortenforge.step.collision.convex.segment import nearest_cores
from cortenforge.step.constants import ELLIPSOID
from cortenforge.step.status import has_room

#: spare faces: of the first tetrahedron, and of a vertex in work
FIRST_FACES = 16
#: least divisor of a normal
SHORTEST = 1e-300


@kernel
def has_polytope_room(m, d):
    """Whether there is memory for a polytope with two faces more a vertex."""
    wanted = FIRST_FACES + 2 * PATIENCE * m.opt_ccd_iterations + BLOCK
    return has_room(d, d.npolytopemax, NPOLYTOPEMAX, wanted)


@kernel
def meet(m, d, g1: int, g2: int, turn, shift, reach):
    """Nearest or deepest points of two geoms within `reach`; whether iterations ran out.

    turn, shift: the second geom in the frame of the first. For geoms farther apart than `reach`,
    `apart` is a direction that separates them.  Mirrors mjc_ccd.
    """
    d.found = 0
    if m.geom_type[g1] == ELLIPSOID and m.geom_type[g2] == ELLIPSOID:
        known, gap, normal, first = between_ellipsoids(m, g1, g2, turn, shift, reach)
        if known == BEYOND:
            d.apart = -normal
        elif known == APART:
            keep_found(d, gap, first + normal * (0.5 * gap), normal)
        if known != UNKNOWN:
            return False
    around = radius_around(m, g1) + radius_around(m, g2)
    outcome, n, x, first, late = nearest_cores(m, d, g1, g2, turn, shift, reach + around)
    if outcome == BEYOND:
        d.apart = x
        return late
    dist = norm(x)
    normal = x * (-1.0 / max(dist, SHORTEST))
    for k in range(3):
        d.witness[k] = min(k, n - 1)
    if outcome != APART:
        depth, normal, first, late = penetrate(m, d, g1, g2, turn, shift, n)
        dist = -depth
    gap = dist - around
    if gap <= reach:
        keep_found(d, gap, first + normal * (radius_around(m, g1) + 0.5 * gap), normal)
    return late


@kernel
def keep_found(d, gap, pos, normal):
    """Write a single contact: distance, position and normal."""
    d.found = 1
    d.found_dist[0] = gap
    d.found_pos[0] = pos
    d.found_normal = normal
