"""Batched rays: geoms are selected once for all of them."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, dot
from cortenforge.step.rays.cast import (
    BEYOND_RAYS,
    bounding_radius_square,
    hit_geom,
    is_invisible,
    ray_hit_normal,
    ray_may_hit_sphere,
)

NGROUP = 6
#: up to so many geoms, a single ray tests them without a list
FEW_GEOMS = 64
#: entry distance of a sphere that is missed
MISSED_DISTANCE = 2.0 * BEYOND_RAYS
#: result of a call with an invalid ray
INVALID_RAY = -2


@kernel
def is_filtered_out(m, d, g: int):
    """Whether a geom is filtered out, by visibility, group or body.  Mirrors ray_eliminate."""
    body = m.geom_bodyid[g]
    if body == d.excluded or is_invisible(m, g):
        return True
    if d.statics == 0 and m.body_weldid[body] == 0:
        return True
    group = min(NGROUP - 1, max(0, m.geom_group[g]))
    return (d.groups >> group) & 1 == 0


@kernel
def list_visible_geoms(m, d):
    """List the geoms that rays can hit, with their bounding spheres; how many."""
    count = 0
    for g in range(m.ngeom):
        if not is_filtered_out(m, d, g):
            d.seen[count] = g
            d.seen_x[count] = d.geom_xpos[g, 0]
            d.seen_y[count] = d.geom_xpos[g, 1]
            d.seen_z[count] = d.geom_xpos[g, 2]
            square = bounding_radius_square(m, g)
            d.seen_square[count] = square if square > 0.0 else BEYOND_RAYS
            count += 1
    return count


@kernel
def set_sphere_entries(d, count: int, pnt, vec):
    """Set the distances at which a ray enters bounding spheres; MISSED_DISTANCE if never.

    Without branches, so that the loop is vectorized.
    """
    for k in range(count):
        x = d.seen_x[k] - pnt.x
        y = d.seen_y[k] - pnt.y
        z = d.seen_z[k] - pnt.z
        along = x * vec.x + y * vec.y + z * vec.z
        away = x * x + y * y + z * z
        square = d.seen_square[k]
        beside = away - along * along
        # rounding of what is far away counts, too
        inside = square + 1e-12 * away
        half = math.sqrt(max(inside - beside, 0.0))
        is_missed = beside > inside or along + half < 0.0
        d.seen_nearest[k] = MISSED_DISTANCE if is_missed else along - half


@kernel
def nearest_listed_geom(m, d, count: int, pnt, vec, farthest):
    """Nearest geom of the list along a ray of unit length: (distance, geom, part)."""
    set_sphere_entries(d, count, pnt, vec)
    x = farthest
    found = -1
    met = 0
    for k in range(count):
        if d.seen_nearest[k] <= x:
            far, part = hit_geom(m, d, d.seen[k], pnt, vec, x)
            if far >= 0.0 and (far < x or (far == x and found < 0)):
                x = far
                found = d.seen[k]
                met = part
    return x if found >= 0 else -1.0, found, met


@kernel
def nearest_of_all_geoms(m, d, pnt, vec, farthest):
    """The same for a single ray, for which listing the geoms would not pay."""
    x = farthest
    found = -1
    met = 0
    for g in range(m.ngeom):
        if is_filtered_out(m, d, g):
            continue
        square = bounding_radius_square(m, g)
        if square > 0.0 and not ray_may_hit_sphere(d.geom_xpos[g] - pnt, square, vec, x):
            continue
        far, part = hit_geom(m, d, g, pnt, vec, x)
        if far >= 0.0 and (far < x or (far == x and found < 0)):
            x = far
            found = g
            met = part
    return x if found >= 0 else -1.0, found, met


@kernel
def cast_batch_ray(m, d, i: int, count: int):
    """Cast one ray of a batch, or a single one (count < 0); an invalid ray sets `d.wrong`.

    Mirrors mj_ray.
    """
    pnt = d.pnt[i if d.npnt > 1 else 0]
    vec = d.vec[i]
    length = math.sqrt(dot(vec, vec))
    start = abs(pnt.x) + abs(pnt.y) + abs(pnt.z)
    # also false for nan
    if not (length >= MINVAL and length < BEYOND_RAYS and start < BEYOND_RAYS):
        d.wrong = i
        return
    way = vec * (1.0 / length)
    far = -1.0
    found = -1
    part = 0
    if count < 0:
        far, found, part = nearest_of_all_geoms(m, d, pnt, way, d.cutoff)
    else:
        far, found, part = nearest_listed_geom(m, d, count, pnt, way, d.cutoff)
    d.dist[i] = far / length if found >= 0 else -1.0
    d.geomid[i] = found
    if d.nnormal > 0:
        normal = vec3(0.0, 0.0, 0.0)
        if found >= 0:
            normal = ray_hit_normal(m, d, found, part, pnt + way * far)
        d.normal[i] = normal


@kernel(entry=True)
def cast_rays(m, d, count: int):
    """Nearest visible geom along each ray; returns the first one's, or INVALID_RAY.

    Mirrors mj_ray and mj_multiRay.
    """
    d.wrong = -1
    listed = -1
    if count > 1 or m.ngeom > FEW_GEOMS:
        listed = list_visible_geoms(m, d)
    for i in range(count):
        cast_batch_ray(m, d, i, listed)
        if d.wrong >= 0:
            return INVALID_RAY
    return d.geomid[0]
