"""Rays against triangles, and against meshes through the BVH of their triangles.

 Triangles are sheared so that the ray is along one axis; edge functions e = a_x b_y - a_y b_x of
the projected corners have one sign if it hits, and x is their weighted mean of distances. Edge
functions change sign exactly with the order of corners, so no ray passes between triangles that
share an edge.

Source: Woop, Benthin, Wald, "Watertight ray/triangle intersection", J. Computer Graphics Techniques
2(1), 2013.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, unit
from cortenforge.step.rays.primitives import finite_inverse, finite_inverses

#: relative slack of boxes, so that rounding loses no hit
BOX_SLACK = 1e-12


@kernel
def ray_frame(v):
    """Sheared frame of a ray: rows (sideways, upwards, forward) for scalar products with points.

    Sheared along the direction's largest component.  Mirrors mju_rayTree.
    """
    size = vec3(abs(v.x), abs(v.y), abs(v.z))
    if size.x >= size.y and size.x >= size.z:
        over = finite_inverse(v.x)
        return vec3(-v.y * over, 1.0, 0.0), vec3(-v.z * over, 0.0, 1.0), vec3(over, 0.0, 0.0)
    if size.y >= size.z:
        over = finite_inverse(v.y)
        return vec3(0.0, -v.z * over, 1.0), vec3(1.0, -v.x * over, 0.0), vec3(0.0, over, 0.0)
    over = finite_inverse(v.z)
    return vec3(1.0, 0.0, -v.x * over), vec3(0.0, 1.0, -v.y * over), vec3(0.0, 0.0, over)


@kernel
def edge_function(ax, ay, bx, by):
    """Edge function a_x b_y - a_y b_x: twice the signed area of (origin, a, b).

    Two rounded products, so that exchanging a and b gives exactly the negative.
    """
    first = ax * by
    second = ay * bx
    return first - second


@kernel
def hit_triangle(a, b, c, sideways, upwards, forward):
    """Distance of a triangle along a ray, or -1; corners are relative to the ray's start.

    Mirrors ray_triangle.
    """
    ax = dot(sideways, a)
    ay = dot(upwards, a)
    bx = dot(sideways, b)
    by = dot(upwards, b)
    cx = dot(sideways, c)
    cy = dot(upwards, c)
    of_a = edge_function(bx, by, cx, cy)
    of_b = edge_function(cx, cy, ax, ay)
    of_c = edge_function(ax, ay, bx, by)
    if (of_a < 0.0 or of_b < 0.0 or of_c < 0.0) and (of_a > 0.0 or of_b > 0.0 or of_c > 0.0):
        return -1.0
    whole = of_a + of_b + of_c
    if whole == 0.0:
        return -1.0
    far = of_a * dot(forward, a) + of_b * dot(forward, b) + of_c * dot(forward, c)
    return far / whole


@kernel
def mesh_corner(m, mesh: int, face: int, k: int):
    """A corner of a mesh's triangle, in the mesh's frame."""
    v = m.mesh_vertadr[mesh] + m.mesh_face[m.mesh_faceadr[mesh] + face, k]
    return vec3(m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])


@kernel
def ray_box_entry(m, node: int, p, over, farthest):
    """Distance at which a ray enters the box of a BVH node, at least 0; -1 if it does not.

    Slab test.  Mirrors mju_raySlab.
    """
    centre = vec3(m.bvh_aabb[node, 0] - p.x, m.bvh_aabb[node, 1] - p.y, m.bvh_aabb[node, 2] - p.z)
    x = centre.x * over.x
    y = centre.y * over.y
    z = centre.z * over.z
    reach_x = (m.bvh_aabb[node, 3] + BOX_SLACK * abs(centre.x)) * abs(over.x)
    reach_y = (m.bvh_aabb[node, 4] + BOX_SLACK * abs(centre.y)) * abs(over.y)
    reach_z = (m.bvh_aabb[node, 5] + BOX_SLACK * abs(centre.z)) * abs(over.z)
    enter = max(max(x - reach_x, y - reach_y), max(z - reach_z, 0.0))
    leave = min(min(x + reach_x, y + reach_y), z + reach_z)
    return enter if enter <= leave and enter <= farthest else -1.0


@kernel
def hit_mesh(m, d, mesh: int, p, v, farthest):
    """Distance of a mesh up to `farthest`, and the triangle hit: (x, face), or -1, -1.

    The nearer of two children is visited first.  Mirrors mju_rayTree.
    """
    sideways, upwards, forward = ray_frame(v)
    over = finite_inverses(v)
    root = m.mesh_bvhadr[mesh]
    x = farthest
    found = -1
    top = 0
    node = 0 if ray_box_entry(m, root, p, over, x) >= 0.0 else -1
    while node >= 0:
        face = m.bvh_nodeid[root + node]
        following = -1
        if face >= 0:
            a = mesh_corner(m, mesh, face, 0) - p
            b = mesh_corner(m, mesh, face, 1) - p
            c = mesh_corner(m, mesh, face, 2) - p
            far = hit_triangle(a, b, c, sideways, upwards, forward)
            if far >= 0.0 and far < x:
                x = far
                found = face
        else:
            left = m.bvh_child[root + node, 0]
            right = m.bvh_child[root + node, 1]
            to_left = ray_box_entry(m, root + left, p, over, x)
            to_right = ray_box_entry(m, root + right, p, over, x)
            if to_left >= 0.0 and to_right >= 0.0:
                following = left if to_left <= to_right else right
                d.ray_stack[top] = right if to_left <= to_right else left
                top += 1
            elif to_left >= 0.0:
                following = left
            elif to_right >= 0.0:
                following = right
        if following < 0 and top > 0:
            top -= 1
            following = d.ray_stack[top]
        node = following
    return x if found >= 0 else -1.0, found


@kernel
def mesh_face_normal(m, mesh: int, face: int):
    """Outward normal of a mesh's triangle."""
    c = mesh_corner(m, mesh, face, 2)
    return unit(cross(mesh_corner(m, mesh, face, 0) - c, mesh_corner(m, mesh, face, 1) - c))
