"""Triangles of a mesh against a signed distance field, found through the mesh's BVH.

Source: MuJoCo: Computation, "Selection" (bounding volumes); docs/collision.md, "Distance fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.collision.sdf.descent import descend_distance, is_surface_minimum
from cortenforge.step.collision.sdf.pair_distance import SECOND_GEOM, TRIANGLE, side_distance
from cortenforge.step.collision.sdf.start_points import halton
from cortenforge.step.collision.sdf.touching_points import add_touch
from cortenforge.step.rays.triangles import mesh_corner

#: triangles larger than this, relative to the field's radius, are searched from several starts
LARGE_TRIANGLE = 0.25


@kernel
def box_near_sdf(m, d, g2: int, node: int, reach):
    """Whether a BVH node's bounding ball comes within reach of a field.  Mirrors boxIntersect."""
    centre = vec3(m.bvh_aabb[node, 0], m.bvh_aabb[node, 1], m.bvh_aabb[node, 2])
    half = vec3(m.bvh_aabb[node, 3], m.bvh_aabb[node, 4], m.bvh_aabb[node, 5])
    distance, _slope = side_distance(m, d, g2, SECOND_GEOM, d.pair_turn @ centre + d.pair_shift)
    return distance < norm(half) + reach


@kernel
def find_mesh_touches(m, d, g1: int, g2: int, reach):
    """Touching points of all triangles of a mesh that are near a field."""
    mesh = m.geom_dataid[g1]
    root = m.mesh_bvhadr[mesh]
    d.ray_stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = d.ray_stack[top]
        if box_near_sdf(m, d, g2, root + node, reach):
            face = m.bvh_nodeid[root + node]
            if face >= 0:
                for k in range(3):
                    d.face_point[k] = d.pair_turn @ mesh_corner(m, mesh, face, k) + d.pair_shift
                find_triangle_touches(m, d, g2, reach)
            else:
                d.ray_stack[top] = m.bvh_child[root + node, 0]
                d.ray_stack[top + 1] = m.bvh_child[root + node, 1]
                top += 2


@kernel
def find_triangle_touches(m, d, g2: int, reach):
    """Touching points of one triangle: from its centre; from several starts if it is large."""
    a = d.face_point[0]
    b = d.face_point[1]
    c = d.face_point[2]
    size = max(norm(b - a), max(norm(c - b), norm(a - c)))
    starts = m.opt_sdf_initpoints if size > LARGE_TRIANGLE * m.geom_rbound[g2] else 1
    for i in range(starts):
        u = halton(i + 1, 2) if starts > 1 else 1.0 / 3.0
        v = halton(i + 1, 3) if starts > 1 else 1.0 / 3.0
        if u + v > 1.0:
            u = 1.0 - u
            v = 1.0 - v
        start = a + (b - a) * u + (c - a) * v
        x, dist, slope, level = descend_distance(
            m, d, g2, SECOND_GEOM, -1, TRIANGLE, start, size, reach
        )
        if dist <= reach and dot(slope, slope) > MINVAL:
            out = unit(slope)
            if is_surface_minimum(m, d, -1, TRIANGLE, x, level, slope, size):
                add_touch(d, dist, x - out * (0.5 * dist), out * -1.0)
