"""Signed distance of a point from a geom of any type, and its gradient, by type."""

from __future__ import annotations

from cortenforge.enums import SdfShape
from cortenforge.kernel import kernel, vec3
from cortenforge.step.constants import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HFIELD,
    SDF,
    SPHERE,
)
from cortenforge.step.signed_distance.bolt_and_nut import bolt_distance, nut_distance
from cortenforge.step.signed_distance.gear import gear_distance
from cortenforge.step.signed_distance.grid import grid_distance
from cortenforge.step.signed_distance.hfield import hfield_point_distance
from cortenforge.step.signed_distance.octree import octree_distance
from cortenforge.step.signed_distance.primitives import (
    box_distance,
    capsule_distance,
    cylinder_distance,
    ellipsoid_distance,
    sphere_distance,
)
from cortenforge.step.signed_distance.torus_and_bowl import bowl_distance, torus_distance

MESH_FIELD = int(SdfShape.MESH)
GRID = int(SdfShape.GRID)
BOLT = int(SdfShape.BOLT)
BOWL = int(SdfShape.BOWL)
GEAR = int(SdfShape.GEAR)
NUT = int(SdfShape.NUT)
TORUS = int(SdfShape.TORUS)
#: distance from what does not exist
ABSENT_DISTANCE = 1e10


@kernel
def sdf_distance(m, g: int, p):
    """Signed distance of a point from a geom of type sdf: (distance, gradient).

    In the geom's frame. Gradients are analytic, where MuJoCo's plugins take differences.  Mirrors
    mjc_distance and mjc_gradient.
    """
    kind = m.geom_sdf[g]
    distance = ABSENT_DISTANCE
    gradient = vec3(0.0, 0.0, 1.0)
    if kind == MESH_FIELD:
        distance, gradient = octree_distance(m, m.geom_dataid[g], p)
    elif kind == GRID:
        distance, gradient = grid_distance(m, g, p)
    elif kind == BOLT:
        distance, gradient = bolt_distance(m.geom_sdfprm[g, 0], p)
    elif kind == NUT:
        distance, gradient = nut_distance(m.geom_sdfprm[g, 0], p)
    elif kind == BOWL:
        distance, gradient = bowl_distance(
            m.geom_sdfprm[g, 0], m.geom_sdfprm[g, 1], m.geom_sdfprm[g, 2], p
        )
    elif kind == GEAR:
        distance, gradient = gear_distance(
            m.geom_sdfprm[g, 0],
            m.geom_sdfprm[g, 1],
            m.geom_sdfprm[g, 2],
            m.geom_sdfprm[g, 3],
            m.geom_sdfprm[g, 4],
            p,
        )
    elif kind == TORUS:
        distance, gradient = torus_distance(m.geom_sdfprm[g, 0], m.geom_sdfprm[g, 1], p)
    return distance, gradient


@kernel
def geom_distance_at(m, g: int, p):
    """Signed distance of a point from a geom other than a mesh: (distance, gradient)."""
    kind = m.geom_type[g]
    size = m.geom_size[g]
    distance = p.z
    gradient = vec3(0.0, 0.0, 1.0)
    if kind == SDF:
        distance, gradient = sdf_distance(m, g, p)
    elif kind == SPHERE:
        distance, gradient = sphere_distance(size.x, p)
    elif kind == CAPSULE:
        distance, gradient = capsule_distance(size, p)
    elif kind == ELLIPSOID:
        distance, gradient = ellipsoid_distance(size, p)
    elif kind == CYLINDER:
        distance, gradient = cylinder_distance(size, p)
    elif kind == BOX:
        distance, gradient = box_distance(size, p)
    elif kind == HFIELD:
        distance, gradient = hfield_point_distance(m, m.geom_dataid[g], p)
    return distance, gradient
