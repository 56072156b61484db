"""The difference of two convex geoms, point by point, in the axes of the first.

All of GJK and EPA happens there: poses far from the origin cost no digits, and the first geom needs
no turning. `turn` and `shift` place the second geom in the first one's frame.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.collision.convex.farthest import farthest


@kernel
def turn_between(d, g1: int, g2: int):
    """Axes of the second geom in those of the first."""
    return axes_in(d.geom_xmat[g1], d.geom_xmat[g2])


@kernel
def axes_in(one, two):
    """Axes in others."""
    x = into_frame(one, vec3(two.xx, two.yx, two.zx))
    y = into_frame(one, vec3(two.xy, two.yy, two.zy))
    z = into_frame(one, vec3(two.xz, two.yz, two.zz))
    return mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)


@kernel
def shift_between(d, g1: int, g2: int):
    """Where the second geom is, seen from the first."""
    return into_frame(d.geom_xmat[g1], d.geom_xpos[g2] - d.geom_xpos[g1])


@kernel
def farthest_difference(m, d, g1: int, g2: int, turn, shift, k: int, along):
    """The point of the difference farthest in a direction, kept as vertex k."""
    one, corner1 = farthest(m, d, g1, 0, along)
    local, corner2 = farthest(m, d, g2, 1, into_frame(turn, -along))
    point = one - (turn @ local + shift)
    d.diff_first[k] = one
    d.diff_point[k] = point
    d.diff_corner[k, 0] = corner1
    d.diff_corner[k, 1] = corner2
    return point


@kernel
def copy_difference(d, target: int, source: int):
    """Put one vertex in another's place."""
    d.diff_first[target] = d.diff_first[source]
    d.diff_point[target] = d.diff_point[source]
    d.diff_corner[target, 0] = d.diff_corner[source, 0]
    d.diff_corner[target, 1] = d.diff_corner[source, 1]
