"""Minkowski difference of two convex geoms: its support function, in the first one's axes.

    A - B = {a - b : a in A, b in B},   s(u) = s_A(u) - s_B(-u)

A and B are as far apart as A - B is from the origin, and overlap if it contains the origin. GJK and
EPA see geoms through s alone. `turn` and `shift` are the second geom's axes and position in the
frame of the first: poses far from the origin cost no digits, and s_A needs no rotation.

Source: van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.collision.convex.support_function import support


@kernel
def relative_rotation(d, g1: int, g2: int):
    """Rotation matrix of the second geom in the frame of the first: R1^T R2."""
    return rotation_in_frame(d.geom_xmat[g1], d.geom_xmat[g2])


@kernel
def rotation_in_frame(one, two):
    """A rotation matrix in the frame of another: one^T two."""
    x = into_frame(one, vec3(two.xx, two.yx, two.zx))
    y = into_frame(one, vec3(two.xy, two.yy, two.zy))
    z = into_frame(one, vec3(two.xz, two.yz, two.zz))
    return mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)


@kernel
def relative_position(d, g1: int, g2: int):
    """Position of the second geom in the frame of the first: R1^T (p2 - p1).  [m]"""
    return into_frame(d.geom_xmat[g1], d.geom_xpos[g2] - d.geom_xpos[g1])


@kernel
def minkowski_support(m, d, g1: int, g2: int, turn, shift, k: int, along):
    """Support point of the Minkowski difference along a direction, kept as vertex k.

    Also keeps the first geom's point and both geoms' corner numbers.  Mirrors gjkSupport.
    """
    one, corner1 = support(m, d, g1, 0, along)
    local, corner2 = support(m, d, g2, 1, into_frame(turn, -along))
    point = one - (turn @ local + shift)
    d.diff_first[k] = one
    d.diff_point[k] = point
    d.diff_corner[k, 0] = corner1
    d.diff_corner[k, 1] = corner2
    return point


@kernel
def copy_minkowski_vertex(d, target: int, source: int):
    """Copy a vertex of the simplex or polytope: its point, its source, its corners."""
    d.diff_first[target] = d.diff_first[source]
    d.diff_point[target] = d.diff_point[source]
    d.diff_corner[target, 0] = d.diff_corner[source, 0]
    d.diff_corner[target, 1] = d.diff_corner[source, 1]
