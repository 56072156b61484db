"""Height fields as functions of a place: height and normal, and how far a point is above."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import unit
from cortenforge.step.rays.terrain import cell_of


@kernel
def on_surface(m, field: int, x, y):
    """Height of a height field at a place of it, and the normal of the triangle there.

    A cell is cut from its corner at low x and y to the opposite one, as collisions and rays have
    it.
    """
    columns = m.hfield_ncol[field]
    pace_x = 0.5 * (columns - 1) / m.hfield_size[field, 0]
    pace_y = 0.5 * (m.hfield_nrow[field] - 1) / m.hfield_size[field, 1]
    place_x = (x + m.hfield_size[field, 0]) * pace_x
    place_y = (y + m.hfield_size[field, 1]) * pace_y
    column = cell_of(place_x, columns)
    row = cell_of(place_y, m.hfield_nrow[field])
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


@kernel
def terrain_distance(m, field: int, p):
    """How far a point is from a height field: from the triangle below or above it.

    What is inside is always pushed up, as far as it is deep. Beside the field and below its base
    it is the distance from the edge.
    """
    x = clip(p.x, -m.hfield_size[field, 0], m.hfield_size[field, 0])
    y = clip(p.y, -m.hfield_size[field, 1], m.hfield_size[field, 1])
    height, gradient = on_surface(m, field, x, y)
    distance = (p.z - height) * gradient.z
    below = -m.hfield_size[field, 3] - p.z
    if below > 0.0:
        distance = below
        gradient = vec3(0.0, 0.0, -1.0)
    aside = math.sqrt((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y))
    if aside > 0.0:
        over = max(distance, 0.0)
        out = vec3(p.x - x, p.y - y, 0.0) + gradient * over
        distance = math.sqrt(aside * aside + over * over)
        gradient = unit(out)
    return distance, gradient
