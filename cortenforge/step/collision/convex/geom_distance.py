"""Signed distance of two geoms, whether or not their pair could ever collide.

Source: MuJoCo: Computation, "Geom distance".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.collision.convex.minkowski import relative_position, relative_rotation
from cortenforge.step.collision.convex.nearest_points import find_nearest_points, has_polytope_room
from cortenforge.step.collision.convex.support_function import rounding_radius, support
from cortenforge.step.collision.hfield.hfield_distance import hfield_distance
from cortenforge.step.constants import HFIELD, PLANE
from cortenforge.step.status import warn
from cortenforge.step.statuses import WARN_CONVEX


@kernel
def find_lowest_point(m, d, g2: int, turn, shift):
    """The lowest point of a geom above the plane whose frame it is in, as a contact."""
    d.hull_hint[1] = -1
    up = vec3(0.0, 0.0, 1.0)
    local, _corner = support(m, d, g2, 1, into_frame(turn, -up))
    lowest = turn @ local + shift - up * rounding_radius(m, g2)
    d.found_dist[0] = lowest.z
    d.found_pos[0] = lowest - up * (0.5 * lowest.z)
    d.found_normal = up
    d.found = 1


@kernel
def find_geom_distance(m, d, g1: int, g2: int, reach):
    """Nearest or deepest points of two geoms within `reach`; whether iterations ran out.

    The first geom may be a plane.  Mirrors mj_geomDistance.
    """
    turn = relative_rotation(d, g1, g2)
    shift = relative_position(d, g1, g2)
    d.found = 0
    late = False
    if m.geom_type[g1] == PLANE:
        find_lowest_point(m, d, g2, turn, shift)
    elif has_polytope_room(m, d):
        late = find_nearest_points(m, d, g1, g2, turn, shift, reach)
    return late


@kernel(unit=True)
def geom_distance(m, d):
    """Signed distance of the two geoms of `query_geom`, if not beyond `query_reach`.

    The first geom may be a plane or a height field.  Mirrors mj_geomDistance.
    """
    if m.nhfield > 0 and m.geom_type[d.query_geom[0]] == HFIELD:
        hfield_distance(m, d, d.query_geom[0], d.query_geom[1])
    else:
        late = find_geom_distance(m, d, d.query_geom[0], d.query_geom[1], d.query_reach)
        warn(d, WARN_CONVEX, late, 0, 1.0 * m.opt_ccd_iterations)
