"""Distance of the cores of two convex geoms: GJK (Gilbert, Johnson and Keerthi).

    distance = min |x|,  x in A - B (the Minkowski difference)
    w = support of A - B along -x,   x.w/|x| <= distance <= |x|

Each iteration adds w to a simplex of up to four vertices, takes x as the simplex' point nearest
to the origin, and drops the vertices that x does not need (`simplex.py`). It ends where the bounds
meet, |x|^2 - x.w <= tolerance; where x.w/|x| is beyond a cutoff; or where the simplex has the
origin inside: then the cores overlap, and EPA (`epa.py`) computes their depth.

Sources: Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex
objects in three-dimensional space", IEEE J. Robotics and Automation 4(2), 1988; van den Bergen,
"Collision Detection in Interactive 3D Environments", 2003, chapter 4; MuJoCo: Computation,
"Convex collisions".
"""

from __future__ import annotations

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.math.vector import dot, norm
from cortenforge.step.collision.convex.minkowski import minkowski_support
from cortenforge.step.collision.convex.simplex import reduce_simplex
from cortenforge.step.collision.convex.support_function import is_polyhedron

#: outcomes: the distance is beyond the cutoff; known; zero, cores touch or overlap
BEYOND_CUTOFF = 0
DISJOINT = 1
OVERLAPPING = 2
#: converged: |x|^2 - x.w is below this share of |x|^2
GJK_TOLERANCE = Tolerance(1e-14, single=1e-6)
#: two polyhedra touch if their distance is below this share of their size
TOUCHING_TOLERANCE = Tolerance(1e-13, single=1e-6)


@kernel
def pair_size(m, g1: int, g2: int):
    """Sum of the radii of both bounding spheres: the scale of tolerances.  [m]"""
    return m.geom_rbound[g1] + m.geom_rbound[g2]


@kernel
def nearest_simplex_point(d, n: int):
    """Point of the simplex nearest to the origin: sum of weight_i point_i."""
    x = d.diff_point[0] * d.simplex_weight[0]
    for i in range(1, n):
        x += d.diff_point[i] * d.simplex_weight[i]
    return x


@kernel
def nearest_first_point(d, n: int):
    """The point of the first geom with the same weights: sum of weight_i first_i."""
    x = d.diff_first[0] * d.simplex_weight[0]
    for i in range(1, n):
        x += d.diff_first[i] * d.simplex_weight[i]
    return x


@kernel
def is_simplex_vertex(d, n: int, point):
    """Whether a point is a vertex of the simplex already: then GJK makes no progress."""
    for i in range(n):
        vertex = d.diff_point[i]
        if vertex.x == point.x and vertex.y == point.y and vertex.z == point.z:
            return True
    return False


@kernel
def gjk(m, d, g1: int, g2: int, turn, shift, cutoff):
    """Nearest points of the cores of two geoms, or that they overlap.  Mirrors mjc_gjk.

    turn, shift: the second geom's axes and position in the frame of the first.
    cutoff:      distances beyond it are not computed exactly.
    Returns (outcome, n, x, first, late), all in the frame of the first geom:
        outcome  BEYOND_CUTOFF, DISJOINT or OVERLAPPING
        n        vertices of the last simplex, in `diff_point`
        x        point of the Minkowski difference A - B nearest to the origin, first - second
        first    nearest point of the first core
        late     whether `ccd_iterations` ran out before the tolerance was reached
    """
    d.hull_hint[0] = -1
    d.hull_hint[1] = -1
    touching = TOUCHING_TOLERANCE * pair_size(m, g1, g2)
    slack = 0.0
    if not (is_polyhedron(m, g1) and is_polyhedron(m, g2)):
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
        point = minkowski_support(m, d, g1, g2, turn, shift, n, x * (-1.0 / length))
        lower = dot(x, point)
        if lower > 0.0 and lower > cutoff * length:
            return BEYOND_CUTOFF, n, x, first, False
        left = length * length - lower
        if n > 0 and (
            left <= slack + GJK_TOLERANCE * length * length or is_simplex_vertex(d, n, point)
        ):
            late = False
            break
        n = reduce_simplex(d, n + 1)
        if n == 4 or n == 0:
            return OVERLAPPING if n == 4 else BEYOND_CUTOFF, n, x, first, False
        nearer = nearest_simplex_point(d, n)
        # the first x, from the centres, need not be in the Minkowski difference
        if not norm(nearer) < length and k > 0:
            late = False
            break
        x = nearer
        first = nearest_first_point(d, n)
        length = norm(x)
        if length <= touching:
            return OVERLAPPING, n, x, first, False
    return DISJOINT if lower > 0.0 else OVERLAPPING, n, x, first, late
