"""Whether the boxes around two geoms are apart: what most pairs are that come near each other."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import into_frame
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
def boxes_apart(m, g1: int, g2: int, turn, shift, reach):
    """Whether a plane along a side of one of the boxes is between them.  Mirrors mj_collideOBB.

    `turn` and `shift` place the second geom in the frame of the first.
    """
    half1 = half_sizes(m, g1) + vec3(reach, reach, reach)
    half2 = half_sizes(m, g2)
    between = turn @ box_centre(m, g2) + shift - box_centre(m, g1)
    across = into_frame(turn, between)
    xx = abs(turn.xx)
    xy = abs(turn.xy)
    xz = abs(turn.xz)
    yx = abs(turn.yx)
    yy = abs(turn.yy)
    yz = abs(turn.yz)
    zx = abs(turn.zx)
    zy = abs(turn.zy)
    zz = abs(turn.zz)
    return (
        abs(between.x) > half1.x + half2.x * xx + half2.y * xy + half2.z * xz
        or abs(between.y) > half1.y + half2.x * yx + half2.y * yy + half2.z * yz
        or abs(between.z) > half1.z + half2.x * zx + half2.y * zy + half2.z * zz
        or abs(across.x) > half2.x + half1.x * xx + half1.y * yx + half1.z * zx
        or abs(across.y) > half2.y + half1.x * xy + half1.y * yy + half1.z * zy
        or abs(across.z) > half2.z + half1.x * xz + half1.y * yz + half1.z * zz
    )
