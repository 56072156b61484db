"""Surface of a height field: the cell of a place, height and normal there."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import unit


@kernel
def hfield_cell(place, count: int):
    """The cell of a coordinate in a row of cells, the nearest one if outside.

    The first one for nan, which then hits nothing.
    """
    if place > 0.0:
        return math.floor(min(place, count - 2.0))
    return 0


@kernel
def hfield_surface_at(m, field: int, x, y):
    """Height of a height field at (x, y), and its triangle's normal: (height, normal).

    Cells are split along the diagonal from their corner at low x and y, as in collisions and rays.
    """
    columns = m.hfield_ncol[field]
    pace_x = 0.5 * (columns - 1) / m.hfield_size[field, 0]
    pace_y = 0.5 * (m.hfield_nrow[field] - 1) / m.hfield_size[field, 1]
    place_x = (x + m.hfield_size[field, 0]) * pace_x
    place_y = (y + m.hfield_size[field, 1]) * pace_y
    column = hfield_cell(place_x, columns)
    row = hfield_cell(place_y, m.hfield_nrow[field])
    at = m.hfield_adr[field] + row * columns + column
    here = m.hfield_data[at]
    opposite = m.hfield_data[at + columns + 1]
    across = place_x - column
    up = place_y - row
    by_x = 0.0
    by_y = 0.0
    if across >= up:
        by_x = m.hfield_data[at + 1] - here
        by_y = opposite - m.hfield_data[at + 1]
    else:
        by_x = opposite - m.hfield_data[at + columns]
        by_y = m.hfield_data[at + columns] - here
    top = m.hfield_size[field, 2]
    normal = unit(vec3(-by_x * top * pace_x, -by_y * top * pace_y, 1.0))
    return top * (here + across * by_x + up * by_y), normal
