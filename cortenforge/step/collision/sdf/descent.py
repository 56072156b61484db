"""Where one shape is deepest inside another: descent of a distance within a solid.

MuJoCo descends by gradients with a fixed backtracking and stops after `sdf_iterations`, wherever it
is; its depth is then measured half way between the surfaces. Here a point stays in the solid, which
is one side, and goes down the distance from the other; steps are as long as the last one showed the
way to bend (Barzilai and Borwein). Where it ends, that distance is the distance of both shapes:
apart, touching or inside each other.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, dot, unit
from cortenforge.step.collision.sdf.sides import TRIANGLE, settled, side_distance

#: tries with a shorter step, how much shorter, and what part of the expected gain is enough
TRIES = 8
SHORTER = 0.35
ENOUGH = 0.1
#: no way down: square of the slope; square of a step that is none, in sizes
LEVEL = 1e-18
STILL = 1e-15
#: a descent whose last gain, so many times, would not reach the surface is given up
HOPE = 10.0
#: a point this deep in a solid, in sizes, can move in all directions
INNER = 1e-7
#: how far beyond the surface the way out is looked at, in sizes, and the least cosine
BEYOND = 1e-3
ALIKE = 0.8


@kernel
def within(slope, level, outward, side: int, size):
    """The part of a slope that does not lead out of the solid."""
    along = dot(slope, outward) / max(dot(outward, outward), MINVAL)
    way = slope
    if level > -INNER * size and (along < 0.0 or side == TRIANGLE):
        way = slope - outward * along
    return way


@kernel
def descend(m, d, deep: int, deep_side: int, solid: int, side: int, start, size, reach):
    """The point of a solid that is lowest in the other side's distance, as far as one can go.

    Gives the point, the distance, its slope, and how far the point is outside of the solid.
    """
    x, level, outward = settled(m, d, solid, side, start, size)
    value, slope = side_distance(m, d, deep, deep_side, x)
    stride = size
    for _step in range(m.opt_sdf_iterations):
        way = within(slope, level, outward, side, size)
        if dot(way, way) < LEVEL:
            break
        y, next_level, next_outward = x, level, outward
        next_value, next_slope = value, slope
        taken = False
        for _try in range(TRIES):
            y, next_level, next_outward = settled(m, d, solid, side, x - way * stride, size)
            next_value, next_slope = side_distance(m, d, deep, deep_side, y)
            if next_value <= value - ENOUGH * dot(way, x - y):
                taken = True
                break
            stride *= SHORTER
        if not taken:
            break
        moved = y - x
        square = dot(moved, moved)
        bend = dot(moved, within(next_slope, next_level, next_outward, side, size) - way)
        stride = min(size, square / bend) if bend * size > square else size
        hopeless = next_value - HOPE * (value - next_value) > reach
        x, level, outward = y, next_level, next_outward
        value, slope = next_value, next_slope
        if hopeless or square < STILL * size * size:
            break
    return x, value + max(level, 0.0), slope, level


@kernel
def is_end(m, d, solid: int, side: int, x, level, slope, size):
    """Whether a descent ended where the solid's surface is, across the way down.

    Beyond the surface, the solid's gradient leads on along the slope, also at corners and edges.
    """
    out = unit(slope)
    _beyond, outward = side_distance(m, d, solid, side, x - out * (BEYOND * size))
    return level > -INNER * size and -dot(out, unit(outward)) > ALIKE
