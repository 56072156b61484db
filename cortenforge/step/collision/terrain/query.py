"""Signed distance of a height field and a convex geom: that of the nearest or deepest prism."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.collision.convex.pair import has_polytope_room
from cortenforge.step.collision.terrain.cells import (
    first_cell,
    grid_corner,
    last_cell,
    lower_end,
    step_x,
    step_y,
    upper_end,
)
from cortenforge.step.collision.terrain.prism import (
    forget_side,
    highest_of_cell,
    meet_prism,
    set_prism,
)
from cortenforge.step.collision.terrain.upward import is_sunk


@kernel(unit=True)
def field_distance(m, d, g1: int, g2: int):
    """Nearest or deepest points of a height field and a geom, if not beyond `query_reach`.

    Cells under the geom come first; the distance found there bounds the search around them.
    """
    d.found = 0
    if has_polytope_room(m, d):
        turn = turn_between(d, g1, g2)
        centre = shift_between(d, g1, g2)
        d.hull_hint[1] = -1
        low = lower_end(m, d, g2, turn, centre)
        high = upper_end(m, d, g2, turn, centre)
        d.nearest_dist = d.query_reach
        d.nearest = 0
        if low.x <= high.x and low.y <= high.y and low.z <= high.z:
            for around in range(2):
                reach = max(d.nearest_dist, 0.0) if around == 1 else 0.0
                search_cells(m, d, g1, g2, turn, centre, low, high, reach)
        d.found = d.nearest
        d.found_dist[0] = d.nearest_dist
        d.found_pos[0] = d.nearest_pos
        d.found_normal = d.nearest_normal


@kernel
def search_cells(m, d, g1: int, g2: int, turn, centre, low, high, reach):
    """Search the prisms of cells not farther than `reach` beside the geom."""
    field = m.geom_dataid[g1]
    width = step_x(m, field)
    depth = step_y(m, field)
    left = first_cell(low.x - reach, m.hfield_size[field, 0], m.hfield_ncol[field])
    right = last_cell(high.x + reach, m.hfield_size[field, 0], m.hfield_ncol[field])
    front = first_cell(low.y - reach, m.hfield_size[field, 1], m.hfield_nrow[field])
    back = last_cell(high.y + reach, m.hfield_size[field, 1], m.hfield_nrow[field])
    origin = grid_corner(m, field, front, left)
    sunk = is_sunk(m, field, centre)
    forget_side(d)
    for row in range(front, back + 1):
        for column in range(left, right + 1):
            if highest_of_cell(m, field, row, column) + d.nearest_dist >= low.z:
                x = width * (column - left)
                y = depth * (row - front)
                for half in range(2):
                    set_prism(m, d, field, row, column, half, x, y, width, depth)
                    meet_prism(m, d, g1, g2, turn, centre - origin, d.nearest_dist, sunk)
                    keep_nearer(d, origin)


@kernel
def keep_nearer(d, origin):
    """Keep the contact found, if it is the nearest so far."""
    if d.found > 0 and d.found_dist[0] <= d.nearest_dist:
        d.nearest = 1
        d.nearest_dist = d.found_dist[0]
        d.nearest_pos = origin + d.found_pos[0]
        d.nearest_normal = d.found_normal
