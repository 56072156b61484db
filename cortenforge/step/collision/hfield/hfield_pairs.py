"""Collision of height fields with convex geoms: one contact a prism, in order of rows.

These kernels branch on data, so worlds in lockstep run one after another. Sources: MuJoCo:
Computation, "Checking"; docs/collision.md, "Height fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import append_contact
from cortenforge.step.collision.convex.minkowski import relative_position, relative_rotation
from cortenforge.step.collision.convex.nearest_points import has_polytope_room
from cortenforge.step.collision.hfield.cells import (
    box_lower_corner,
    box_misses_hfield,
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
from cortenforge.step.status import warn
from cortenforge.step.statuses import WARN_CONVEX


@kernel(unit=True)
def hfield_convex(m, d, p: int, g1: int, g2: int):
    """Contacts of a height field and a convex geom, one a prism.  Mirrors mjc_ConvexHField.

    There is no limit of fifty contacts. A geom whose centre is below the surface is pushed out
    through the surface, where MuJoCo pushes it from prism to prism, or down.
    """
    if d.asked == 1 and has_polytope_room(m, d):
        field = m.geom_dataid[g1]
        reach = detection_distance(m, p, g1, g2)
        turn = relative_rotation(d, g1, g2)
        centre = relative_position(d, g1, g2)
        d.hull_hint[1] = -1
        low = box_lower_corner(m, d, g2, turn, centre)
        high = box_upper_corner(m, d, g2, turn, centre)
        if not box_misses_hfield(m, field, low, high, reach):
            add_prism_contacts(m, d, p, g1, g2, turn, centre, low, high)


@kernel
def add_prism_contacts(m, d, p: int, g1: int, g2: int, turn, centre, low, high):
    """Contacts with the prisms of all cells under a geom, row by row."""
    field = m.geom_dataid[g1]
    reach = detection_distance(m, p, g1, g2)
    width = cell_width(m, field)
    depth = cell_depth(m, field)
    left, right, front, back = cells_under_box(m, field, low, high, reach)
    origin = grid_corner(m, field, front, left)
    sunk = is_below_surface(m, field, centre)
    clear_separating_direction(d)
    for row in range(front, back + 1):
        for column in range(left, right + 1):
            if highest_cell_corner(m, field, row, column) + reach >= low.z:
                x = width * (column - left)
                y = depth * (row - front)
                for half in range(2):
                    set_prism(m, d, field, row, column, half, x, y, width, depth)
                    add_prism_contact(m, d, p, g1, g2, turn, centre - origin, origin, sunk)


@kernel
def add_prism_contact(m, d, p: int, g1: int, g2: int, turn, shift, origin, sunk):
    """Append the contact with a prism, if dist < reach."""
    reach = detection_distance(m, p, g1, g2)
    late = find_prism_contact(m, d, g1, g2, turn, shift, reach, sunk)
    warn(d, WARN_CONVEX, late, p, 1.0 * m.opt_ccd_iterations)
    if d.found > 0 and d.found_dist[0] < reach:
        axes = d.geom_xmat[g1]
        pos = d.geom_xpos[g1] + axes @ (origin + d.found_pos[0])
        append_contact(d, p, d.found_dist[0], pos, axes @ d.found_normal, vec3(0.0, 0.0, 0.0))
