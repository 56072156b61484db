"""Prisms of a height field: what is below a triangle of the surface, down to the base.

A cell has two, split along the diagonal from its corner at low x and y. Coordinates are relative to
a grid point near the geom, so that large fields cost no digits.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, into_frame, unit
from cortenforge.step.collision.convex.nearest_points import find_nearest_points
from cortenforge.step.collision.convex.simplex import INFINITE_DISTANCE
from cortenforge.step.collision.convex.support_function import (
    prism_support,
    rounding_radius,
    support,
)
from cortenforge.step.collision.hfield.portal_refinement import push_out_upward
from cortenforge.step.rays.hfield import grid_height


@kernel
def highest_cell_corner(m, field: int, row: int, column: int):
    """Height of the highest corner of a cell.  [m]"""
    here = max(grid_height(m, field, row, column), grid_height(m, field, row, column + 1))
    there = max(grid_height(m, field, row + 1, column), grid_height(m, field, row + 1, column + 1))
    return max(here, there)


@kernel
def set_prism_corner(d, k: int, x, y, z, base):
    """Write a surface corner of the prism, and the base corner below it."""
    d.prism[k] = vec3(x, y, -base)
    d.prism[3 + k] = vec3(x, y, z)


@kernel
def set_prism(m, d, field: int, row: int, column: int, half: int, x, y, width, depth):
    """Write the prism of half a cell: half 0 is the one at low x, half 1 the one at high x.

    x, y: the cell's corner at low x and y.  width, depth: its size.
    """
    base = m.hfield_size[field, 3]
    here = grid_height(m, field, row, column)
    opposite = grid_height(m, field, row + 1, column + 1)
    # counter-clockwise from above
    if half == 0:
        set_prism_corner(d, 0, x, y + depth, grid_height(m, field, row + 1, column), base)
        set_prism_corner(d, 1, x, y, here, base)
        set_prism_corner(d, 2, x + width, y + depth, opposite, base)
    else:
        set_prism_corner(d, 0, x, y, here, base)
        set_prism_corner(d, 1, x + width, y, grid_height(m, field, row, column + 1), base)
        set_prism_corner(d, 2, x + width, y + depth, opposite, base)


@kernel
def prism_surface_normal(d):
    """Outward unit normal of the prism's surface triangle."""
    return unit(cross(d.prism[4] - d.prism[3], d.prism[5] - d.prism[3]))


@kernel
def is_above_prism(m, d, g: int, turn, shift, reach):
    """Whether a geom is farther than `reach` above the plane of the prism's surface."""
    normal = prism_surface_normal(d)
    local, _corner = support(m, d, g, 1, into_frame(turn, -normal))
    lowest = turn @ local + shift - d.prism[3]
    return dot(lowest, normal) - rounding_radius(m, g) > reach


@kernel
def is_beside_prism(d, reach):
    """Whether the last separating direction separates this prism by more than `reach`."""
    corner = prism_support(d, -d.apart)
    return dot(d.prism[corner], d.apart) - d.apart_level > reach


@kernel
def clear_separating_direction(d):
    """Start without a separating direction."""
    d.apart = vec3(0.0, 0.0, 0.0)
    d.apart_level = INFINITE_DISTANCE


@kernel
def store_separating_direction(m, d, g: int, turn, shift):
    """Keep the direction that separates a prism from the geom, and the geom's extent."""
    side = unit(d.apart)
    local, _corner = support(m, d, g, 1, into_frame(turn, side))
    d.apart = side
    d.apart_level = dot(turn @ local + shift, side) + rounding_radius(m, g)


@kernel
def find_prism_contact(m, d, g1: int, g2: int, turn, shift, reach, sunk):
    """Nearest or deepest points of a prism and a geom within reach; whether iterations ran out.

    sunk: the geom's centre is below the surface, so that it has to leave upward.
    """
    late = False
    d.found = 0
    if not (is_beside_prism(d, reach) or is_above_prism(m, d, g2, turn, shift, reach)):
        late = find_nearest_points(m, d, g1, g2, turn, shift, reach)
        if d.found == 0:
            store_separating_direction(m, d, g2, turn, shift)
        elif sunk and d.found_dist[0] < 0.0:
            late = push_out_upward(m, d, g1, g2, turn, shift)
    return late
