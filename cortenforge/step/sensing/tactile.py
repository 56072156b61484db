"""Tactile sensors: penetration depth and sliding velocity at each vertex of a mesh.

    depth = max over touching geoms of -signed distance,   sliding = |tangent . relative velocity|

Source: MuJoCo: XML reference, sensor/tactile.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import linear
from cortenforge.math.vector import dot, into_frame, norm
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, PLANE, SPHERE
from cortenforge.step.position.objects import motion_at_point
from cortenforge.step.sensing.readings import apply_cutoff
from cortenforge.step.sensing.sensor_types import TACTILE
from cortenforge.step.signed_distance.octree import octree_distance


@kernel(unit=True)
def tactile_sensors(m, d):
    """Depths, then sliding velocities along both tangents, of all vertices.

    Mirrors mj_sensorVel.
    """
    for i in range(m.nsensor):
        if m.sensor_type[i] == TACTILE:
            at = m.sensor_adr[i]
            for k in range(at, at + m.sensor_dim[i]):
                d.sensordata[k] = 0.0
            count = touching_geoms(m, d, m.sensor_refid[i])
            if count > 0:
                for vertex in range(m.mesh_vertnum[m.sensor_objid[i]]):
                    sense_tactile_vertex(m, d, i, vertex, count)
                for k in range(at, at + m.sensor_dim[i]):
                    d.sensordata[k] = apply_cutoff(m, i, d.sensordata[k])


@kernel
def touching_geoms(m, d, own: int):
    """List geoms in contact with a geom's body (or one welded to it) in contact_match; count.

    The geom itself is left out; others that move with it are not.
    """
    weld = m.body_weldid[m.geom_bodyid[own]]
    count = 0
    for c in range(d.ncon):
        for side in range(2):
            if m.body_weldid[m.geom_bodyid[d.contact_geom[c, side]]] == weld:
                g = d.contact_geom[c, 1 - side]
                known = g == own
                for k in range(count):
                    known = known or d.contact_match[k] == g
                if not known:
                    d.contact_match[count] = g
                    count += 1
    return count


@kernel
def sense_tactile_vertex(m, d, i: int, vertex: int, count: int):
    """Largest depth of a vertex, and the sum of its sliding velocities past all geoms it is in."""
    mesh = m.sensor_objid[i]
    g = m.sensor_refid[i]
    v = m.mesh_vertadr[mesh] + vertex
    local = vec3(m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])
    point = d.geom_xpos[g] + d.geom_xmat[g] @ local
    number = m.mesh_vertnum[mesh]
    at = m.sensor_adr[i] + vertex
    # with three normals a vertex the other two are tangents
    has_tangents = m.mesh_normalnum[mesh] == 3 * number
    for k in range(count):
        other = d.contact_match[k]
        depth = -signed_distance_to_geom(m, d, other, point)
        if depth > 0.0:
            d.sensordata[at] = max(d.sensordata[at], depth)
            if has_tangents:
                sliding = into_frame(d.geom_xmat[g], sliding_velocity(m, d, g, other, point))
                first = m.mesh_normaladr[mesh] + 3 * vertex
                d.sensordata[at + number] += abs(along_mesh_normal(m, first + 1, sliding))
                d.sensordata[at + 2 * number] += abs(along_mesh_normal(m, first + 2, sliding))


@kernel
def along_mesh_normal(m, normal: int, v):
    """Component of a vector (in the mesh's frame) along one of the mesh's normals."""
    return dot(
        vec3(m.mesh_normal[normal, 0], m.mesh_normal[normal, 1], m.mesh_normal[normal, 2]), v
    )


@kernel
def sliding_velocity(m, d, g: int, other: int, point):
    """Velocity of a geom relative to another at a point, in world axes."""
    one, two = m.geom_bodyid[g], m.geom_bodyid[other]
    mine = linear(motion_at_point(m, d, one, point, d.cvel[one]))
    return mine - linear(motion_at_point(m, d, two, point, d.cvel[two]))


@kernel
def signed_distance_to_geom(m, d, g: int, point):
    """Signed distance of a point from a geom, negative inside, by MuJoCo's SDF formulas.

    A mesh without an octree has no inside: 0. Mirrors mjc_distance.
    """
    p = into_frame(d.geom_xmat[g], point - d.geom_xpos[g])
    size = m.geom_size[g]
    kind = m.geom_type[g]
    distance = 0.0
    if kind == PLANE:
        distance = p.z
    elif kind == SPHERE:
        distance = norm(p) - size.x
    elif kind == CAPSULE:
        beyond = max(abs(p.z) - size.y, 0.0)
        distance = norm(vec3(p.x, p.y, beyond)) - size.x
    elif kind == CYLINDER:
        distance = max(math.sqrt(p.x * p.x + p.y * p.y) - size.x, abs(p.z) - size.y)
    elif kind == BOX:
        distance = box_inner_distance(size, p)
    elif kind == ELLIPSOID:
        a = vec3(p.x / size.x, p.y / size.y, p.z / size.z)
        b = vec3(a.x / size.x, a.y / size.y, a.z / size.z)
        distance = norm(a) * (norm(a) - 1.0) / max(norm(b), 1e-300)
    elif kind == MESH and m.mesh_octadr[m.geom_dataid[g]] >= 0:
        distance, _gradient = octree_distance(m, m.geom_dataid[g], p)
    return distance


@kernel
def box_inner_distance(size, p):
    """MuJoCo's inner distance of a box: along a direction that turns towards the faces.

    Negative inside; not the shortest way out.
    """
    x, y, z = abs(p.x) - size.x, abs(p.y) - size.y, abs(p.z) - size.z
    distance = max(x, max(y, z))
    if distance < 0.0:
        direction = vec3(size.x / x, size.y / y, size.z / z)
        length = norm(direction)
        distance = -min(x * x / size.x, min(y * y / size.y, z * z / size.z)) * length
    return distance
