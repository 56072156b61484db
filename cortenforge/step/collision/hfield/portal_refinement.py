"""Exit of a sunk geom from a prism through the surface: vertical portal refinement.

The shortest way out of a prism may lead through a wall into the next prism, or through the base.
A geom whose centre is below the surface is pushed out through the face of the Minkowski difference
A - B that the vertical line through the origin leaves by. A triangle (portal) of support points
that encloses the line is moved up: with its normal n and w = s(n), it ends where n.(w - a) <=
tolerance; otherwise w replaces the vertex that keeps the line inside. With the portal's point
z on the line, dist = -z n_z.

Source: Snethen, "XenoCollide: complex collision made simple", Game Programming Gems 7, 2008 (MPR,
Minkowski portal refinement, along another ray).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, flat_cross, unit
from cortenforge.step.collision.convex.gjk import TOUCHING_TOLERANCE, pair_size
from cortenforge.step.collision.convex.minkowski import copy_minkowski_vertex, minkowski_support
from cortenforge.step.collision.convex.support_function import is_polyhedron, rounding_radius
from cortenforge.step.signed_distance.hfield_surface import hfield_surface_at


@kernel
def is_below_surface(m, field: int, centre):
    """Whether a point is inside of a height field."""
    inside = abs(centre.x) <= m.hfield_size[field, 0] and abs(centre.y) <= m.hfield_size[field, 1]
    if inside and centre.z > -m.hfield_size[field, 3]:
        height, _normal = hfield_surface_at(m, field, centre.x, centre.y)
        return centre.z < height
    return False


@kernel
def rounded_support(m, d, g1: int, g2: int, turn, shift, k: int, along):
    """Support point of the difference along a unit direction, with radii, kept as vertex k."""
    point = minkowski_support(m, d, g1, g2, turn, shift, k, along)
    point = point + along * (rounding_radius(m, g1) + rounding_radius(m, g2))
    d.diff_point[k] = point
    return point


@kernel
def flip_portal(d):
    """Swap the portal's first two vertices; vertex 3 is free."""
    copy_minkowski_vertex(d, 3, 0)
    copy_minkowski_vertex(d, 0, 1)
    copy_minkowski_vertex(d, 1, 3)


@kernel
def find_portal(m, d, g1: int, g2: int, turn, shift):
    """Find a portal: a triangle of support points around the vertical line.

    Counter-clockwise from above. Returns whether there is one: geoms that only touch may have none.
    """
    rounded_support(m, d, g1, g2, turn, shift, 0, vec3(0.0, 0.0, 1.0))
    rounded_support(m, d, g1, g2, turn, shift, 1, vec3(1.0, 0.0, 0.0))
    rounded_support(m, d, g1, g2, turn, shift, 2, vec3(0.0, 1.0, 0.0))
    for _k in range(m.opt_ccd_iterations):
        if flat_cross(d.diff_point[1] - d.diff_point[0], d.diff_point[2] - d.diff_point[0]) < 0.0:
            flip_portal(d)
        a = d.diff_point[0]
        b = d.diff_point[1]
        c = d.diff_point[2]
        # an edge that the line is beyond: its opposite vertex is replaced
        edge = vec3(0.0, 0.0, 0.0)
        replaced = -1
        if flat_cross(a, b) < 0.0:
            edge = b - a
            replaced = 2
        elif flat_cross(b, c) < 0.0:
            edge = c - b
            replaced = 0
        elif flat_cross(c, a) < 0.0:
            edge = a - c
            replaced = 1
        if replaced < 0:
            return flat_cross(b - a, c - a) > 0.0
        outward = unit(vec3(edge.y, -edge.x, 0.0))
        point = rounded_support(m, d, g1, g2, turn, shift, replaced, outward)
        if dot(point, outward) < 0.0:
            return False
    return False


@kernel
def refine_portal(m, d, g1: int, g2: int, turn, shift):
    """Move the portal up to the surface of the difference: (normal, whether it converged)."""
    enough = TOUCHING_TOLERANCE * pair_size(m, g1, g2)
    if not (is_polyhedron(m, g1) and is_polyhedron(m, g2)):
        enough = max(enough, m.opt_ccd_tolerance)
    normal = vec3(0.0, 0.0, 1.0)
    for _k in range(m.opt_ccd_iterations):
        a = d.diff_point[0]
        b = d.diff_point[1]
        c = d.diff_point[2]
        normal = unit(cross(b - a, c - a))
        point = rounded_support(m, d, g1, g2, turn, shift, 3, normal)
        if dot(point - a, normal) <= enough:
            return normal, True
        if flat_cross(point, a) >= 0.0 and flat_cross(point, b) <= 0.0:
            copy_minkowski_vertex(d, 2, 3)
        elif flat_cross(point, b) >= 0.0 and flat_cross(point, c) <= 0.0:
            copy_minkowski_vertex(d, 0, 3)
        else:
            copy_minkowski_vertex(d, 1, 3)
    return normal, False


@kernel
def push_out_upward(m, d, g1: int, g2: int, turn, shift):
    """Replace the contact found by the one upward; whether iterations ran out."""
    if not find_portal(m, d, g1, g2, turn, shift):
        return False
    normal, in_time = refine_portal(m, d, g1, g2, turn, shift)
    a = d.diff_point[0]
    b = d.diff_point[1]
    c = d.diff_point[2]
    total = flat_cross(b - a, c - a)
    if normal.z > 0.0 and total > 0.0:
        x = flat_cross(b, c) / total
        y = flat_cross(c, a) / total
        z = flat_cross(a, b) / total
        up = vec3(0.0, 0.0, a.z * x + b.z * y + c.z * z)
        d.found_dist[0] = -dot(up, normal)
        d.found_normal = normal
        first = d.diff_first[0] * x + d.diff_first[1] * y + d.diff_first[2] * z
        d.found_pos[0] = first - up * 0.5
    return not in_time
