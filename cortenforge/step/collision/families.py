"""Families: which narrow-phase kernel handles a pair of geom types (mjCOLLISIONFUNC).

To add a pair of types: write a unit `(m, d, p, g1, g2)` that appends the contacts of pair p with
geoms g1 and g2, and add a row to the table below. The unit is lane-safe, or of one world where it
branches on data.
"""

from __future__ import annotations

from typing import Any

from cortenforge.enums import GeomType
from cortenforge.kernel import Kernel, Table
from cortenforge.step.collision.box_box import box_box
from cortenforge.step.collision.capsule_box import capsule_box
from cortenforge.step.collision.capsules import capsule_capsule
from cortenforge.step.collision.convex.convex_pairs import convex_convex
from cortenforge.step.collision.hfield.hfield_pairs import hfield_convex
from cortenforge.step.collision.plane_mesh import plane_mesh
from cortenforge.step.collision.planes import (
    plane_box,
    plane_capsule,
    plane_cylinder,
    plane_ellipsoid,
    plane_sphere,
)
from cortenforge.step.collision.sdf.sdf_pairs import mesh_sdf, sdf_pair
from cortenforge.step.collision.sphere_box import sphere_box
from cortenforge.step.collision.spheres import sphere_capsule, sphere_cylinder, sphere_sphere

#: pairs with a signed distance field
SDF_PAIRS: tuple[tuple[GeomType, GeomType], ...] = tuple((kind, GeomType.SDF) for kind in GeomType)
#: pairs of convex geoms without an analytic routine
CONVEX_PAIRS: tuple[tuple[GeomType, GeomType], ...] = (
    (GeomType.SPHERE, GeomType.ELLIPSOID),
    (GeomType.SPHERE, GeomType.MESH),
    (GeomType.CAPSULE, GeomType.ELLIPSOID),
    (GeomType.CAPSULE, GeomType.CYLINDER),
    (GeomType.CAPSULE, GeomType.MESH),
    (GeomType.ELLIPSOID, GeomType.ELLIPSOID),
    (GeomType.ELLIPSOID, GeomType.CYLINDER),
    (GeomType.ELLIPSOID, GeomType.BOX),
    (GeomType.ELLIPSOID, GeomType.MESH),
    (GeomType.CYLINDER, GeomType.CYLINDER),
    (GeomType.CYLINDER, GeomType.BOX),
    (GeomType.CYLINDER, GeomType.MESH),
    (GeomType.BOX, GeomType.MESH),
    (GeomType.MESH, GeomType.MESH),
)
#: geoms that collide with a height field's prisms
HFIELD_GEOMS: tuple[GeomType, ...] = (
    GeomType.SPHERE,
    GeomType.CAPSULE,
    GeomType.ELLIPSOID,
    GeomType.CYLINDER,
    GeomType.BOX,
    GeomType.MESH,
)
#: units by the types of both geoms, the lower type first; those that most models need come first
PAIR_UNITS: dict[tuple[GeomType, GeomType], Kernel] = {
    (GeomType.CAPSULE, GeomType.CAPSULE): capsule_capsule,
    (GeomType.PLANE, GeomType.CAPSULE): plane_capsule,
    (GeomType.PLANE, GeomType.SPHERE): plane_sphere,
    (GeomType.SPHERE, GeomType.SPHERE): sphere_sphere,
    (GeomType.SPHERE, GeomType.CAPSULE): sphere_capsule,
    (GeomType.PLANE, GeomType.BOX): plane_box,
    (GeomType.BOX, GeomType.BOX): box_box,
    (GeomType.PLANE, GeomType.ELLIPSOID): plane_ellipsoid,
    (GeomType.PLANE, GeomType.CYLINDER): plane_cylinder,
    (GeomType.SPHERE, GeomType.CYLINDER): sphere_cylinder,
    (GeomType.SPHERE, GeomType.BOX): sphere_box,
    (GeomType.CAPSULE, GeomType.BOX): capsule_box,
    **dict.fromkeys(CONVEX_PAIRS, convex_convex),
    **dict.fromkeys(SDF_PAIRS, sdf_pair),
    (GeomType.MESH, GeomType.SDF): mesh_sdf,
    (GeomType.PLANE, GeomType.MESH): plane_mesh,
    **{(GeomType.HFIELD, kind): hfield_convex for kind in HFIELD_GEOMS},
}
#: a family is a unit: its place here is its number
FAMILY_KERNELS: list[Kernel] = list(dict.fromkeys(PAIR_UNITS.values()))


def _needed_families(m: Any) -> list[int]:
    """Families among a model's candidates."""
    return [family for family in range(len(FAMILY_KERNELS)) if int(m.families) >> family & 1]


FAMILIES = Table(FAMILY_KERNELS, needed=_needed_families)
#: place in the table by the types of both geoms
FAMILY_OF: dict[tuple[int, int], int] = {
    (int(one), int(other)): FAMILY_KERNELS.index(unit) for (one, other), unit in PAIR_UNITS.items()
}
#: types that never collide, as in MuJoCo
NEVER_COLLIDING = {
    (int(GeomType.PLANE), int(GeomType.PLANE)),
    (int(GeomType.PLANE), int(GeomType.HFIELD)),
    (int(GeomType.HFIELD), int(GeomType.HFIELD)),
}
