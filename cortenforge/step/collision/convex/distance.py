"""How far apart the cores of two convex geoms are: the algorithm of Gilbert, Johnson, Keerthi."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, norm
from cortenforge.step.collision.convex.difference import farthest_difference
from cortenforge.step.collision.convex.farthest import has_corners
from cortenforge.step.collision.convex.simplex import reduce_simplex

#: what is known of two cores: farther apart than asked; so far apart; touching or overlapping
BEYOND = 0
APART = 1
INSIDE = 2
#: the distance is found when all that is left to gain is this part of it, squared
ENOUGH = 1e-14
#: two polyhedra touch if they are nearer than this part of their size
TOUCHING = 1e-13


@kernel
def span_of(m, g1: int, g2: int):
    """How large two geoms are, for what counts as nothing."""
    return m.geom_rbound[g1] + m.geom_rbound[g2]


@kernel
def nearest_of_simplex(d, n: int):
    """The point of the difference nearest to the origin."""
    x = d.diff_point[0] * d.simplex_weight[0]
    for i in range(1, n):
        x += d.diff_point[i] * d.simplex_weight[i]
    return x


@kernel
def nearest_on_first(d, n: int):
    """The point of the first geom that it comes from."""
    x = d.diff_first[0] * d.simplex_weight[0]
    for i in range(1, n):
        x += d.diff_first[i] * d.simplex_weight[i]
    return x


@kernel
def is_in_simplex(d, n: int, point):
    """Whether a point is one of the simplex's vertices already."""
    for i in range(n):
        vertex = d.diff_point[i]
        if vertex.x == point.x and vertex.y == point.y and vertex.z == point.z:
            return True
    return False


@kernel
def separate(m, d, g1: int, g2: int, turn, shift, cutoff):
    """How two cores are to each other; vertices of the last simplex; nearest points; in time?

    The points are that of the difference, and that of the first core. Distances beyond `cutoff` are
    not worked out. Last comes whether iterations ran out.  Mirrors gjk of native collisions.
    """
    d.hull_hint[0] = -1
    d.hull_hint[1] = -1
    touching = TOUCHING * span_of(m, g1, g2)
    slack = 0.0
    if not (has_corners(m, g1) and has_corners(m, g2)):
        touching = max(touching, m.opt_ccd_tolerance)
        slack = 0.5 * m.opt_ccd_tolerance * m.opt_ccd_tolerance
    x = -shift
    first = x
    length = norm(x)
    if not length > touching:
        x = vec3(1.0, 0.0, 0.0)
        length = 1.0
    n = 0
    lower = 0.0
    late = True
    for k in range(m.opt_ccd_iterations):
        point = farthest_difference(m, d, g1, g2, turn, shift, n, x * (-1.0 / length))
        lower = dot(x, point)
        if lower > 0.0 and lower > cutoff * length:
            return BEYOND, n, x, first, False
        left = length * length - lower
        if n > 0 and (left <= slack + ENOUGH * length * length or is_in_simplex(d, n, point)):
            late = False
            break
        n = reduce_simplex(d, n + 1)
        if n == 4 or n == 0:
            return INSIDE if n == 4 else BEYOND, n, x, first, False
        nearer = nearest_of_simplex(d, n)
        # the centres, where it began, need not be in the difference
        if not norm(nearer) < length and k > 0:
            late = False
            break
        x = nearer
        first = nearest_on_first(d, n)
        length = norm(x)
        if length <= touching:
            return INSIDE, n, x, first, False
    return APART if lower > 0.0 else INSIDE, n, x, first, late
