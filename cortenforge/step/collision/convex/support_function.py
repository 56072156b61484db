"""Support functions of convex geoms: the point farthest in a direction.

    s(u) = argmax over p in the core of p.u
    box           (sign(u_x) a, sign(u_y) b, sign(u_z) c)
    ellipsoid     S^2 u / |S u|, S = diag(semi-axes)
    cylinder      (r u_xy / |u_xy|, sign(u_z) h)
    capsule       (0, 0, sign(u_z) h)
    hull          a vertex, by hill climbing along the hull's edges

Spheres and capsules are cores (a point, a segment) with a radius around them, which is added to
distances afterwards: round geoms are exact and cost as much as their cores.

Sources: van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3;
MuJoCo: Computation, "Convex collisions".
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.vector import MINVAL, dot
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, SPHERE

#: hulls of fewer vertices are searched linearly
FEW_HULL_VERTICES = 16
#: cells along an edge of the cube map of directions, with a starting vertex each
DIRECTION_CELLS = 8


@kernel
def rounding_radius(m, g: int):
    """Radius of a geom around its core: of spheres and capsules; 0 for others.  [m]"""
    kind = m.geom_type[g]
    return m.geom_size[g, 0] if SPHERE <= kind <= CAPSULE else 0.0


@kernel
def is_polyhedron(m, g: int):
    """Whether a geom is a polyhedron: GJK and EPA then end after finitely many vertices."""
    kind = m.geom_type[g]
    return BOX <= kind <= MESH or kind == HFIELD


@kernel
def support(m, d, g: int, side: int, along):
    """Support point of a geom's core, in its axes: (point, corner).  Mirrors mjccd_support.

    along:  the direction, of any length.
    side:   0 for the first geom of a pair, 1 for the second: hull searches start at its hint.
    corner: the bits of a box's corner, a vertex of a hull or a prism, the cap of a cylinder (1 for
            the upper one), or -1.
    A height field stands for its prism in `d.prism`.
    """
    kind = m.geom_type[g]
    size = m.geom_size[g]
    corner = -1
    up = size.y if along.z >= 0.0 else -size.y
    point = vec3(0.0, 0.0, 0.0)
    if kind == MESH:
        corner = hull_support(m, d, m.geom_dataid[g], side, along)
        point = m.hull_vert[corner]
    elif kind == BOX:
        corner = (
            reaches_level(along.x, 0.0)
            + 2 * reaches_level(along.y, 0.0)
            + 4 * reaches_level(along.z, 0.0)
        )
        point = box_corner(size, corner)
    elif kind == CYLINDER:
        across = math.sqrt(along.x * along.x + along.y * along.y)
        scale = size.x / across if across > MINVAL else 0.0
        corner = reaches_level(along.z, 0.0)
        point = vec3(along.x * scale, along.y * scale, up)
    elif kind == ELLIPSOID:
        point = ellipsoid_support(size, along)
    elif kind == CAPSULE:
        point = vec3(0.0, 0.0, up)
    elif kind == HFIELD:
        corner = prism_support(d, along)
        point = d.prism[corner]
    return point, corner


@kernel
def prism_support(d, along):
    """Support vertex of the height field's prism in `d.prism`.  Mirrors mjc_prism_support."""
    at = 3 if along.z >= 0.0 else 0
    one = dot(d.prism[at], along)
    two = dot(d.prism[at + 1], along)
    three = dot(d.prism[at + 2], along)
    if two > one or three > one:
        at = at + 1 if two >= three else at + 2
    return at


@kernel
def reaches_level(x, level):
    """1 if a number is at least a level, otherwise 0."""
    return 1 if x >= level else 0


@kernel
def box_corner(size, corner: int):
    """A corner of a box by its three bits."""
    return vec3(
        size.x if corner & 1 else -size.x,
        size.y if corner & 2 else -size.y,
        size.z if corner & 4 else -size.z,
    )


@kernel
def ellipsoid_support(size, along):
    """Support point of an ellipsoid: S^2 u / |S u|.  Mirrors mjc_ellipsoidSupport."""
    x = size.x * along.x
    y = size.y * along.y
    z = size.z * along.z
    length = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 / length if length > MINVAL * MINVAL else 0.0
    return vec3(size.x * x * scale, size.y * y * scale, size.z * z * scale)


@kernel
def hull_support(m, d, mesh: int, side: int, along):
    """Support vertex of a mesh's convex hull, as a vertex of all hulls.

    Few vertices are searched linearly, others by hill climbing.  Mirrors mjc_hillclimbSupport.
    """
    first = m.hull_vertadr[mesh]
    count = m.hull_vertnum[mesh]
    at = first
    if count < FEW_HULL_VERTICES or m.hull_edgenum[first] == 0:
        best = dot(m.hull_vert[first], along)
        for v in range(first + 1, first + count):
            reach = dot(m.hull_vert[v], along)
            if reach > best:
                best = reach
                at = v
    else:
        at = hill_climb(m, hill_climb_start(m, d, mesh, side, along), along)
        d.hull_hint[side] = at
    return at


@kernel
def hill_climb_start(m, d, mesh: int, side: int, along):
    """The vertex at which hill climbing starts.

    The last one of this side or that of the direction's cell, whichever is farther.
    """
    at = m.hull_vertadr[mesh] + m.hull_toward[mesh, direction_cell(along)]
    last = d.hull_hint[side]
    if last >= 0 and dot(m.hull_vert[last], along) > dot(m.hull_vert[at], along):
        at = last
    return at


@kernel
def direction_cell(along):
    """Cell of a direction on a cube map around the origin, for the table of starting vertices.

    Faces of the cube are in the order x, -x, y, -y, z, -z; on each, cells go along the next two
    axes.
    """
    x = abs(along.x)
    y = abs(along.y)
    z = abs(along.z)
    to_x = x >= y and x >= z
    to_y = not to_x and y >= z
    out = select(to_x, along.x, select(to_y, along.y, along.z))
    one = select(to_x, along.y, select(to_y, along.z, along.x))
    two = select(to_x, along.z, select(to_y, along.x, along.y))
    axis = select(to_x, 0, select(to_y, 2, 4)) + select(out < 0.0, 1, 0)
    scale = 0.5 * DIRECTION_CELLS / max(abs(out), MINVAL)
    row = direction_cell_index(one * scale)
    return (axis * DIRECTION_CELLS + row) * DIRECTION_CELLS + direction_cell_index(two * scale)


@kernel
def direction_cell_index(place):
    """Cell of a coordinate between -CELLS/2 and CELLS/2; of nan, the first."""
    inside = place > -0.5 * DIRECTION_CELLS
    return min(math.floor(select(inside, place + 0.5 * DIRECTION_CELLS, 0.0)), DIRECTION_CELLS - 1)


@kernel
def hill_climb(m, start: int, along):
    """Hill climbing: from a hull's vertex to the highest neighbour until none is higher.

    On a convex hull a local maximum is the global one. The highest neighbour is chosen without a
    branch: no processor predicts it.
    """
    at = start
    best = dot(m.hull_vert[at], along)
    climbing = True
    while climbing:
        highest = -1
        for k in range(m.hull_edgeadr[at], m.hull_edgeadr[at] + m.hull_edgenum[at]):
            reach = dot(m.hull_edgevert[k], along)
            highest = select(reach > best, k, highest)
            best = select(reach > best, reach, best)
        climbing = highest >= 0
        if climbing:
            at = m.hull_edge[highest]
    return at
