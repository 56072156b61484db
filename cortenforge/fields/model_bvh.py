"""Model fields of bounding volumes: trees of boxes around geoms of bodies, faces of meshes."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

BOUNDS: tuple[Field, ...] = table(
    "bounds",
    "model",
    """
    body_bvhadr | int         | nbody        |   | Root of the tree of boxes, or -1.
    body_bvhnum | int         | nbody        |   | How many boxes.
    bvh_depth   | int         | nbvh         |   | Distance from the root.
    bvh_child   | int         | nbvh 2       |   | Two boxes inside, counted from the root; -1 in a leaf.
    bvh_nodeid  | int         | nbvh         |   | Geom, or face of the mesh, in a leaf; -1 elsewhere.
    bvh_aabb    | real shared | nbvhstatic 6 | m | Centre and half sizes, in the body's inertial or the mesh's frame.
    oct_depth   | int         | noct         |   | How often the octree's root was cut to make a cell.
    oct_child   | int         | noct 8       |   | Eight cells inside, counted from the root; -1 in a leaf.
    oct_aabb    | real shared | noct 6       | m | Centre and half sizes of a cell, in the mesh's frame.
    oct_coeff   | real shared | noct 8       | m | Signed distances at the corners of a cell.
    """,
)
