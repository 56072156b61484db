"""The polytope of EPA: triangles with outward normals n and signed heights n.a.

A new vertex w sees the faces with n.w - height > slack. These go; edges with just one visible face
are the horizon, and each makes a new face with w. Faces are tested in blocks of eight, with the
components of normals in separate arrays, so that the loop vectorizes; the block behind the last
face is filled with faces at infinite height.

Source: van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3.8.
"""

from __future__ import annotations

import math

from cortenforge.kernel import Tolerance, bit, kernel, lowest_bit, select, vec3, without_lowest
from cortenforge.math.vector import cross, dot
from cortenforge.step.collision.convex.simplex import INFINITE_DISTANCE

#: faces tested together
FACE_BLOCK = 8
#: faces are degenerate if the sine between two edges is below this
DEGENERATE_FACE_SINE = Tolerance(1e-12, single=1e-6)


@kernel
def polytope_face_normal(d, f: int):
    """Outward unit normal of a face of the polytope."""
    return vec3(d.face_x[f], d.face_y[f], d.face_z[f])


@kernel
def set_polytope_face(d, f: int, i: int, j: int, k: int):
    """Write a face by its vertices, counter-clockwise from outside: corners, normal, height n.a.

    A degenerate face has infinite height and is never visible.  Mirrors attachFace.
    """
    a = d.diff_point[i]
    ab = d.diff_point[j] - a
    ac = d.diff_point[k] - a
    normal = cross(ab, ac)
    square = dot(normal, normal)
    height = INFINITE_DISTANCE
    if square > DEGENERATE_FACE_SINE * DEGENERATE_FACE_SINE * dot(ab, ab) * dot(ac, ac):
        normal = normal * (1.0 / math.sqrt(square))
        height = dot(normal, a)
    d.face_corner[f, 0] = i
    d.face_corner[f, 1] = j
    d.face_corner[f, 2] = k
    d.face_x[f] = normal.x
    d.face_y[f] = normal.y
    d.face_z[f] = normal.z
    d.face_height[f] = height


@kernel
def set_initial_faces(d):
    """The four faces of the first tetrahedron, wound by the sign of its volume."""
    a = d.diff_point[0]
    volume = dot(d.diff_point[3] - a, cross(d.diff_point[1] - a, d.diff_point[2] - a))
    i = 1 if volume > 0.0 else 2
    j = 3 - i
    set_polytope_face(d, 0, 0, j, i)
    set_polytope_face(d, 1, 0, i, 3)
    set_polytope_face(d, 2, i, j, 3)
    set_polytope_face(d, 3, 0, 3, j)
    clear_next_block(d, 4)


@kernel
def clear_next_block(d, faces: int):
    """Fill the block behind the last face with faces that no vertex sees."""
    for k in range(FACE_BLOCK):
        d.face_height[faces + k] = INFINITE_DISTANCE


@kernel
def toggle_horizon_edge(d, n: int, i: int, j: int):
    """Add an edge of a removed face to the horizon; an edge and its reverse cancel.

    Returns the new number of edges.
    """
    for e in range(n):
        if d.rim_edge[e, 0] == j and d.rim_edge[e, 1] == i:
            d.rim_edge[e, 0] = d.rim_edge[n - 1, 0]
            d.rim_edge[e, 1] = d.rim_edge[n - 1, 1]
            return n - 1
    d.rim_edge[n, 0] = i
    d.rim_edge[n, 1] = j
    return n + 1


@kernel
def toggle_horizon_face(d, n: int, f: int):
    """Add the three edges of a removed face to the horizon; the new number of edges."""
    n = toggle_horizon_edge(d, n, d.face_corner[f, 0], d.face_corner[f, 1])
    n = toggle_horizon_edge(d, n, d.face_corner[f, 1], d.face_corner[f, 2])
    return toggle_horizon_edge(d, n, d.face_corner[f, 2], d.face_corner[f, 0])


@kernel
def visible_faces(d, first: int, point, slack):
    """Which faces of a block are visible from a point, as bits 1 to 8.

    The lowest bit is left out: with it, compilers take the first face out of the block.
    """
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(FACE_BLOCK):
        f = first + k
        above = d.face_x[f] * point.x + d.face_y[f] * point.y + d.face_z[f] * point.z
        bits = bits | select(above - d.face_height[f] > slack, bit(k + 1), none)
    return bits


@kernel
def add_polytope_vertex(d, faces: int, v: int, lowest: int, slack):
    """Add vertex v to the polytope: visible faces go, faces from v to the horizon come.

    Returns the new number of faces, or 0 if there is no room. Visible faces are one patch around
    the nearest face (`lowest`). Where coplanar faces differ by rounding, several patches may seem
    visible: then the nearest face alone goes, so that the polytope stays closed.
    """
    point = d.diff_point[v]
    edges = 0
    gone = 0
    first = 0
    while first < faces:
        bits = visible_faces(d, first, point, slack)
        while bits != 0:
            f = first + lowest_bit(bits) - 1
            bits = without_lowest(bits)
            if edges + 3 > d.npolytopemax:
                return 0
            edges = toggle_horizon_face(d, edges, f)
            d.face_gone[gone] = f
            gone += 1
        first += FACE_BLOCK
    if edges - gone > 2:
        edges = toggle_horizon_face(d, 0, lowest)
        d.face_gone[0] = lowest
        gone = 1
    count = faces + max(edges - gone, 0)
    if count + FACE_BLOCK > d.npolytopemax:
        return 0
    for e in range(edges):
        f = d.face_gone[e] if e < gone else faces + e - gone
        set_polytope_face(d, f, v, d.rim_edge[e, 0], d.rim_edge[e, 1])
    for e in range(edges, gone):
        d.face_height[d.face_gone[e]] = INFINITE_DISTANCE
    clear_next_block(d, count)
    return count


@kernel
def nearest_polytope_face(d, faces: int):
    """The face with the least height, the first of several."""
    lowest = 0
    least = d.face_height[0]
    for f in range(1, faces):
        height = d.face_height[f]
        lowest = select(height < least, f, lowest)
        least = select(height < least, height, least)
    return lowest
