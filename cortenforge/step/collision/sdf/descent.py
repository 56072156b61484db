"""SDF descent: the point of a shape deepest inside another, by projected gradients.

    minimize f(x), the distance from one side, over the points x of the other side (the solid)
    x <- P(x - a g),  g the gradient of f without its part out of the solid,  P: onto the solid
    a = |dx|^2 / dx.dg  (Barzilai and Borwein, 1988), shortened until
    f(x_new) <= f(x) - 0.1 g.(x - x_new)  (Armijo)

At the minimum f is the signed distance of both shapes. MuJoCo descends a sum of both distances with
a fixed backtracking for `sdf_iterations` steps, and measures the distance halfway between the
surfaces; the difference is in docs/collision.md, "Distance fields". Sources: Barzilai and Borwein,
"Two-point step size gradient methods", IMA J. Numerical Analysis 8, 1988; Macklin et al., "Local
optimization for robust signed distance field collision", SCA 2020.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, dot, unit
from cortenforge.step.collision.sdf.pair_distance import TRIANGLE, project_onto_solid, side_distance

#: backtracking: most tries, factor of the step, sufficient share of the expected decrease
BACKTRACK_TRIES = 8
BACKTRACK_FACTOR = 0.35
SUFFICIENT_DECREASE = 0.1
#: converged: squared norm of the projected gradient; squared step, relative to the size
FLAT_GRADIENT = 1e-18
STEP_TOLERANCE = 1e-15
#: given up if this many times the last decrease would not reach the surface
HOPELESS_GAIN = 10.0
#: a point this deep in a solid, relative to the size, can move in all directions
INTERIOR_DEPTH = 1e-7
#: how far beyond the surface normals are compared, relative to the size; their least cosine
EXIT_PROBE = 1e-3
ALIGNED_COSINE = 0.8


@kernel
def project_gradient(slope, level, outward, side: int, size):
    """The gradient without its part that leads out of the solid."""
    along = dot(slope, outward) / max(dot(outward, outward), MINVAL)
    way = slope
    if level > -INTERIOR_DEPTH * size and (along < 0.0 or side == TRIANGLE):
        way = slope - outward * along
    return way


@kernel
def descend_distance(m, d, deep: int, deep_side: int, solid: int, side: int, start, size, reach):
    """The point of a solid that is lowest in the other side's distance: (x, dist, slope, level).

    deep, deep_side:  the geom whose distance is minimized.    solid, side: the one that x stays in.
    x:      the minimum, in the frame of the second geom.
    dist:   signed distance of both sides there.
    slope:  gradient of the minimized distance.
    level:  signed distance of x from the solid.
    """
    x, level, outward = project_onto_solid(m, d, solid, side, start, size)
    value, slope = side_distance(m, d, deep, deep_side, x)
    stride = size
    for _step in range(m.opt_sdf_iterations):
        way = project_gradient(slope, level, outward, side, size)
        if dot(way, way) < FLAT_GRADIENT:
            break
        y, next_level, next_outward = x, level, outward
        next_value, next_slope = value, slope
        taken = False
        for _try in range(BACKTRACK_TRIES):
            y, next_level, next_outward = project_onto_solid(
                m, d, solid, side, x - way * stride, size
            )
            next_value, next_slope = side_distance(m, d, deep, deep_side, y)
            if next_value <= value - SUFFICIENT_DECREASE * dot(way, x - y):
                taken = True
                break
            stride *= BACKTRACK_FACTOR
        if not taken:
            break
        moved = y - x
        square = dot(moved, moved)
        bend = dot(moved, project_gradient(next_slope, next_level, next_outward, side, size) - way)
        stride = min(size, square / bend) if bend * size > square else size
        hopeless = next_value - HOPELESS_GAIN * (value - next_value) > reach
        x, level, outward = y, next_level, next_outward
        value, slope = next_value, next_slope
        if hopeless or square < STEP_TOLERANCE * size * size:
            break
    return x, value + max(level, 0.0), slope, level


@kernel
def is_surface_minimum(m, d, solid: int, side: int, x, level, slope, size):
    """Whether a descent ended at the solid's surface, with opposed normals.

    Also at corners and edges: the solid's gradient a little beyond x is compared to the slope.
    """
    out = unit(slope)
    _beyond, outward = side_distance(m, d, solid, side, x - out * (EXIT_PROBE * size))
    return level > -INTERIOR_DEPTH * size and -dot(out, unit(outward)) > ALIGNED_COSINE
