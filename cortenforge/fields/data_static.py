"""Data fields of static geoms: bounding spheres, tree of boxes, near pairs."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
STATIC_CAPACITIES: dict[str, tuple[int, str]] = {
    "nstaticmax": (0, "capacity for near pairs with static geoms"),
}

STATIC_SCRATCH: tuple[Field, ...] = table(
    "collision",
    "scratch",
    """
    static_x      | real world | nstaticpad | m | step.collision.static_bvh | Positions of static geoms in the order of the tree: x.
    static_y      | real world | nstaticpad | m | step.collision.static_bvh | Positions of static geoms in the order of the tree: y.
    static_z      | real world | nstaticpad | m | step.collision.static_bvh | Positions of static geoms in the order of the tree: z.
    static_reach  | real world | nstaticpad | m | step.collision.static_bvh | Radii within which they can have contacts.
    box_xlow      | real world | nstaticbox | m | step.collision.static_bvh | Lower corners of boxes of the tree: x.
    box_xhigh     | real world | nstaticbox | m | step.collision.static_bvh | Upper corners of boxes of the tree: x.
    box_ylow      | real world | nstaticbox | m | step.collision.static_bvh | Lower corners of boxes of the tree: y.
    box_yhigh     | real world | nstaticbox | m | step.collision.static_bvh | Upper corners of boxes of the tree: y.
    box_zlow      | real world | nstaticbox | m | step.collision.static_bvh | Lower corners of boxes of the tree: z.
    box_zhigh     | real world | nstaticbox | m | step.collision.static_bvh | Upper corners of boxes of the tree: z.
    walk_bits     | word world | 8          |   | step.collision.static_pairs | Boxes that a search has not visited yet, on each level, as bits.
    walk_first    | int world  | 8          |   | step.collision.static_pairs | First of these boxes on each level.
    nstaticpair   | int world  |            |   | step.collision.static_pairs | Number of near pairs of a moving and a static geom.
    static_pair   | int world  | nstaticmax |   | step.collision.static_pairs | Near pairs of a moving and a static geom, in the order of contacts.
    static_key    | int world  | nstaticmax 4 |  | step.collision.static_pairs | Sorting key of these pairs: both bodies, both geoms.
    static_next   | int world  |            |   | step.collision.static_pairs | Number of these pairs that were collided.
    static_head   | int world  |            |   | step.collision.static_pairs | Next of these pairs, or -1.
    """,
)
