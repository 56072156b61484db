"""Model fields of bounding volumes: trees of boxes around geoms of bodies, faces of meshes."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

BOUNDS: tuple[Field, ...] = table(
    "bounds",
    "model",
    """
    body_bvhadr | int         | nbody        |   | Root of its bounding volume hierarchy (BVH), or -1.
    body_bvhnum | int         | nbody        |   | Number of nodes of its BVH.
    bvh_depth   | int         | nbvh         |   | Depth in the tree.
    bvh_child   | int         | nbvh 2       |   | Two children, counted from the root; -1 in a leaf.
    bvh_nodeid  | int         | nbvh         |   | Geom, or face of the mesh, of a leaf; -1 for other nodes.
    bvh_aabb    | real shared | nbvhstatic 6 | m | Centre and half sizes, in the body's inertial or the mesh's frame.
    oct_depth   | int         | noct         |   | Depth in the octree.
    oct_child   | int         | noct 8       |   | Eight children, counted from the root; -1 in a leaf.
    oct_aabb    | real shared | noct 6       | m | Centre and half sizes of a cell, in the mesh's frame.
    oct_coeff   | real shared | noct 8       | m | Signed distances at the corners of a cell.
    """,
)
