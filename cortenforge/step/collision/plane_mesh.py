"""Planes against convex hulls: the lowest vertex, and others of the face it rests on.

Source: MuJoCo: Computation, "Pair-wise colliders"; docs/collision.md, "Meshes on planes".
"""

from __future__ import annotations

from cortenforge.fields.data_convex import MAX_CONVEX_CONTACTS
from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import append_contact
from cortenforge.step.collision.convex.contact_features import hull_mesh_vertex
from cortenforge.step.collision.convex.contact_manifold import has_polygon_room
from cortenforge.step.collision.convex.polygon_clipping import (
    grow_quadrilateral,
    quadrilateral_area,
)
from cortenforge.step.collision.convex.support_function import hill_climb, hill_climb_start

#: hulls of meshes with fewer vertices are searched linearly
FEW_MESH_VERTICES = 10


@kernel(unit=True)
def plane_mesh(m, d, p: int, g1: int, g2: int):
    """Contacts of a mesh's hull with a plane, four at most.  Mirrors mjc_PlaneConvex.

    The lowest vertex, then vertices around the most downward face that has it, those below the
    centre.
    """
    if d.asked == 1:
        normal = geom_z_axis(d, g1)
        down = into_frame(d.geom_xmat[g2], -normal)
        height = dot(d.geom_xpos[g2] - d.geom_xpos[g1], normal)
        lowest = lowest_hull_vertex(m, d, m.geom_dataid[g2], down)
        if height - dot(m.hull_vert[lowest], down) <= detection_distance(m, p, g1, g2):
            side = lowest_hull_face(m, g2, lowest, down)
            if side < 0:
                add_hull_corner(m, d, p, g1, g2, m.hull_vert[lowest], down, height)
            elif has_polygon_room(d, m.mesh_polyvertnum[side]):
                add_hull_face(m, d, p, g1, g2, side, lowest, down, height)


@kernel
def lowest_hull_vertex(m, d, mesh: int, down):
    """The hull's lowest vertex; of several, the one that MuJoCo finds first."""
    first = m.hull_vertadr[mesh]
    at = first
    if m.mesh_vertnum[mesh] < FEW_MESH_VERTICES or m.hull_edgenum[first] == 0:
        best = dot(m.hull_vert[first], down)
        for v in range(first + 1, first + m.hull_vertnum[mesh]):
            reach = dot(m.hull_vert[v], down)
            if reach > best or (reach == best and m.hull_vertid[v] < m.hull_vertid[at]):
                best = reach
                at = v
    else:
        d.hull_hint[1] = -1
        at = hill_climb(m, hill_climb_start(m, d, mesh, 1, down), down)
    return at


@kernel
def lowest_hull_face(m, g: int, corner: int, down):
    """The face at a vertex that faces down most; -1 for a hull without polygons."""
    mesh = m.geom_dataid[g]
    side = -1
    best = -2.0
    if m.mesh_polynum[mesh] > 0:
        vertex = hull_mesh_vertex(m, g, corner)
        for k in range(m.mesh_polymapnum[vertex]):
            other = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[vertex] + k]
            facing = dot(m.mesh_polynormal[other], down)
            if facing > best:
                best = facing
                side = other
    return side


@kernel
def add_hull_face(m, d, p: int, g1: int, g2: int, side: int, corner: int, down, height):
    """Contacts of a face's corners; of many, a given one and three of largest area."""
    first = m.mesh_polyvertadr[side]
    count = m.mesh_polyvertnum[side]
    start = 0
    for k in range(count):
        if m.mesh_polyvert[first + k] == m.hull_vertid[corner]:
            start = k
    for k in range(count):
        at = start + k
        d.clipped[k] = m.hull_polypoint[first + (at if at < count else at - count)]
    second = 1
    third = 2
    last = 3
    if count > MAX_CONVEX_CONTACTS:
        area = quadrilateral_area(d, 0, 0, second, third, last)
        second, third, last, area = grow_quadrilateral(d, 0, count, 0, second, third, last, area)
    add_hull_corner(m, d, p, g1, g2, d.clipped[0], down, height)
    add_hull_corner(m, d, p, g1, g2, d.clipped[second], down, height)
    add_hull_corner(m, d, p, g1, g2, d.clipped[third], down, height)
    if count >= MAX_CONVEX_CONTACTS:
        add_hull_corner(m, d, p, g1, g2, d.clipped[last], down, height)


@kernel
def add_hull_corner(m, d, p: int, g1: int, g2: int, local, down, height):
    """Append a mesh point's contact, if within reach and not above the mesh's centre.

    height: of the mesh's centre above the plane.
    """
    below = dot(local, down)
    dist = height - below
    if below >= 0.0 and dist <= detection_distance(m, p, g1, g2):
        normal = geom_z_axis(d, g1)
        pos = d.geom_xpos[g2] + d.geom_xmat[g2] @ local - normal * (0.5 * dist)
        append_contact(d, p, dist, pos, normal, vec3(0.0, 0.0, 0.0))
