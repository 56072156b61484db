"""Signed distance of a height field and a convex geom: that of the nearest or deepest prism.

Source: docs/collision.md, "Height fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.collision.convex.minkowski import relative_position, relative_rotation
from cortenforge.step.collision.convex.nearest_points import has_polytope_room
from cortenforge.step.collision.hfield.cells import (
    box_lower_corner,
    box_upper_corner,
    cells_under_box,
)
from cortenforge.step.collision.hfield.portal_refinement import is_below_surface
from cortenforge.step.collision.hfield.prism import (
    clear_separating_direction,
    find_prism_contact,
    highest_cell_corner,
    set_prism,
)
from cortenforge.step.rays.hfield import cell_depth, cell_width, grid_corner


@kernel(unit=True)
def hfield_distance(m, d, g1: int, g2: int):
    """Nearest or deepest points of a height field and a geom, if not beyond `query_reach`.

    Cells under the geom come first; the distance found there bounds the search around them.
    """
    d.found = 0
    if has_polytope_room(m, d):
        turn = relative_rotation(d, g1, g2)
        centre = relative_position(d, g1, g2)
        d.hull_hint[1] = -1
        low = box_lower_corner(m, d, g2, turn, centre)
        high = box_upper_corner(m, d, g2, turn, centre)
        d.nearest_dist = d.query_reach
        d.nearest = 0
        if low.x <= high.x and low.y <= high.y and low.z <= high.z:
            for around in range(2):
                reach = max(d.nearest_dist, 0.0) if around == 1 else 0.0
                search_prisms(m, d, g1, g2, turn, centre, low, high, reach)
        d.found = d.nearest
        d.found_dist[0] = d.nearest_dist
        d.found_pos[0] = d.nearest_pos
        d.found_normal = d.nearest_normal


@kernel
def search_prisms(m, d, g1: int, g2: int, turn, centre, low, high, reach):
    """Search the prisms of cells not farther than `reach` beside the geom."""
    field = m.geom_dataid[g1]
    width = cell_width(m, field)
    depth = cell_depth(m, field)
    left, right, front, back = cells_under_box(m, field, low, high, reach)
    origin = grid_corner(m, field, front, left)
    sunk = is_below_surface(m, field, centre)
    clear_separating_direction(d)
    for row in range(front, back + 1):
        for column in range(left, right + 1):
            if highest_cell_corner(m, field, row, column) + d.nearest_dist >= low.z:
                x = width * (column - left)
                y = depth * (row - front)
                for half in range(2):
                    set_prism(m, d, field, row, column, half, x, y, width, depth)
                    find_prism_contact(m, d, g1, g2, turn, centre - origin, d.nearest_dist, sunk)
                    store_nearer_prism(d, origin)


@kernel
def store_nearer_prism(d, origin):
    """Keep the contact found, if it is the nearest so far."""
    if d.found > 0 and d.found_dist[0] <= d.nearest_dist:
        d.nearest = 1
        d.nearest_dist = d.found_dist[0]
        d.nearest_pos = origin + d.found_pos[0]
        d.nearest_normal = d.found_normal
