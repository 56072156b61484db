"""Collision of height fields with convex geoms: one contact a prism, in order of rows.

These kernels branch on data, so worlds in lockstep run one after another. Sources: MuJoCo:
Computation, "Checking"; docs/collision.md, "Height fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.broad import reach_of
from cortenforge.step.collision.contacts import append
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.collision.convex.pair import has_polytope_room
from cortenforge.step.collision.terrain.cells import (
    first_cell,
    grid_corner,
    is_outside,
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
from cortenforge.step.status import warn
from cortenforge.step.statuses import CONVEX


@kernel(unit=True)
def hfield_convex(m, d, p: int, g1: int, g2: int):
    """Contacts of a height field and a convex geom, one a prism.  Mirrors mjc_ConvexHField.

     There is no limit of fifty contacts. A geom whose centre is below the surface is pushed out
    through the surface, where MuJoCo pushes it from prism to prism, or down.
    """
    if d.asked == 1 and has_polytope_room(m, d):
        field = m.geom_dataid[g1]
        reach = reach_of(m, p, g1, g2)
        turn = turn_between(d, g1, g2)
        centre = shift_between(d, g1, g2)
        d.hull_hint[1] = -1
        low = lower_end(m, d, g2, turn, centre)
        high = upper_end(m, d, g2, turn, centre)
        if not is_outside(m, field, low, high, reach):
            touch_cells(m, d, p, g1, g2, turn, centre, low, high)


@kernel
def touch_cells(m, d, p: int, g1: int, g2: int, turn, centre, low, high):
    """Contacts with the prisms of all cells under a geom, row by row."""
    field = m.geom_dataid[g1]
    reach = reach_of(m, p, g1, g2)
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
            if highest_of_cell(m, field, row, column) + reach >= low.z:
                x = width * (column - left)
                y = depth * (row - front)
                for half in range(2):
                    set_prism(m, d, field, row, column, half, x, y, width, depth)
                    touch_prism(m, d, p, g1, g2, turn, centre - origin, origin, sunk)


@kernel
def touch_prism(m, d, p: int, g1: int, g2: int, turn, shift, origin, sunk):
    """Append the contact with a prism, if dist < reach."""
    reach = reach_of(m, p, g1, g2)
    late = meet_prism(m, d, g1, g2, turn, shift, reach, sunk)
    warn(d, CONVEX, late, p, 1.0 * m.opt_ccd_iterations)
    if d.found > 0 and d.found_dist[0] < reach:
        axes = d.geom_xmat[g1]
        pos = d.geom_xpos[g1] + axes @ (origin + d.found_pos[0])
        append(d, p, d.found_dist[0], pos, axes @ d.found_normal, vec3(0.0, 0.0, 0.0))
