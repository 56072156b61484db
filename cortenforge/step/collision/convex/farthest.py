"""Where a convex geom is farthest in a direction: all that distance and penetration ask of a shape.

Spheres and capsules are a point and a segment with a radius around them. Their core is what is
asked here, so that a rounded geom costs as much as what is inside it, and its radius is exact.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.vector import MINVAL, dot
from cortenforge.step.constants import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, SPHERE

#: hulls with fewer vertices are searched from end to end
FEW = 16
#: cells along an edge of the cube of directions from which searches in hulls begin
CELLS = 8


@kernel
def radius_around(m, g: int):
    """How far a geom reaches beyond its core."""
    kind = m.geom_type[g]
    return m.geom_size[g, 0] if SPHERE <= kind <= CAPSULE else 0.0


@kernel
def has_corners(m, g: int):
    """Whether a geom is a polyhedron, so that searches among its corners come to an end."""
    kind = m.geom_type[g]
    return BOX <= kind <= MESH or kind == HFIELD


@kernel
def farthest(m, d, g: int, side: int, along):
    """The point of a geom's core farthest in a direction, in its own axes, and its corner, or -1.

    Of a cylinder, the corner says which cap it is at; a height field is the prism that is looked
    at. `side` is 0 for the first geom of a pair, 1
    for the second: a search in a hull begins where the last one ended.  Mirrors mjc_support.
    """
    kind = m.geom_type[g]
    size = m.geom_size[g]
    corner = -1
    up = size.y if along.z >= 0.0 else -size.y
    point = vec3(0.0, 0.0, 0.0)
    if kind == MESH:
        corner = farthest_of_hull(m, d, m.geom_dataid[g], side, along)
        point = m.hull_vert[corner]
    elif kind == BOX:
        corner = is_above(along.x, 0.0) + 2 * is_above(along.y, 0.0) + 4 * is_above(along.z, 0.0)
        point = box_corner(size, corner)
    elif kind == CYLINDER:
        across = math.sqrt(along.x * along.x + along.y * along.y)
        scale = size.x / across if across > MINVAL else 0.0
        corner = is_above(along.z, 0.0)
        point = vec3(along.x * scale, along.y * scale, up)
    elif kind == ELLIPSOID:
        point = farthest_of_ellipsoid(size, along)
    elif kind == CAPSULE:
        point = vec3(0.0, 0.0, up)
    elif kind == HFIELD:
        corner = farthest_of_prism(d, along)
        point = d.prism[corner]
    return point, corner


@kernel
def farthest_of_prism(d, along):
    """The corner of a prism of a height field that is farthest in a direction."""
    at = 3 if along.z >= 0.0 else 0
    one = dot(d.prism[at], along)
    two = dot(d.prism[at + 1], along)
    three = dot(d.prism[at + 2], along)
    if two > one or three > one:
        at = at + 1 if two >= three else at + 2
    return at


@kernel
def is_above(x, level):
    """1 if a number reaches a level, otherwise 0."""
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
def farthest_of_ellipsoid(size, along):
    """The point of an ellipsoid whose normal is the direction."""
    x = size.x * along.x
    y = size.y * along.y
    z = size.z * along.z
    length = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 / length if length > MINVAL * MINVAL else 0.0
    return vec3(size.x * x * scale, size.y * y * scale, size.z * z * scale)


@kernel
def farthest_of_hull(m, d, mesh: int, side: int, along):
    """The vertex of a mesh's hull farthest in a direction.  Mirrors mjc_hillclimbSupport."""
    first = m.hull_vertadr[mesh]
    count = m.hull_vertnum[mesh]
    at = first
    if count < FEW or m.hull_edgenum[first] == 0:
        best = dot(m.hull_vert[first], along)
        for v in range(first + 1, first + count):
            reach = dot(m.hull_vert[v], along)
            if reach > best:
                best = reach
                at = v
    else:
        at = climb(m, start_of_climb(m, d, mesh, side, along), along)
        d.hull_hint[side] = at
    return at


@kernel
def start_of_climb(m, d, mesh: int, side: int, along):
    """A vertex not far from the farthest: the last one, or the one for the direction's cell."""
    at = m.hull_vertadr[mesh] + m.hull_toward[mesh, direction_cell(along)]
    last = d.hull_hint[side]
    if last >= 0 and dot(m.hull_vert[last], along) > dot(m.hull_vert[at], along):
        at = last
    return at


@kernel
def direction_cell(along):
    """Which cell a direction goes through, of those on the sides of a cube around the origin.

    Sides are x, -x, y, -y, z, -z; across each, cells go along the next two axes.
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
    scale = 0.5 * CELLS / max(abs(out), MINVAL)
    row = cell_along(one * scale)
    return (axis * CELLS + row) * CELLS + cell_along(two * scale)


@kernel
def cell_along(place):
    """The cell of a place between -CELLS/2 and CELLS/2; of what is no number, the first."""
    inside = place > -0.5 * CELLS
    return min(math.floor(select(inside, place + 0.5 * CELLS, 0.0)), CELLS - 1)


@kernel
def climb(m, start: int, along):
    """From vertex to neighbour as long as it goes up; on a convex hull the end is the top.

    Which neighbour is the highest is chosen without a branch: no processor guesses it.
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
