"""Capsules against boxes: the nearest ball of the capsule, and a second one if it lies flat.

In the axes of the box, with half sizes `size`. A place on the capsule's segment is a number from -1
to 1, centre + place * half. Nearest points of the segment and an edge of the box follow from the
normal equations of two lines (see `nearest_segment_places`). Source: MuJoCo: Computation,
"Pair-wise colliders".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, dot, into_frame
from cortenforge.step.collision.axes import axis_flag, component, geom_z_axis, next_axis
from cortenforge.step.collision.bounding_spheres import REACH_SLACK, detection_distance
from cortenforge.step.collision.sphere_box import add_sphere_box_contact

INFINITE_SQUARE = 1e30
#: there is no second contact
NO_STEP = -4.0
#: kinds of nearest features: none; an end over the inside or a face; 0, 1, 2 are an edge's lower
#: end, inside and upper end
NO_FEATURE, LOWER_END, UPPER_END = -4, -3, -1


@kernel(unit=True)
def capsule_box(m, d, p: int, g1: int, g2: int):
    """Contacts of a capsule with a box, two at most.  Mirrors mjc_CapsuleBox."""
    size = m.geom_size[g2]
    radius = m.geom_size[g1, 0]
    centre = into_frame(d.geom_xmat[g2], d.geom_xpos[g1] - d.geom_xpos[g2])
    axis = into_frame(d.geom_xmat[g2], geom_z_axis(d, g1))
    half = axis * m.geom_size[g1, 1]
    reach = radius + detection_distance(m, p, g1, g2)
    far = reach + REACH_SLACK * (reach + size.x + size.y + size.z)
    if d.asked == 1 and not (
        separated_by_face(centre, half, size, far) or separated_by_tangent(centre, half, size, far)
    ):
        add_capsule_box_contacts(m, d, p, g1, g2, centre, axis, half, size, radius)


@kernel
def separated_by_face(centre, half, size, far):
    """Whether an axis of the box separates a segment from it by more than `far`.

    True of most near pairs. What rounding could decide is left to later tests.
    """
    return (
        abs(centre.x) - abs(half.x) > size.x + far
        or abs(centre.y) - abs(half.y) > size.y + far
        or abs(centre.z) - abs(half.z) > size.z + far
    )


@kernel
def separated_by_tangent(centre, half, size, far):
    """Whether the box is farther than `far` along the direction to one place of a segment.

    The place nearest to the box' centre.

    The distance from a box is convex along the segment, so its tangent is a lower bound.
    """
    place = clip(-dot(centre, half) / max(dot(half, half), MINVAL), -1.0, 1.0)
    q = centre + half * place
    out = vec3(
        q.x - clip(q.x, -size.x, size.x),
        q.y - clip(q.y, -size.y, size.y),
        q.z - clip(q.z, -size.z, size.z),
    )
    square = dot(out, out)
    slope = dot(out, half)
    left = square - max(slope * (place + 1.0), slope * (place - 1.0))
    return left > 0.0 and left * left > far * far * square


@kernel
def add_capsule_box_contacts(m, d, p: int, g1: int, g2: int, centre, axis, half, size, radius):
    """Contacts of the capsule's nearest ball, and of a second one if it lies on the box."""
    best, place, kind, face = nearest_end(centre, half, size)
    best, place, kind, edge, corner, on_edge = nearest_box_edge(
        centre, half, m.geom_size[g1, 1], size, best, place, kind
    )
    if kind != NO_FEATURE:
        way = direction_bits(half)
        if kind < 0:
            step = step_over_face(centre, half, size, kind, face)
        elif kind == 1:
            step = step_from_edge(axis, half, size, way, corner, edge, place, on_edge)
        else:
            step = step_from_corner(axis, half, size, way, corner, place)
        add_sphere_box_contact(m, d, p, g1, g2, centre + half * place, radius)
        if step > -3.0:
            add_sphere_box_contact(m, d, p, g1, g2, centre + half * (place + step), radius)


@kernel
def direction_bits(half):
    """The axes along which a segment points up, as bits."""
    x = 1 if half.x > 0.0 else 0
    y = 2 if half.y > 0.0 else 0
    z = 4 if half.z > 0.0 else 0
    return x + y + z


@kernel
def nearest_end(centre, half, size):
    """The segment's end that is nearest to the inside or to a face: (square, place, kind, face).

    square: of the distance.  kind: LOWER_END, UPPER_END or NO_FEATURE.  face: its axis, -1 if the
    end is inside. Ends beyond two or more faces are left to the edges.
    """
    best, place, kind, face = INFINITE_SQUARE, 0.0, NO_FEATURE, -1
    for k in range(2):
        side = 2.0 * k - 1.0
        end = centre + half * side
        beyond = 0
        last = -1
        for j in range(3):
            if abs(component(end, j)) > component(size, j):
                beyond += 1
                last = j
        inside = vec3(
            clip(end.x, -size.x, size.x), clip(end.y, -size.y, size.y), clip(end.z, -size.z, size.z)
        )
        square = dot(inside - end, inside - end)
        if beyond <= 1 and square < best:
            best, place, face = square, side, last
            kind = LOWER_END if k == 0 else UPPER_END
    return best, place, kind, face


@kernel
def nearest_box_edge(centre, half, length, size, best, place, kind: int):
    """The nearest of twelve edges, if nearer than `best`.

    Returns (best, place, kind, edge, corner, on_edge): squared distance, place on the segment,
    kind (0, 1, 2 for the edge's lower end, its inside, its upper end), axis of the edge, corner as
    bits (of an upper end, the corner there), place on the edge from -1 to 1.
    """
    edge, corner, on_edge = 0, 0, 0.0
    for j in range(3):
        for i in range(8):
            if i & axis_flag(j) == 0:
                middle = vec3(
                    size.x if i & 1 != 0 else -size.x,
                    size.y if i & 2 != 0 else -size.y,
                    size.z if i & 4 != 0 else -size.z,
                )
                along = unit_axis(j) * component(size, j)
                middle = middle - unit_axis(j) * component(middle, j)
                x1, x2, held = nearest_segment_places(
                    middle - centre, along, half, component(size, j), length
                )
                apart = middle - centre + along * x1 - half * x2
                square = dot(apart, apart)
                # the margin counts where an axis is parallel to the box but for rounding
                if held >= 0 and square < best - MINVAL:
                    best, place, on_edge = square, x2, x1
                    edge, kind = j, held
                    corner = i + axis_flag(j) if held == 2 else i
    return best, place, kind, edge, corner, on_edge


@kernel
def unit_axis(k: int):
    """Unit vector along axis k."""
    return vec3(1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@kernel
def nearest_segment_places(between, along, half, length1, length2):
    """Nearest places of two segments, from -1 to 1: (x1, x2, held).

        [ma mb; mb mc] [x1; x2] = [u; v],   ma = |along|^2,  mc = |half|^2,  mb = -along.half,
        u = -along.between,  v = half.between

    between: from the second's middle to the first's.  held: 0 if x1 was clamped to its lower end,
    1 if it was not, 2 for the upper end, -1 for parallel segments. A clamped x1 counts as clamped,
    even if the clamped x2 moves it inward again.
    """
    ma, mc = length1 * length1, length2 * length2
    mb = -dot(along, half)
    u, v = -dot(along, between), dot(half, between)
    det = ma * mc - mb * mb
    if abs(det) < MINVAL:
        return 0.0, 0.0, -1
    x1 = (mc * u - mb * v) / det
    x2 = (ma * v - mb * u) / det
    held = 1
    if abs(x1) > 1.0:
        held = 2 if x1 > 0.0 else 0
        x1 = 1.0 if x1 > 0.0 else -1.0
        x2 = (v - mb * x1) / mc
    if abs(x2) > 1.0:
        x2 = 1.0 if x2 > 0.0 else -1.0
        x1 = (u - mb * x2) / ma
        if abs(x1) > 1.0:
            held = 2 if x1 > 0.0 else 0
            x1 = 1.0 if x1 > 0.0 else -1.0
    return x1, x2, held


@kernel
def step_over_face(centre, half, size, kind: int, face: int):
    """Step from an end above a face: as far as the segment stays above the face."""
    if face < 0:
        return NO_STEP
    way = 1.0 if kind == LOWER_END else -1.0
    step = 2.0
    end = centre - half * way
    for k in range(3):
        if k != face:
            for s in range(2):
                side = component(size, k) * (1.0 - 2.0 * s)
                there = (side - component(end, k)) / component(half, k) * way
                if there > 0.0 and there < step:
                    step = there
    return step * way


@kernel
def step_from_edge(axis, half, size, way: int, corner: int, edge: int, place, on_edge):
    """Step from the inside of an edge, along the face at the smaller angle with the segment."""
    across = (way ^ corner) & (7 - axis_flag(edge))
    if across != 1 and across != 2 and across != 4:
        return NO_STEP
    steep = next_axis(edge)
    if abs(component(axis, steep)) > abs(component(axis, next_axis(steep))):
        steep = next_axis(steep)
    along = 3 - edge - steep
    forward = across & axis_flag(along) != 0
    step = 1.0 - place if forward else 1.0 + place
    step = lesser_number(step, 2.0 * component(size, along) / abs(component(half, along)))
    rest = 1.0 - on_edge if (way & axis_flag(edge) != 0) == forward else 1.0 + on_edge
    step = lesser_number(step, component(size, edge) * rest / abs(component(half, edge)))
    return step if forward else -step


@kernel
def step_from_corner(axis, half, size, way: int, corner: int, place):
    """Step from a corner along an edge or over a face; none if the segment points at it."""
    across = way ^ corner
    if across == 0 or across == 7:
        return NO_STEP
    forward = across == 1 or across == 2 or across == 4
    if not forward:
        across = 7 - across
    k = 0 if across == 1 else (1 if across == 2 else 2)
    ahead = 1.0 - place if forward else 1.0 + place
    behind = 1.0 + place if forward else 1.0 - place
    if component(axis, k) * component(axis, k) > 0.5:
        step = lesser_number(ahead, 2.0 * component(size, k) / abs(component(half, k)))
    else:
        one, other = next_axis(k), next_axis(next_axis(k))
        step = lesser_number(behind, 2.0 * component(size, one) / abs(component(half, one)))
        step = -lesser_number(step, 2.0 * component(size, other) / abs(component(half, other)))
    return step if forward else -step


@kernel
def lesser_number(a, b):
    """The smaller of two numbers; the first one if the second is nan."""
    return b if b < a else a
