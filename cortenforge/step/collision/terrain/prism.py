"""Prisms of a height field: what is below a triangle of the surface, down to the base.

A cell has two, split along the diagonal from its corner at low x and y. Coordinates are relative to
a grid point near the geom, so that large fields cost no digits.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, into_frame, unit
from cortenforge.step.collision.convex.farthest import (
    farthest,
    farthest_of_prism,
    radius_around,
)
from cortenforge.step.collision.convex.pair import meet
from cortenforge.step.collision.convex.simplex import FAR
from cortenforge.step.collision.terrain.upward import lift


@kernel
def elevation(m, field: int, row: int, column: int):
    """Height of a grid point.  [m]"""
    at = m.hfield_adr[field] + row * m.hfield_ncol[field] + column
    return m.hfield_data[at] * m.hfield_size[field, 2]


@kernel
def highest_of_cell(m, field: int, row: int, column: int):
    """Height of the highest corner of a cell.  [m]"""
    here = max(elevation(m, field, row, column), elevation(m, field, row, column + 1))
    there = max(elevation(m, field, row + 1, column), elevation(m, field, row + 1, column + 1))
    return max(here, there)


@kernel
def set_corner(d, k: int, x, y, z, base):
    """Write a surface corner of the prism, and the base corner below it."""
    d.prism[k] = vec3(x, y, -base)
    d.prism[3 + k] = vec3(x, y, z)


@kernel
def set_prism(m, d, field: int, row: int, column: int, half: int, x, y, width, depth):
    """Write the prism of half a cell: half 0 is the one at low x, half 1 the one at high x.

    x, y: the cell's corner at low x and y.  width, depth: its size.
    """
    base = m.hfield_size[field, 3]
    here = elevation(m, field, row, column)
    opposite = elevation(m, field, row + 1, column + 1)
    # counter-clockwise from above
    if half == 0:
        set_corner(d, 0, x, y + depth, elevation(m, field, row + 1, column), base)
        set_corner(d, 1, x, y, here, base)
        set_corner(d, 2, x + width, y + depth, opposite, base)
    else:
        set_corner(d, 0, x, y, here, base)
        set_corner(d, 1, x + width, y, elevation(m, field, row, column + 1), base)
        set_corner(d, 2, x + width, y + depth, opposite, base)


@kernel
def surface_normal(d):
    """Outward unit normal of the prism's surface triangle."""
    return unit(cross(d.prism[4] - d.prism[3], d.prism[5] - d.prism[3]))


@kernel
def is_above(m, d, g: int, turn, shift, reach):
    """Whether a geom is farther than `reach` above the plane of the prism's surface."""
    normal = surface_normal(d)
    local, _corner = farthest(m, d, g, 1, into_frame(turn, -normal))
    lowest = turn @ local + shift - d.prism[3]
    return dot(lowest, normal) - radius_around(m, g) > reach


@kernel
def is_beside(d, reach):
    """Whether the last separating direction separates this prism by more than `reach`."""
    corner = farthest_of_prism(d, -d.apart)
    return dot(d.prism[corner], d.apart) - d.apart_level > reach


@kernel
def forget_side(d):
    """Start without a separating direction."""
    d.apart = vec3(0.0, 0.0, 0.0)
    d.apart_level = FAR


@kernel
def remember_side(m, d, g: int, turn, shift):
    """Keep the direction that separates a prism from the geom, and the geom's extent."""
    side = unit(d.apart)
    local, _corner = farthest(m, d, g, 1, into_frame(turn, side))
    d.apart = side
    d.apart_level = dot(turn @ local + shift, side) + radius_around(m, g)


@kernel
def meet_prism(m, d, g1: int, g2: int, turn, shift, reach, sunk):
    """Nearest or deepest points of a prism and a geom within reach; whether iterations ran out.

    sunk: the geom's centre is below the surface, so that it has to leave upward.
    """
    late = False
    d.found = 0
    if not (is_beside(d, reach) or is_above(m, d, g2, turn, shift, reach)):
        late = meet(m, d, g1, g2, turn, shift, reach)
        if d.found == 0:
            remember_side(m, d, g2, turn, shift)
        elif sunk and d.found_dist[0] < 0.0:
            late = lift(m, d, g1, g2, turn, shift)
    return late
