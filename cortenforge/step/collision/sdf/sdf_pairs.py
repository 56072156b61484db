"""Collision of signed distance fields: minima of the distance from several starts.

These kernels branch on data, so worlds in lockstep run one after another; results depend on the
poses of the geoms only. Source: docs/collision.md, "Distance fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.collision.bounding_spheres import detection_distance, spheres_overlap
from cortenforge.step.collision.contact_list import append_contact
from cortenforge.step.collision.sdf.descent import descend_distance, is_surface_minimum
from cortenforge.step.collision.sdf.mesh_triangles import find_mesh_touches
from cortenforge.step.collision.sdf.pair_distance import (
    FIRST_GEOM,
    SECOND_GEOM,
    set_pair_frame,
    side_distance,
)
from cortenforge.step.collision.sdf.start_points import halton_point, intersect_boxes
from cortenforge.step.collision.sdf.touching_points import add_touch, merge_touches
from cortenforge.step.constants import PLANE

#: points nearer than this are one, relative to the size of both boxes' intersection
MERGE_DISTANCE = 0.01
#: least size of a pair, relative to the second geom's radius
LEAST_PAIR_SIZE = 1e-3


@kernel(unit=True)
def sdf_pair(m, d, p: int, g1: int, g2: int):
    """Contacts of a geom with a signed distance field.  Mirrors mjc_SDF and mjc_HFieldSDF.

    From `sdf_initpoints` starts, `sdf_iterations` steps each.
    """
    if spheres_overlap(m, d, p, g1, g2):
        set_pair_frame(d, g1, g2)
        reach = detection_distance(m, p, g1, g2)
        low, high = intersect_boxes(m, g1, g2, d.pair_turn, d.pair_shift, reach)
        if low.x <= high.x and low.y <= high.y and low.z <= high.z:
            size = max(norm(high - low), LEAST_PAIR_SIZE * m.geom_rbound[g2])
            d.touches = 0
            d.touch_apart = MERGE_DISTANCE * size
            d.touch_left = reach
            for i in range(m.opt_sdf_initpoints):
                start = d.pair_turn @ halton_point(low, high, i) + d.pair_shift
                find_touch_from(m, d, g1, g2, i, start, size, reach)
            if d.touches == 0 and d.touch_left < reach:
                # no descent ended at a surface: take the deepest point
                add_touch(d, d.touch_left, d.touch_left_pos, d.touch_left_normal)
            add_touch_contacts(d, p, g2)


@kernel
def find_touch_from(m, d, g1: int, g2: int, i: int, start, size, reach):
    """Descend from start i, and from the other side if that does not end at a surface.

    Starts alternate between the geom they are deeper in and the other one, so that edges of both
    are found. A plane has no inside to end in: the field's point goes deeper into it.
    """
    ways = 1
    into_second = False
    if m.geom_type[g1] != PLANE:
        ways = 2
        first, _slope = side_distance(m, d, g1, FIRST_GEOM, start)
        second, _slope = side_distance(m, d, g2, SECOND_GEOM, start)
        into_second = (second < first) == (i & 1 == 0)
    for _way in range(ways):
        if descend_into(m, d, g1, g2, into_second, start, size, reach):
            break
        into_second = not into_second


@kernel
def descend_into(m, d, g1: int, g2: int, into_second: bool, start, size, reach):
    """Descend into one of the geoms; whether that ended at a surface, or too far away."""
    deep = g2 if into_second else g1
    deep_side = SECOND_GEOM if into_second else FIRST_GEOM
    solid = g1 if into_second else g2
    side = FIRST_GEOM if into_second else SECOND_GEOM
    x, dist, slope, level = descend_distance(m, d, deep, deep_side, solid, side, start, size, reach)
    if dist > reach or dot(slope, slope) < MINVAL:
        # too far away, or no normal
        return dist > reach
    out = unit(slope)
    normal = out * -1.0 if into_second else out
    pos = x - out * (0.5 * dist)
    done = is_surface_minimum(m, d, solid, side, x, level, slope, size)
    if done:
        add_touch(d, dist, pos, normal)
    elif dist < d.touch_left:
        d.touch_left = dist
        d.touch_left_pos = pos
        d.touch_left_normal = normal
    return done


@kernel
def add_touch_contacts(d, p: int, g2: int):
    """Contacts of the touching points, which are in the frame of the second geom."""
    # a point that replaced another may be near a third
    merge_touches(d)
    for k in range(d.touches):
        pos = d.geom_xpos[g2] + d.geom_xmat[g2] @ d.touch_pos[k]
        normal = d.geom_xmat[g2] @ d.touch_normal[k]
        append_contact(d, p, d.touch_dist[k], pos, normal, vec3(0.0, 0.0, 0.0))


@kernel(unit=True)
def mesh_sdf(m, d, p: int, g1: int, g2: int):
    """Contacts of a mesh's triangles with a signed distance field.  Mirrors mjc_MeshSDF."""
    if spheres_overlap(m, d, p, g1, g2):
        d.touches = 0
        d.touch_apart = MERGE_DISTANCE * min(m.geom_rbound[g1], m.geom_rbound[g2])
        set_pair_frame(d, g1, g2)
        find_mesh_touches(m, d, g1, g2, detection_distance(m, p, g1, g2))
        add_touch_contacts(d, p, g2)
