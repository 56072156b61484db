"""Signed distance from a mesh by its octree: trilinear interpolation in the leaf of a point.

    f(x, y, z) = sum of c_ijk X_i Y_j Z_k,   X = (1 - x, x),  Y = (1 - y, y),  Z = (1 - z, z)

x, y, z are from 0 to 1 in the leaf, c_ijk the distances at its corners. Outside of the root's box,
the distance from it is added to the value at its nearest point. Source: MuJoCo: Modeling, "Signed
distance fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.shapes.beyond import beyond_box

#: offset inward of a point projected onto the box, so that a leaf contains it (MuJoCo's number)
INSIDE = 1e-6


@kernel
def held(at, centre, half):
    """A coordinate moved into an interval, if it is outside."""
    away = at - centre
    beyond = abs(away) - half
    if beyond < 0.0:
        return at
    return at - (beyond + INSIDE if away > 0.0 else -(beyond + INSIDE))


@kernel
def over_edge(at, centre, half):
    """How far a coordinate is outside of an interval, signed; 0 inside."""
    away = at - centre
    beyond = max(abs(away) - half, 0.0)
    return beyond if away > 0.0 else -beyond


@kernel
def outside(m, root: int, p):
    """Offset from the root's box to a point; zero inside."""
    return vec3(
        over_edge(p.x, m.oct_aabb[root, 0], m.oct_aabb[root, 3]),
        over_edge(p.y, m.oct_aabb[root, 1], m.oct_aabb[root, 4]),
        over_edge(p.z, m.oct_aabb[root, 2], m.oct_aabb[root, 5]),
    )


@kernel
def into_cells(m, root: int, p):
    """The point of the root's box nearest to a point.  Mirrors boxProjection."""
    return vec3(
        held(p.x, m.oct_aabb[root, 0], m.oct_aabb[root, 3]),
        held(p.y, m.oct_aabb[root, 1], m.oct_aabb[root, 4]),
        held(p.z, m.oct_aabb[root, 2], m.oct_aabb[root, 5]),
    )


@kernel
def leaf_at(m, root: int, p):
    """The leaf that contains a point.  Mirrors findOct."""
    node = root
    while m.oct_child[node, 0] >= 0:
        which = 0
        if p.x >= m.oct_aabb[node, 0]:
            which += 1
        if p.y >= m.oct_aabb[node, 1]:
            which += 2
        if p.z >= m.oct_aabb[node, 2]:
            which += 4
        node = root + m.oct_child[node, which]
    return node


@kernel
def share(m, node: int, axis: int, at):
    """Coordinate in a cell, from 0 to 1."""
    half = m.oct_aabb[node, 3 + axis]
    return (at - m.oct_aabb[node, axis] + half) / (2.0 * half)


@kernel
def mixed(a, b, t):
    """Linear interpolation between two numbers: a (1 - t) + b t."""
    return a * (1.0 - t) + b * t


@kernel
def in_cell(m, node: int, x, y, z):
    """Trilinear interpolation in an octree's cell; returns (value, change).

     x, y, z: place in the cell, from 0 to 1.  value: the distance there.  change: the derivatives
    by x, y and z, that is, by lengths of the cell.
    """
    low_low = mixed(m.oct_coeff[node, 0], m.oct_coeff[node, 1], x)
    high_low = mixed(m.oct_coeff[node, 2], m.oct_coeff[node, 3], x)
    low_high = mixed(m.oct_coeff[node, 4], m.oct_coeff[node, 5], x)
    high_high = mixed(m.oct_coeff[node, 6], m.oct_coeff[node, 7], x)
    low = mixed(low_low, high_low, y)
    high = mixed(low_high, high_high, y)
    along_x = mixed(
        mixed(
            m.oct_coeff[node, 1] - m.oct_coeff[node, 0],
            m.oct_coeff[node, 3] - m.oct_coeff[node, 2],
            y,
        ),
        mixed(
            m.oct_coeff[node, 5] - m.oct_coeff[node, 4],
            m.oct_coeff[node, 7] - m.oct_coeff[node, 6],
            y,
        ),
        z,
    )
    along_y = mixed(high_low - low_low, high_high - low_high, z)
    return mixed(low, high, z), vec3(along_x, along_y, high - low)


@kernel
def octree_distance(m, mesh: int, p):
    """Signed distance of a point from a mesh: (distance, gradient), in the mesh's frame.

    Outside of the root's box the gradient is analytic, where MuJoCo takes differences.  Mirrors
    oct_distance and oct_gradient.
    """
    root = m.mesh_octadr[mesh]
    q = into_cells(m, root, p)
    node = leaf_at(m, root, q)
    x = share(m, node, 0, q.x)
    y = share(m, node, 1, q.y)
    z = share(m, node, 2, q.z)
    distance, change = in_cell(m, node, x, y, z)
    gradient = vec3(
        change.x / (2.0 * m.oct_aabb[node, 3]),
        change.y / (2.0 * m.oct_aabb[node, 4]),
        change.z / (2.0 * m.oct_aabb[node, 5]),
    )
    away = outside(m, root, p)
    return beyond_box(distance, gradient, away)
