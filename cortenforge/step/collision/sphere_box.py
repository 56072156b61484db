"""Spheres against boxes; capsules use the same contact.

    q = clip(c, -size, size),   n = (q - c) / |q - c|,   dist = |q - c| - r

c is the sphere's centre in the box' axes. A centre inside leaves through the nearest face, with
dist = -depth - r. Source: MuJoCo: Computation, "Pair-wise colliders".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, into_frame, norm
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import add_contact


@kernel(lanes=True, unit=True)
def sphere_box(m, d, p: int, g1: int, g2: int):
    """Contact of a sphere with a box.  Mirrors mjc_SphereBox."""
    centre = into_frame(d.geom_xmat[g2], d.geom_xpos[g1] - d.geom_xpos[g2])
    add_sphere_box_contact(m, d, p, g1, g2, centre, m.geom_size[g1, 0])


@kernel(lanes=True)
def add_sphere_box_contact(m, d, p: int, g1: int, g2: int, centre, radius):
    """Contact of a ball, its centre in the box' axes, with the second geom.

    Mirrors mjraw_SphereBox.
    """
    size = m.geom_size[g2]
    nearest = vec3(
        clip(centre.x, -size.x, size.x),
        clip(centre.y, -size.y, size.y),
        clip(centre.z, -size.z, size.z),
    )
    towards = nearest - centre
    length = norm(towards)
    hit = length - radius <= detection_distance(m, p, g1, g2)
    if any_lane(hit):
        inside = length <= MINVAL
        normal = towards * (1.0 / max(length, MINVAL))
        # halfway between the nearest point of the box and the deepest one of the ball
        pos = (nearest + centre + normal * radius) * 0.5
        if any_lane(inside):
            inward, depth = nearest_face_inside(centre, size)
            length = select(inside, -depth, length)
            normal = select(inside, inward, normal)
            pos = select(inside, centre + inward * (0.5 * (radius - depth)), pos)
        turn = d.geom_xmat[g2]
        add_contact(d, p, hit, length - radius, turn @ pos + d.geom_xpos[g2], turn @ normal)


@kernel(lanes=True)
def nearest_face_inside(centre, size):
    """The nearest face to a point inside of a box: (direction away from it, distance)."""
    depth = abs(-size.x - centre.x)
    inward = vec3(1.0, 0.0, 0.0)
    depth, inward = nearer_face(depth, inward, abs(size.x - centre.x), vec3(-1.0, 0.0, 0.0))
    depth, inward = nearer_face(depth, inward, abs(-size.y - centre.y), vec3(0.0, 1.0, 0.0))
    depth, inward = nearer_face(depth, inward, abs(size.y - centre.y), vec3(0.0, -1.0, 0.0))
    depth, inward = nearer_face(depth, inward, abs(-size.z - centre.z), vec3(0.0, 0.0, 1.0))
    depth, inward = nearer_face(depth, inward, abs(size.z - centre.z), vec3(0.0, 0.0, -1.0))
    return inward, depth


@kernel(lanes=True)
def nearer_face(depth, inward, other, direction):
    """The nearer of two faces, the first one in a tie: (distance, direction)."""
    closer = other < depth
    return select(closer, other, depth), select(closer, direction, inward)
