"""Separation of the oriented bounding boxes (OBB) of two geoms: what most near pairs fail.

    separated if |t.a| > h1(a) + h2(a) for a face normal a of either box,
    t between the centres, h(a) = sum of half_i |e_i.a|

The six face normals are tested, not the nine products of edges; a gap along any of them proves
separation. Sources: Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996; MuJoCo: Computation,
"Selection".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.vector import dot, into_frame, norm, unit
from cortenforge.step.collision.bounding_spheres import REACH_SLACK
from cortenforge.step.collision.convex.support_function import rounding_radius, support
from cortenforge.step.constants import CAPSULE, CYLINDER, MESH, SPHERE


@kernel
def aabb_centre(m, g: int):
    """Centre of a geom's compiled bounding box, in the geom's axes."""
    return vec3(m.geom_aabb[g, 0], m.geom_aabb[g, 1], m.geom_aabb[g, 2])


@kernel
def aabb_half_sizes(m, g: int):
    """Half sizes of that box."""
    return vec3(m.geom_aabb[g, 3], m.geom_aabb[g, 4], m.geom_aabb[g, 5])


@kernel
def box_half_sizes(m, g: int):
    """Half sizes of the box around a geom; of a primitive, from its current sizes.  [m]"""
    kind = m.geom_type[g]
    size = m.geom_size[g]
    half = size
    if kind == MESH:
        half = aabb_half_sizes(m, g)
    elif kind == SPHERE:
        half = vec3(size.x, size.x, size.x)
    elif kind == CAPSULE:
        half = vec3(size.x, size.x, size.x + size.y)
    elif kind == CYLINDER:
        half = vec3(size.x, size.x, size.y)
    return half


@kernel
def local_box_centre(m, g: int):
    """Centre of the box around a geom, in the geom's axes."""
    centre = vec3(0.0, 0.0, 0.0)
    if m.geom_type[g] == MESH:
        centre = aabb_centre(m, g)
    return centre


@kernel
def projected_extent(half1, half2, x, y, z):
    """Half extents of two boxes along an axis of the first, added up.

    half1: the first box along that axis.  x, y, z: the axis in the frame of the second box.
    """
    return half1 + half2.x * abs(x) + half2.y * abs(y) + half2.z * abs(z)


@kernel
def boxes_separated(m, g1: int, g2: int, turn, shift, reach):
    """Whether a face normal of one of the boxes separates them by more than reach.

    turn, shift: the second geom in the frame of the first.  Mirrors mj_collideOBB.
    """
    half1 = box_half_sizes(m, g1) + vec3(reach, reach, reach)
    half2 = box_half_sizes(m, g2)
    between = turn @ local_box_centre(m, g2) + shift - local_box_centre(m, g1)
    across = into_frame(turn, between)
    return (
        abs(between.x) > projected_extent(half1.x, half2, turn.xx, turn.xy, turn.xz)
        or abs(between.y) > projected_extent(half1.y, half2, turn.yx, turn.yy, turn.yz)
        or abs(between.z) > projected_extent(half1.z, half2, turn.zx, turn.zy, turn.zz)
        or abs(across.x) > projected_extent(half2.x, half1, turn.xx, turn.yx, turn.zx)
        or abs(across.y) > projected_extent(half2.y, half1, turn.xy, turn.yy, turn.zy)
        or abs(across.z) > projected_extent(half2.z, half1, turn.xz, turn.yz, turn.zz)
    )


@kernel
def least_overlap_axis(m, g1: int, g2: int, turn, shift):
    """The face normal of largest gap between the boxes, towards the second geom."""
    half1 = box_half_sizes(m, g1)
    half2 = box_half_sizes(m, g2)
    between = turn @ local_box_centre(m, g2) + shift - local_box_centre(m, g1)
    across = into_frame(turn, between)
    axis = vec3(1.0, 0.0, 0.0)
    along = between.x
    best = abs(along) - projected_extent(half1.x, half2, turn.xx, turn.xy, turn.xz)
    gap = abs(between.y) - projected_extent(half1.y, half2, turn.yx, turn.yy, turn.yz)
    axis = select(gap > best, vec3(0.0, 1.0, 0.0), axis)
    along = select(gap > best, between.y, along)
    best = max(gap, best)
    gap = abs(between.z) - projected_extent(half1.z, half2, turn.zx, turn.zy, turn.zz)
    axis = select(gap > best, vec3(0.0, 0.0, 1.0), axis)
    along = select(gap > best, between.z, along)
    best = max(gap, best)
    gap = abs(across.x) - projected_extent(half2.x, half1, turn.xx, turn.yx, turn.zx)
    axis = select(gap > best, vec3(turn.xx, turn.yx, turn.zx), axis)
    along = select(gap > best, across.x, along)
    best = max(gap, best)
    gap = abs(across.y) - projected_extent(half2.y, half1, turn.xy, turn.yy, turn.zy)
    axis = select(gap > best, vec3(turn.xy, turn.yy, turn.zy), axis)
    along = select(gap > best, across.y, along)
    best = max(gap, best)
    gap = abs(across.z) - projected_extent(half2.z, half1, turn.xz, turn.yz, turn.zz)
    axis = select(gap > best, vec3(turn.xz, turn.yz, turn.zz), axis)
    along = select(gap > best, across.z, along)
    return axis * select(along < 0.0, -1.0, 1.0)


@kernel
def shapes_separated(m, d, g1: int, g2: int, turn, shift, reach):
    """Whether the geoms are separated along a direction between two good guesses.

    The sum of the line of the centres and the boxes' axis of largest gap; its opposite is kept in
    `apart`. What rounding could decide is left to GJK.
    """
    along = least_overlap_axis(m, g1, g2, turn, shift) + unit(shift)
    d.apart = -along
    d.hull_hint[0] = -1
    d.hull_hint[1] = -1
    one, _corner = support(m, d, g1, 0, along)
    local, _corner2 = support(m, d, g2, 1, into_frame(turn, -along))
    far = reach + rounding_radius(m, g1) + rounding_radius(m, g2)
    gap = dot(along, turn @ local + shift - one)
    return gap > (far + REACH_SLACK * (far + norm(shift))) * norm(along)
