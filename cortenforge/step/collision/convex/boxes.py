"""Whether the boxes around two geoms are apart: what most pairs are that come near each other."""

from __future__ import annotations

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.vector import dot, into_frame, norm, unit
from cortenforge.step.collision.broad import SLACK
from cortenforge.step.collision.convex.farthest import farthest, radius_around
from cortenforge.step.constants import CAPSULE, CYLINDER, MESH, SPHERE


@kernel
def half_sizes(m, g: int):
    """Half sizes of the box around a geom: of a primitive, from its sizes as they are now."""
    kind = m.geom_type[g]
    size = m.geom_size[g]
    half = size
    if kind == MESH:
        half = vec3(m.geom_aabb[g, 3], m.geom_aabb[g, 4], m.geom_aabb[g, 5])
    elif kind == SPHERE:
        half = vec3(size.x, size.x, size.x)
    elif kind == CAPSULE:
        half = vec3(size.x, size.x, size.x + size.y)
    elif kind == CYLINDER:
        half = vec3(size.x, size.x, size.y)
    return half


@kernel
def box_centre(m, g: int):
    """The centre of the box around a geom."""
    centre = vec3(0.0, 0.0, 0.0)
    if m.geom_type[g] == MESH:
        centre = vec3(m.geom_aabb[g, 0], m.geom_aabb[g, 1], m.geom_aabb[g, 2])
    return centre


@kernel
def overlap(half1, half2, x, y, z):
    """How far two boxes reach along an axis of the first; x, y, z: that axis in the second one."""
    return half1 + half2.x * abs(x) + half2.y * abs(y) + half2.z * abs(z)


@kernel
def boxes_apart(m, g1: int, g2: int, turn, shift, reach):
    """Whether a plane along a side of one of the boxes is between them.  Mirrors mj_collideOBB.

    `turn` and `shift` place the second geom in the frame of the first.
    """
    half1 = half_sizes(m, g1) + vec3(reach, reach, reach)
    half2 = half_sizes(m, g2)
    between = turn @ box_centre(m, g2) + shift - box_centre(m, g1)
    across = into_frame(turn, between)
    return (
        abs(between.x) > overlap(half1.x, half2, turn.xx, turn.xy, turn.xz)
        or abs(between.y) > overlap(half1.y, half2, turn.yx, turn.yy, turn.yz)
        or abs(between.z) > overlap(half1.z, half2, turn.zx, turn.zy, turn.zz)
        or abs(across.x) > overlap(half2.x, half1, turn.xx, turn.yx, turn.zx)
        or abs(across.y) > overlap(half2.y, half1, turn.xy, turn.yy, turn.zy)
        or abs(across.z) > overlap(half2.z, half1, turn.xz, turn.yz, turn.zz)
    )


@kernel
def axis_apart(m, g1: int, g2: int, turn, shift):
    """The axis of one of the boxes along which they overlap least, towards the second geom."""
    half1 = half_sizes(m, g1)
    half2 = half_sizes(m, g2)
    between = turn @ box_centre(m, g2) + shift - box_centre(m, g1)
    across = into_frame(turn, between)
    axis = vec3(1.0, 0.0, 0.0)
    along = between.x
    best = abs(along) - overlap(half1.x, half2, turn.xx, turn.xy, turn.xz)
    gap = abs(between.y) - overlap(half1.y, half2, turn.yx, turn.yy, turn.yz)
    axis = select(gap > best, vec3(0.0, 1.0, 0.0), axis)
    along = select(gap > best, between.y, along)
    best = max(gap, best)
    gap = abs(between.z) - overlap(half1.z, half2, turn.zx, turn.zy, turn.zz)
    axis = select(gap > best, vec3(0.0, 0.0, 1.0), axis)
    along = select(gap > best, between.z, along)
    best = max(gap, best)
    gap = abs(across.x) - overlap(half2.x, half1, turn.xx, turn.yx, turn.zx)
    axis = select(gap > best, vec3(turn.xx, turn.yx, turn.zx), axis)
    along = select(gap > best, across.x, along)
    best = max(gap, best)
    gap = abs(across.y) - overlap(half2.y, half1, turn.xy, turn.yy, turn.zy)
    axis = select(gap > best, vec3(turn.xy, turn.yy, turn.zy), axis)
    along = select(gap > best, across.y, along)
    best = max(gap, best)
    gap = abs(across.z) - overlap(half2.z, half1, turn.xz, turn.yz, turn.zz)
    axis = select(gap > best, vec3(turn.xz, turn.yz, turn.zz), axis)
    along = select(gap > best, across.z, along)
    return axis * select(along < 0.0, -1.0, 1.0)


@kernel
def shapes_apart(m, d, g1: int, g2: int, turn, shift, reach):
    """Whether the geoms themselves are apart in a direction that is good at telling them apart.

    Half way between the line of the centres and the axis along which the boxes overlap least; it is
    kept in `apart`. What rounding could decide is left to those who know better.
    """
    along = axis_apart(m, g1, g2, turn, shift) + unit(shift)
    d.apart = -along
    d.hull_hint[0] = -1
    d.hull_hint[1] = -1
    one, _corner = farthest(m, d, g1, 0, along)
    local, _corner2 = farthest(m, d, g2, 1, into_frame(turn, -along))
    far = reach + radius_around(m, g1) + radius_around(m, g2)
    gap = dot(along, turn @ local + shift - one)
    return gap > (far + SLACK * (far + norm(shift))) * norm(along)
