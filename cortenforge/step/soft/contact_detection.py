"""Vertices near geoms, listed once a step: vertices are spheres, against every type of geom.

A vertex of radius r is listed if its distance to the geom's surface is less than

    3 r + 1.5 (dt v_max + dt^2 |g| + travel of the geom in dt)

Vertices are first filtered by spheres: around all of a deformable, and around the geom. Distances
and normals come from `step/signed_distance`, for meshes from their convex hull
(`hull_distance.py`). v_max is the speed of the fastest vertex. Friction is the geometric mean of
both sides.

Source: Teschner et al., "Collision Detection for Deformable Objects" (2005), for the filters.
"""

from __future__ import annotations

import math

from cortenforge.fields import place_of
from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import into_frame, norm
from cortenforge.step.constants import MESH, NO_CONTACT, PLANE
from cortenforge.step.signed_distance.geoms import geom_distance_at
from cortenforge.step.soft.hull_distance import hull_distance
from cortenforge.step.status import is_ok, need

#: place among capacities
NSOFTCONMAX = place_of("nsoftconmax")
#: a vertex is listed if it comes near within this multiple of the travel of a step
TRAVEL_MARGIN = 1.5


@kernel
def geom_distance_and_normal(m, g: int, p):
    """(distance, unit normal) of a point to any geom, all in the geom's frame."""
    distance = 0.0
    gradient = p
    if m.geom_type[g] == MESH:
        distance, gradient = hull_distance(m, m.geom_dataid[g], p)
    else:
        distance, gradient = geom_distance_at(m, g, p)
    return distance, gradient * (1.0 / max(norm(gradient), 1e-15))


@kernel
def soft_geom_enabled(m, s: int, g: int):
    """Whether contype and conaffinity let a deformable and a geom touch."""
    one = m.soft_contype[s] & m.geom_conaffinity[g]
    other = m.soft_conaffinity[s] & m.geom_contype[g]
    return one != 0 or other != 0


@kernel
def max_geom_travel(m, d, g: int):
    """Largest distance that a point of a geom moves in a step, by its body's velocity now."""
    b = m.geom_bodyid[g]
    motion = d.cvel[b]
    reach = norm(d.geom_xpos[g] - d.subtree_com[m.body_rootid[b]]) + m.geom_rbound[g]
    return m.opt_timestep * (norm(linear(motion)) + norm(angular(motion)) * reach)


@kernel
def mean_vertex_position(m, d, s: int):
    """Mean position of a deformable's vertices."""
    first, count = m.soft_vertadr[s], m.soft_vertnum[s]
    total = d.soft_p[first]
    for v in range(first + 1, first + count):
        total = total + d.soft_p[v]
    return total * (1.0 / count)


@kernel
def vertex_radius_and_travel(m, d, s: int, middle):
    """(radius, travel) of vertices: distance from their mean, motion in a step; both largest."""
    first = m.soft_vertadr[s]
    radius = 0.0
    max_speed = 0.0
    for v in range(first, first + m.soft_vertnum[s]):
        radius = max(radius, norm(d.soft_p[v] - middle))
        max_speed = max(max_speed, norm(d.soft_v[v]))
    h = m.opt_timestep
    return radius, h * max_speed + h * h * norm(m.opt_gravity)


@kernel
def add_vertex_contact(m, d, s: int, v: int, g: int, point, normal, distance):
    """List a contact of a vertex and a geom, with the anchor of the last step, if it had one.

    point: the vertex, normal: of the surface, both in the geom's frame. Beyond the capacity,
    contacts are counted only.
    """
    k = d.nsoftcon
    d.nsoftcon = k + 1
    if k < d.nsoftconmax:
        pos, axes = d.geom_xpos[g], d.geom_xmat[g]
        near = point - normal * distance
        d.softcon_vert[k] = v
        d.softcon_geom[k] = g
        d.softcon_pos[k] = pos + axes @ near
        d.softcon_normal[k] = axes @ normal
        d.softcon_depth[k] = m.soft_radius[s] - distance
        d.softcon_friction[k] = math.sqrt(
            max(0.0, m.soft_friction[s]) * max(0.0, m.geom_friction[g, 0])
        )
        d.softcon_near[k] = near
        d.softcon_out[k] = normal
        # a contact that is new may be as deep as it is; one that lasts gets no deeper
        d.softcon_gap[k] = min(0.0, distance - m.soft_radius[s])
        d.softcon_load[k] = 0.0
        d.softcon_held[k] = 0
        for slot in range(2 * v, 2 * v + 2):
            if d.softhold_geom[slot] == g + 1.0:
                d.softcon_held[k] = 1
                d.softcon_anchor[k] = d.softhold_anchor[slot]
                d.softcon_load[k] = d.softhold_load[slot]
                d.softcon_gap[k] = d.softhold_gap[slot]
        d.softcon_sum[k] = vec3(0.0, 0.0, 0.0)
        d.softcon_force[k] = vec3(0.0, 0.0, 0.0)


@kernel
def is_attached_to_geom(m, v: int, g: int):
    """Whether a vertex is attached to the body of a geom, or to one welded to it."""
    for k in range(m.nsoftpin):
        if m.softpin_vert[k] == v:
            held = m.body_weldid[m.softpin_body[k]]
            if held == m.body_weldid[m.geom_bodyid[g]]:
                return True
    return False


@kernel
def add_geom_contacts(m, d, s: int, g: int, middle, vertex_radius, travel):
    """List the vertices of a deformable near one geom; pinned ones touch nothing."""
    radius = m.soft_radius[s]
    pos, axes = d.geom_xpos[g], d.geom_xmat[g]
    margin = TRAVEL_MARGIN * (travel + max_geom_travel(m, d, g)) + 2.0 * radius
    bound = m.geom_rbound[g]
    if m.geom_type[g] != PLANE and norm(middle - pos) > vertex_radius + bound + radius + margin:
        return
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if m.softvert_invmass[v] > 0.0:
            offset = d.soft_p[v] - pos
            if m.geom_type[g] == PLANE or norm(offset) <= bound + radius + margin:
                point = into_frame(axes, offset)
                distance, normal = geom_distance_and_normal(m, g, point)
                if distance < radius + margin and not is_attached_to_geom(m, v, g):
                    add_vertex_contact(m, d, s, v, g, point, normal, distance)


@kernel(unit=True)
def find_vertex_contacts(m, d):
    """List vertices that may touch a geom in this step; none if contacts are switched off."""
    d.nsoftcon = 0
    for v in range(m.nsoftvert):
        d.softvert_colliding[v] = 0
    if m.opt_disableflags & NO_CONTACT != 0:
        return
    for s in range(m.nsoft):
        middle = mean_vertex_position(m, d, s)
        radius, travel = vertex_radius_and_travel(m, d, s, middle)
        for g in range(m.ngeom):
            if soft_geom_enabled(m, s, g):
                add_geom_contacts(m, d, s, g, middle, radius, travel)
    for k in range(min(d.nsoftcon, d.nsoftconmax)):
        if d.softcon_depth[k] > 0.0:
            d.softvert_colliding[d.softcon_vert[k]] = 1
    if d.nsoftcon > d.nsoftconmax and is_ok(d):
        need(d, NSOFTCONMAX, d.nsoftcon)
