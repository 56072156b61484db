"""Signed distances on a user's grid: trilinear interpolation between eight neighbours.

Values are in the order Z-Y-X, x fastest. Outside of the grid, the distance from its box is added to
the value at its nearest point.

    f(x, y, z) = sum of c_ijk X_i Y_j Z_k,   X = (1 - x, x),  Y = (1 - y, y),  Z = (1 - z, z)

x, y, z are from 0 to 1 in a cell, c_ijk the values at its corners: as in `octree`.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.step.signed_distance.octree import lerp
from cortenforge.step.signed_distance.outside_box import extend_beyond_box


@kernel
def grid_cell(place, count: int):
    """The cell of a coordinate in a row of values, the nearest one if outside."""
    return min(max(math.floor(place), 0), count - 2)


@kernel
def grid_distance(m, g: int, p):
    """Signed distance of a point from the surface in a geom's grid: (distance, gradient)."""
    nx = m.geom_gridsize[g, 0]
    ny = m.geom_gridsize[g, 1]
    cell = m.geom_gridcell[g]
    inside = (p - m.geom_gridorigin[g]) * (1.0 / cell)
    x = clip(inside.x, 0.0, 1.0 * (nx - 1))
    y = clip(inside.y, 0.0, 1.0 * (ny - 1))
    z = clip(inside.z, 0.0, 1.0 * (m.geom_gridsize[g, 2] - 1))
    i = grid_cell(x, nx)
    j = grid_cell(y, ny)
    k = grid_cell(z, m.geom_gridsize[g, 2])
    at = m.geom_gridadr[g] + (k * ny + j) * nx + i
    above = at + ny * nx
    u = x - i
    v = y - j
    w = z - k
    a = lerp(m.grid_data[at], m.grid_data[at + 1], u)
    b = lerp(m.grid_data[at + nx], m.grid_data[at + nx + 1], u)
    c = lerp(m.grid_data[above], m.grid_data[above + 1], u)
    e = lerp(m.grid_data[above + nx], m.grid_data[above + nx + 1], u)
    low = lerp(a, b, v)
    high = lerp(c, e, v)
    distance = lerp(low, high, w)
    along_x = lerp(
        lerp(
            m.grid_data[at + 1] - m.grid_data[at],
            m.grid_data[at + nx + 1] - m.grid_data[at + nx],
            v,
        ),
        lerp(
            m.grid_data[above + 1] - m.grid_data[above],
            m.grid_data[above + nx + 1] - m.grid_data[above + nx],
            v,
        ),
        w,
    )
    gradient = vec3(along_x, lerp(b - a, e - c, w), high - low) * (1.0 / cell)
    away = vec3(inside.x - x, inside.y - y, inside.z - z) * cell
    return extend_beyond_box(distance, gradient, away)
