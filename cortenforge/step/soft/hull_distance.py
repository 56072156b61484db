"""Signed distance of a point to the convex hull of a mesh, and its gradient.

Outside, the least distance to the hull's polygons; inside, minus the least depth behind their
planes.

    outside   |p - q|, q the nearest point of the polygons that face p
    inside    max over the polygons of n.(p - corner), which is negative

Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1 (nearest points).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot

#: farther than anything
FAR = 1e30


@kernel
def nearest_on_edge(p, a, b):
    """The point of the segment from a to b that is nearest to p."""
    along = b - a
    part = dot(p - a, along) / max(dot(along, along), 1e-30)
    return a + along * min(1.0, max(0.0, part))


@kernel
def nearest_on_polygon(m, k: int, p, above):
    """The point of polygon k that is nearest to p, which is `above` its plane by that height."""
    normal = m.mesh_polynormal[k]
    foot = p - normal * above
    first, count = m.mesh_polyvertadr[k], m.mesh_polyvertnum[k]
    best = foot
    least = FAR
    inside = True
    before = m.hull_polypoint[first + count - 1]
    for i in range(first, first + count):
        now = m.hull_polypoint[i]
        if dot(cross(now - before, foot - before), normal) < 0.0:
            inside = False
            there = nearest_on_edge(p, before, now)
            away = p - there
            if dot(away, away) < least:
                least = dot(away, away)
                best = there
        before = now
    return foot if inside else best


@kernel
def hull_distance(m, mesh: int, p):
    """(distance, gradient) of a point to the hull of a mesh, all in the mesh's frame."""
    highest = -FAR
    least = FAR
    gradient = vec3(0.0, 0.0, 1.0)
    first = m.mesh_polyadr[mesh]
    for k in range(first, first + m.mesh_polynum[mesh]):
        corner = m.hull_polypoint[m.mesh_polyvertadr[k]]
        above = dot(m.mesh_polynormal[k], p - corner)
        if above > highest:
            highest = above
            if highest <= 0.0:
                gradient = m.mesh_polynormal[k]
        if above > 0.0 and above * above < least:
            away = p - nearest_on_polygon(m, k, p, above)
            square = dot(away, away)
            if square < least:
                least = square
                gradient = away * (1.0 / math.sqrt(square)) if square > 0.0 else gradient
    return math.sqrt(least) if highest > 0.0 else highest, gradient
