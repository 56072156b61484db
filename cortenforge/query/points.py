"""Signed distances and heights at many points."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import unit
from cortenforge.step.rays.shapes import HUGE
from cortenforge.step.rays.terrain import cell_of
from cortenforge.step.shapes.octree import octree_distance


@kernel
def is_finite(p):
    """Whether a point is somewhere."""
    return abs(p.x) + abs(p.y) + abs(p.z) < HUGE


@kernel(unit=True)
def field_distances(m, d):
    """How far points are from the surface of a mesh with an octree, and the gradient there."""
    d.wrong = -1
    for i in range(d.npoint):
        if not is_finite(d.point[i]):
            d.wrong = i
            break
        distance, gradient = octree_distance(m, d.asset, d.point[i])
        d.value[i] = distance
        d.slope[i] = gradient


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


@kernel(unit=True)
def field_heights(m, d):
    """How high a height field is at places, and its normal; nothing is written beside the field."""
    d.wrong = -1
    for i in range(d.npoint):
        p = d.point[i]
        if not is_finite(p):
            d.wrong = i
            break
        if abs(p.x) <= m.hfield_size[d.asset, 0] and abs(p.y) <= m.hfield_size[d.asset, 1]:
            height, normal = on_surface(m, d.asset, p.x, p.y)
            d.value[i] = height
            d.slope[i] = normal
