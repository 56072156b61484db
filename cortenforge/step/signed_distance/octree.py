"""Signed distance from a mesh by its octree: trilinear interpolation in the leaf of a point.

    f(x, y, z) = sum of c_ijk X_i Y_j Z_k,   X = (1 - x, x),  Y = (1 - y, y),  Z = (1 - z, z)

x, y, z are from 0 to 1 in the leaf, c_ijk the distances at its corners. Outside of the root's box,
the distance from it is added to the value at its nearest point. Source: MuJoCo: Modeling, "Signed
distance fields".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.signed_distance.outside_box import extend_beyond_box

#: offset inward of a point projected onto the box, so that a leaf contains it (MuJoCo's number)
INWARD_OFFSET = 1e-6


@kernel
def clamp_inside(at, centre, half):
    """A coordinate moved into an interval, if it is outside."""
    away = at - centre
    beyond = abs(away) - half
    if beyond < 0.0:
        return at
    return at - (beyond + INWARD_OFFSET if away > 0.0 else -(beyond + INWARD_OFFSET))


@kernel
def overshoot(at, centre, half):
    """How far a coordinate is outside of an interval, signed; 0 inside."""
    away = at - centre
    beyond = max(abs(away) - half, 0.0)
    return beyond if away > 0.0 else -beyond


@kernel
def offset_from_root(m, root: int, p):
    """Offset from the root's box to a point; zero inside."""
    return vec3(
        overshoot(p.x, m.oct_aabb[root, 0], m.oct_aabb[root, 3]),
        overshoot(p.y, m.oct_aabb[root, 1], m.oct_aabb[root, 4]),
        overshoot(p.z, m.oct_aabb[root, 2], m.oct_aabb[root, 5]),
    )


@kernel
def project_into_root(m, root: int, p):
    """The point of the root's box nearest to a point.  Mirrors boxProjection."""
    return vec3(
        clamp_inside(p.x, m.oct_aabb[root, 0], m.oct_aabb[root, 3]),
        clamp_inside(p.y, m.oct_aabb[root, 1], m.oct_aabb[root, 4]),
        clamp_inside(p.z, m.oct_aabb[root, 2], m.oct_aabb[root, 5]),
    )


@kernel
def find_leaf(m, root: int, p):
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
def cell_coordinate(m, node: int, axis: int, at):
    """Coordinate in a cell, from 0 to 1."""
    half = m.oct_aabb[node, 3 + axis]
    return (at - m.oct_aabb[node, axis] + half) / (2.0 * half)


@kernel
def lerp(a, b, t):
    """Linear interpolation between two numbers: a (1 - t) + b t."""
    return a * (1.0 - t) + b * t


@kernel
def trilinear(m, node: int, x, y, z):
    """Trilinear interpolation in an octree's cell; returns (value, change).

    x, y, z: place in the cell, from 0 to 1.  value: the distance there.  change: the derivatives
    by x, y and z, that is, by lengths of the cell.
    """
    low_low = lerp(m.oct_coeff[node, 0], m.oct_coeff[node, 1], x)
    high_low = lerp(m.oct_coeff[node, 2], m.oct_coeff[node, 3], x)
    low_high = lerp(m.oct_coeff[node, 4], m.oct_coeff[node, 5], x)
    high_high = lerp(m.oct_coeff[node, 6], m.oct_coeff[node, 7], x)
    low = lerp(low_low, high_low, y)
    high = lerp(low_high, high_high, y)
    along_x = lerp(
        lerp(
            m.oct_coeff[node, 1] - m.oct_coeff[node, 0],
            m.oct_coeff[node, 3] - m.oct_coeff[node, 2],
            y,
        ),
        lerp(
            m.oct_coeff[node, 5] - m.oct_coeff[node, 4],
            m.oct_coeff[node, 7] - m.oct_coeff[node, 6],
            y,
        ),
        z,
    )
    along_y = lerp(high_low - low_low, high_high - low_high, z)
    return lerp(low, high, z), vec3(along_x, along_y, high - low)


@kernel
def octree_distance(m, mesh: int, p):
    """Signed distance of a point from a mesh: (distance, gradient), in the mesh's frame.

    Outside of the root's box the gradient is analytic, where MuJoCo takes differences.  Mirrors
    oct_distance and oct_gradient.
    """
    root = m.mesh_octadr[mesh]
    q = project_into_root(m, root, p)
    node = find_leaf(m, root, q)
    x = cell_coordinate(m, node, 0, q.x)
    y = cell_coordinate(m, node, 1, q.y)
    z = cell_coordinate(m, node, 2, q.z)
    distance, change = trilinear(m, node, x, y, z)
    gradient = vec3(
        change.x / (2.0 * m.oct_aabb[node, 3]),
        change.y / (2.0 * m.oct_aabb[node, 4]),
        change.z / (2.0 * m.oct_aabb[node, 5]),
    )
    away = offset_from_root(m, root, p)
    return extend_beyond_box(distance, gradient, away)
