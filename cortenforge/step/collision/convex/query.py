"""The distance of two geoms, whether or not they could ever touch."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.collision.convex.farthest import farthest, radius_around
from cortenforge.step.collision.convex.pair import has_polytope_room, meet
from cortenforge.step.collision.terrain.query import field_distance
from cortenforge.step.constants import HFIELD, PLANE


@kernel
def above_plane(m, d, g2: int, turn, shift):
    """The lowest point of a geom above the plane whose frame it is in."""
    d.hull_hint[1] = -1
    up = vec3(0.0, 0.0, 1.0)
    local, _corner = farthest(m, d, g2, 1, into_frame(turn, -up))
    lowest = turn @ local + shift - up * radius_around(m, g2)
    d.found_dist[0] = lowest.z
    d.found_pos[0] = lowest - up * (0.5 * lowest.z)
    d.found_normal = up
    d.found = 1


@kernel(unit=True)
def geom_distance(m, d):
    """Nearest or deepest points of the two geoms of `query_geom`.  Mirrors mj_geomDistance.

    The first geom may be a plane or a height field. Nothing is found beyond `query_reach`.
    """
    g1 = d.query_geom[0]
    g2 = d.query_geom[1]
    turn = turn_between(d, g1, g2)
    shift = shift_between(d, g1, g2)
    d.found = 0
    if m.geom_type[g1] == PLANE:
        above_plane(m, d, g2, turn, shift)
    elif m.nhfield > 0 and m.geom_type[g1] == HFIELD:
        field_distance(m, d)
    elif has_polytope_room(m, d):
        meet(m, d, g1, g2, turn, shift, d.query_reach)
