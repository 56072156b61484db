"""Layouts of queries: the caller's arrays, and the few fields of Data they need."""

from __future__ import annotations

from cortenforge.kernel.language.layout import StructLayout

#: depth of the BVH stack, as in Data: a tree of 2**31 triangles needs half
RAY_STACK_SIZE = 64

RAYS = StructLayout(
    "Rays",
    [
        ("npnt", "size", (), True),  # 1 if all rays start at one point
        ("nnormal", "size", (), True),  # 0 if normals are not wanted
        ("groups", "size", (), True),  # geom groups that are seen, as bits
        ("statics", "size", (), True),  # whether geoms of the world are seen
        ("excluded", "size", (), True),  # body whose geoms are not seen, or -1
        ("geom_xpos", "vec3", (), False),
        ("geom_xmat", "mat3", (), False),
        ("pnt", "vec3", (), False),
        ("vec", "vec3", (), False),
        ("cutoff", "real", (), True),
        ("dist", "real", (), False),
        ("geomid", "int", (), False),
        ("normal", "vec3", (), False),
        ("wrong", "int", (), True),  # an invalid ray, or -1
        # geoms that are seen, and spheres around them
        ("seen", "int", (), False),
        ("seen_x", "real", (), False),
        ("seen_y", "real", (), False),
        ("seen_z", "real", (), False),
        ("seen_square", "real", (), False),
        ("seen_nearest", "real", (), False),
        ("ray_stack", "int", (), False),
    ],
    constant=False,
)
POINTS = StructLayout(
    "Points",
    [
        ("npoint", "size", (), True),
        ("asset", "size", (), True),  # mesh, height field or geom
        ("point", "vec3", (), False),
        ("value", "real", (), False),
        ("slope", "vec3", (), False),
        ("wrong", "int", (), True),
    ],
    constant=False,
)
