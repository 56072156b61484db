"""Cells of a height field that are under a geom's bounding box, in the field's axes.

    cells from floor((low + half) (count - 1) / (2 half)) to the same of high, on both axes

low and high are the box' ends, by support points; half is the field's half size.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.collision.convex.support_function import rounding_radius, support
from cortenforge.step.signed_distance.hfield_surface import hfield_cell


@kernel
def geom_extent(m, d, g: int, turn, along):
    """How far a geom extends from its centre along a unit direction of the field's axes.  [m]"""
    local, _corner = support(m, d, g, 1, into_frame(turn, along))
    return dot(turn @ local, along) + rounding_radius(m, g)


@kernel
def box_lower_corner(m, d, g: int, turn, centre):
    """Lower corner of a geom's axis-aligned bounding box, in the field's axes."""
    return vec3(
        centre.x - geom_extent(m, d, g, turn, vec3(-1.0, 0.0, 0.0)),
        centre.y - geom_extent(m, d, g, turn, vec3(0.0, -1.0, 0.0)),
        centre.z - geom_extent(m, d, g, turn, vec3(0.0, 0.0, -1.0)),
    )


@kernel
def box_upper_corner(m, d, g: int, turn, centre):
    """Upper corner of that box."""
    return vec3(
        centre.x + geom_extent(m, d, g, turn, vec3(1.0, 0.0, 0.0)),
        centre.y + geom_extent(m, d, g, turn, vec3(0.0, 1.0, 0.0)),
        centre.z + geom_extent(m, d, g, turn, vec3(0.0, 0.0, 1.0)),
    )


@kernel
def box_misses_hfield(m, field: int, low, high, reach):
    """Whether a box is farther than `reach` from a field's box, or not finite."""
    near_x = low.x - reach <= m.hfield_size[field, 0] and high.x + reach >= -m.hfield_size[field, 0]
    near_y = low.y - reach <= m.hfield_size[field, 1] and high.y + reach >= -m.hfield_size[field, 1]
    near_z = low.z - reach <= m.hfield_size[field, 2] and high.z + reach >= -m.hfield_size[field, 3]
    return not (near_x and near_y and near_z)


@kernel
def first_cell(place, half, count: int):
    """Cell of a coordinate from -half to half, the nearest one if outside.

    On a border it is the upper one of two cells.
    """
    return hfield_cell((place + half) * (0.5 * (count - 1) / half), count)


@kernel
def last_cell(place, half, count: int):
    """The same, the lower one of two cells on a border."""
    return count - 2 - first_cell(-place, half, count)


@kernel
def cells_under_box(m, field: int, low, high, reach):
    """Cells of a field within `reach` beside a box: (left, right, front, back), all included.

    left, right: columns, along x.  front, back: rows, along y.
    """
    size_x, size_y = m.hfield_size[field, 0], m.hfield_size[field, 1]
    left = first_cell(low.x - reach, size_x, m.hfield_ncol[field])
    right = last_cell(high.x + reach, size_x, m.hfield_ncol[field])
    front = first_cell(low.y - reach, size_y, m.hfield_nrow[field])
    back = last_cell(high.y + reach, size_y, m.hfield_nrow[field])
    return left, right, front, back
