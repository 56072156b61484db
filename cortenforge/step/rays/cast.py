"""Ray casting: a ray against a geom of any type, and against all geoms of a model."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.constants import CAPSULE, HFIELD, MESH, PLANE, SDF, SPHERE
from cortenforge.step.rays.hfield import hfield_normal, hit_hfield
from cortenforge.step.rays.primitives import hit_primitive, primitive_normal
from cortenforge.step.rays.sphere_tracing import hit_sdf, sdf_normal
from cortenforge.step.rays.triangles import hit_mesh, mesh_face_normal

#: farther than any surface; a GPU's reals hold it
BEYOND_RAYS = 1e30
#: factor of bounding spheres' squared radii, so that rounding loses no hit
BOUNDING_SLACK = 1.0 + 1e-9


@kernel
def is_invisible(m, g: int):
    """Whether a geom, or its material, has alpha 0.  Mirrors ray_eliminate."""
    material = m.geom_matid[g]
    # users may write it, and rays do not look at the whole model before
    if material >= 0 and material < m.nmat:
        return m.mat_rgba[material, 3] == 0.0
    return m.geom_rgba[g, 3] == 0.0


@kernel
def bounding_radius_square(m, g: int):
    """Squared radius of a sphere around a geom's origin that contains it; 0 for a plane.

    From the current sizes, which may have been edited.
    """
    kind = m.geom_type[g]
    size = m.geom_size[g]
    if kind == PLANE:
        return 0.0
    if kind == SPHERE:
        return BOUNDING_SLACK * size.x * size.x
    if kind == CAPSULE:
        return BOUNDING_SLACK * (size.x + size.y) * (size.x + size.y)
    if kind == HFIELD:
        field = m.geom_dataid[g]
        x = m.hfield_size[field, 0]
        y = m.hfield_size[field, 1]
        z = max(m.hfield_size[field, 2], m.hfield_size[field, 3])
        return BOUNDING_SLACK * (x * x + y * y + z * z)
    return BOUNDING_SLACK * dot(size, size)


@kernel
def ray_may_hit_sphere(centre, square, v, farthest):
    """Whether a ray meets a sphere within a distance; centre: from the ray's start."""
    along = dot(centre, v)
    away = dot(centre, centre)
    too_far = along > farthest and (along - farthest) * (along - farthest) > square
    behind = along < 0.0 and away > square
    # rounding of what is far away counts, too
    return not too_far and not behind and away - along * along <= square + 1e-12 * away


@kernel
def hit_geom(m, d, g: int, pnt, vec, farthest):
    """Distance of a geom along a ray of unit length, and the part hit: (x, part), or x = -1.

    Mirrors mj_rayMesh, mj_rayHfield, mj_raySdf and mju_rayGeom.
    """
    p = into_frame(d.geom_xmat[g], pnt - d.geom_xpos[g])
    v = into_frame(d.geom_xmat[g], vec)
    kind = m.geom_type[g]
    x = -1.0
    part = 0
    if kind == MESH:
        x, part = hit_mesh(m, d, m.geom_dataid[g], p, v, farthest)
    elif kind == HFIELD:
        x, part = hit_hfield(m, m.geom_dataid[g], p, v)
    elif kind == SDF:
        x = hit_sdf(m, g, p, v)
    else:
        x, part = hit_primitive(kind, m.geom_size[g], p, v)
    return x, part


@kernel
def ray_hit_normal(m, d, g: int, part: int, point):
    """Outward normal of a geom where a ray hit its part, in the world."""
    q = into_frame(d.geom_xmat[g], point - d.geom_xpos[g])
    kind = m.geom_type[g]
    normal = vec3(0.0, 0.0, 0.0)
    if kind == MESH:
        normal = mesh_face_normal(m, m.geom_dataid[g], part)
    elif kind == HFIELD:
        normal = hfield_normal(m, m.geom_dataid[g], part)
    elif kind == SDF:
        normal = sdf_normal(m, g, q)
    else:
        normal = primitive_normal(kind, m.geom_size[g], q, part)
    return d.geom_xmat[g] @ normal


@kernel
def cast_one_ray(m, d, pnt, vec, excluded: int):
    """Nearest visible geom along a ray of unit length: (distance, geom, part), or -1, -1, 0.

    Geoms of the excluded body are left out.  Mirrors mj_ray.
    """
    x = BEYOND_RAYS
    found = -1
    met = 0
    for g in range(m.ngeom):
        if m.geom_bodyid[g] == excluded or is_invisible(m, g):
            continue
        square = bounding_radius_square(m, g)
        if square > 0.0 and not ray_may_hit_sphere(d.geom_xpos[g] - pnt, square, vec, x):
            continue
        far, part = hit_geom(m, d, g, pnt, vec, x)
        if far >= 0.0 and far < x:
            x = far
            found = g
            met = part
    return x if found >= 0 else -1.0, found, met
