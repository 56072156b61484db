"""Data fields of static geoms: their bounding spheres, a tree of boxes, what is near of them."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
STATIC_CAPACITIES: dict[str, tuple[int, str]] = {
    "nstaticmax": (0, "near pairs with static geoms there is room for"),
}

STATIC_SCRATCH: tuple[Field, ...] = table(
    "collision",
    "scratch",
    """
    static_x      | real world | nstaticpad | m | step.collision.static_bvh | Where static geoms are, in the order of the tree.
    static_y      | real world | nstaticpad | m | step.collision.static_bvh | The same along y.
    static_z      | real world | nstaticpad | m | step.collision.static_bvh | The same along z.
    static_reach  | real world | nstaticpad | m | step.collision.static_bvh | Radii within which they can have contacts.
    box_xlow      | real world | nstaticbox | m | step.collision.static_bvh | Where boxes of the tree begin.
    box_xhigh     | real world | nstaticbox | m | step.collision.static_bvh | Where they end.
    box_ylow      | real world | nstaticbox | m | step.collision.static_bvh | The same along y.
    box_yhigh     | real world | nstaticbox | m | step.collision.static_bvh | The same along y.
    box_zlow      | real world | nstaticbox | m | step.collision.static_bvh | The same along z.
    box_zhigh     | real world | nstaticbox | m | step.collision.static_bvh | The same along z.
    walk_bits     | word world | 8          |   | step.collision.static_pairs | Boxes that a search has still to look into, on each level, as bits.
    walk_first    | int world  | 8          |   | step.collision.static_pairs | The first of these boxes, counted on its level.
    nstaticpair   | int world  |            |   | step.collision.static_pairs | How many pairs of a moving and a static geom are near.
    static_pair   | int world  | nstaticmax |   | step.collision.static_pairs | These pairs, in the order of contacts.
    static_key    | int world  | nstaticmax 4 |  | step.collision.static_pairs | What decides that order: both bodies, both geoms.
    static_next   | int world  |            |   | step.collision.static_pairs | How many of them were given to their families.
    static_head   | int world  |            |   | step.collision.static_pairs | The next of them, or -1.
    """,
)
