"""Rays against height fields: grid traversal along the ray, to the first triangle.

A field is a box below zero, its base, and prisms from there up to the surface. The parts that are
hit have numbers: from 0 on triangles, two a cell; -5 to -1 sides of the prisms' box; -13 to -7
faces of the base. Source: Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing",
Eurographics 1987 (traversal of a grid).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, unit
from cortenforge.step.rays.primitives import HUGE, box_span, hit_box, ray_face_normal
from cortenforge.step.rays.triangles import hit_triangle, ray_frame
from cortenforge.step.signed_distance.hfield_surface import hfield_cell

#: offsets of part numbers: of the base's faces, -3 to 3, and of sides, -2 to 2
BASE_PART = -10
SIDE_PART = -3
#: slack of cells' borders, so that rounding loses no hit
CELL_SLACK = 1e-9


@kernel
def cell_width(m, field: int):
    """Size of a cell along x.  [m]"""
    return 2.0 * m.hfield_size[field, 0] / (m.hfield_ncol[field] - 1)


@kernel
def cell_depth(m, field: int):
    """Size of a cell along y.  [m]"""
    return 2.0 * m.hfield_size[field, 1] / (m.hfield_nrow[field] - 1)


@kernel
def grid_corner(m, field: int, row: int, column: int):
    """A point of the grid, at height zero."""
    return vec3(
        cell_width(m, field) * column - m.hfield_size[field, 0],
        cell_depth(m, field) * row - m.hfield_size[field, 1],
        0.0,
    )


@kernel
def grid_height(m, field: int, row: int, column: int):
    """Height of a grid point.  [m]"""
    at = m.hfield_adr[field] + row * m.hfield_ncol[field] + column
    return m.hfield_data[at] * m.hfield_size[field, 2]


@kernel
def hfield_vertex(m, field: int, row: int, column: int):
    """A point of the grid, on the surface."""
    below = grid_corner(m, field, row, column)
    return vec3(below.x, below.y, grid_height(m, field, row, column))


@kernel
def hit_hfield_cell(m, field: int, row: int, column: int, p, frame_x, frame_y, frame_z):
    """Distance of the nearer triangle of a cell, and which of the two: (x, which); -1 if none."""
    a = hfield_vertex(m, field, row, column) - p
    b = hfield_vertex(m, field, row, column + 1) - p
    c = hfield_vertex(m, field, row + 1, column + 1) - p
    e = hfield_vertex(m, field, row + 1, column) - p
    x = hit_triangle(a, b, c, frame_x, frame_y, frame_z)
    which = 0
    other = hit_triangle(a, c, e, frame_x, frame_y, frame_z)
    if other >= 0.0 and (x < 0.0 or other < x):
        x = other
        which = 1
    return x, which


@kernel
def cell_spans_heights(m, field: int, row: int, column: int, low, high):
    """Whether a cell's surface has points between two heights."""
    at = m.hfield_adr[field] + row * m.hfield_ncol[field] + column
    a = m.hfield_data[at]
    b = m.hfield_data[at + 1]
    c = m.hfield_data[at + m.hfield_ncol[field]]
    e = m.hfield_data[at + m.hfield_ncol[field] + 1]
    return max(max(a, b), max(c, e)) >= low and min(min(a, b), min(c, e)) <= high


@kernel
def walk_cells(m, field: int, p, v, begin, end):
    """Distance of the surface along an interval of a ray: (x, triangle), or -1, -1.

    Traverses rows of cells along the axis on which the ray crosses more of them; within a row it
    crosses at most one border on the other axis.  Mirrors mj_rayHfield.
    """
    frame_x, frame_y, frame_z = ray_frame(v)
    rows = m.hfield_nrow[field]
    columns = m.hfield_ncol[field]
    # in units of cells: place of the ray's start, and its speed
    pace_x = 0.5 * (columns - 1) / m.hfield_size[field, 0]
    pace_y = 0.5 * (rows - 1) / m.hfield_size[field, 1]
    x = (p.x + m.hfield_size[field, 0]) * pace_x
    y = (p.y + m.hfield_size[field, 1]) * pace_y
    along_x = abs(v.x * pace_x) >= abs(v.y * pace_y)
    main = x if along_x else y
    fast = v.x * pace_x if along_x else v.y * pace_y
    cross_ = y if along_x else x
    slow = v.y * pace_y if along_x else v.x * pace_x
    main_count = columns if along_x else rows
    cross_count = rows if along_x else columns
    over = 1.0 / fast if abs(fast) > 1.0 / HUGE else HUGE
    step = 1 if fast >= 0.0 else -1
    first = hfield_cell(main + begin * fast - step * CELL_SLACK, main_count)
    last = hfield_cell(main + end * fast + step * CELL_SLACK, main_count)
    top = m.hfield_size[field, 2]
    for k in range(abs(last - first) + 1):
        i = first + step * k
        # interval of the ray in this row of cells
        enter = (i - main - CELL_SLACK if step > 0 else i + 1 - main + CELL_SLACK) * over
        leave = (i + 1 - main + CELL_SLACK if step > 0 else i - main - CELL_SLACK) * over
        enter = max(begin, min(enter, end))
        leave = max(begin, min(leave, end))
        a = cross_ + enter * slow
        b = cross_ + leave * slow
        low = (p.z + min(enter * v.z, leave * v.z)) / top - CELL_SLACK
        high = (p.z + max(enter * v.z, leave * v.z)) / top + CELL_SLACK
        best = -1.0
        met = -1
        j_end = hfield_cell(max(a, b) + CELL_SLACK, cross_count)
        for j in range(hfield_cell(min(a, b) - CELL_SLACK, cross_count), j_end + 1):
            row = j if along_x else i
            column = i if along_x else j
            if cell_spans_heights(m, field, row, column, low, high):
                far, which = hit_hfield_cell(m, field, row, column, p, frame_x, frame_y, frame_z)
                if far >= 0.0 and (best < 0.0 or far < best):
                    best = far
                    met = 2 * (row * columns + column) + which
        if met >= 0:
            return best, met
    return -1.0, -1


@kernel
def is_below_edge(m, field: int, side: int, q):
    """Whether a point on a side of the prisms' box is below the surface's edge there."""
    if abs(side) == 3:
        return False
    rows = m.hfield_nrow[field]
    columns = m.hfield_ncol[field]
    start = m.hfield_adr[field]
    across_x = abs(side) == 1
    count = rows if across_x else columns
    half = m.hfield_size[field, 1] if across_x else m.hfield_size[field, 0]
    place = ((q.y if across_x else q.x) + half) * (0.5 * (count - 1) / half)
    k = hfield_cell(place, count)
    apart = columns if across_x else 1
    if side > 0:
        start += columns - 1 if across_x else (rows - 1) * columns
    here = m.hfield_data[start + k * apart]
    there = m.hfield_data[start + (k + 1) * apart]
    return q.z < m.hfield_size[field, 2] * (here * (k + 1 - place) + there * (place - k))


@kernel
def hit_hfield(m, field: int, p, v):
    """Distance of a height field, and the part that is hit: (x, part).  Mirrors mj_rayHfield."""
    size_x = m.hfield_size[field, 0]
    size_y = m.hfield_size[field, 1]
    half = 0.5 * m.hfield_size[field, 3]
    x, face = hit_box(vec3(size_x, size_y, half), vec3(p.x, p.y, p.z + half), v)
    met = BASE_PART + face
    half = 0.5 * m.hfield_size[field, 2]
    above = vec3(p.x, p.y, p.z - half)
    enter, leave, into, out = box_span(vec3(size_x, size_y, half), above, v)
    if enter > leave or leave < 0.0:
        return x, met
    if enter >= 0.0 and (x < 0.0 or enter < x) and is_below_edge(m, field, into, p + v * enter):
        return enter, SIDE_PART + into
    far, triangle = walk_cells(m, field, p, v, max(enter, 0.0), leave)
    if far >= 0.0 and (x < 0.0 or far < x):
        x = far
        met = triangle
    if (x < 0.0 or leave < x) and is_below_edge(m, field, out, p + v * leave):
        return leave, SIDE_PART + out
    return x, met


@kernel
def hfield_normal(m, field: int, met: int):
    """Outward normal of a height field's part."""
    if met < SIDE_PART - 2:
        return ray_face_normal(met - BASE_PART)
    if met < 0:
        return ray_face_normal(met - SIDE_PART)
    columns = m.hfield_ncol[field]
    row = math.floor(0.5 * met / columns)
    column = math.floor(0.5 * met) - row * columns
    a = hfield_vertex(m, field, row, column)
    c = hfield_vertex(m, field, row + 1, column + 1)
    if met - 2 * (row * columns + column) == 0:
        return unit(cross(hfield_vertex(m, field, row, column + 1) - a, c - a))
    return unit(cross(c - a, hfield_vertex(m, field, row + 1, column) - a))
