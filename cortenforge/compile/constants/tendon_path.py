"""Paths of tendons: straight lines between sites, arcs around spheres and cylinders.

An arc is found in a plane: through both ends and the centre for a sphere, across the axis for a
cylinder.  With a side site outside the geom, the path goes around the centre the way that the
line over the side site does; inside the geom, the path touches the circle from within.

Goes when the engine's tendons are kernels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cortenforge.enums import WrapType
from cortenforge.spec.rotation import Matrix, Vector, add, cross, dot, subtract, turn

MINVAL = 1e-15
INSIDE_STEPS = 20
INSIDE_TOLERANCE = 1e-6

Flat = tuple[float, float]
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Frames:
    """Where sites and geoms are: positions, and orientations of geoms as matrices."""

    site_xpos: list[Vector]
    geom_xpos: list[Vector]
    geom_xmat: list[Matrix]


@dataclass(frozen=True)
class Segment:
    """A straight piece of a path between points on two bodies, counted by 1 / divisor."""

    bodies: tuple[int, int]
    points: tuple[Vector, Vector]
    divisor: float


@dataclass(frozen=True)
class Arc:
    """A piece of a path that lies on a geom: its length and its ends."""

    length: float
    start: Vector
    end: Vector


# ---------------------------------------------------------------------- whole paths


def fixed_length(arrays: Arrays, tendon: int, qpos: np.ndarray) -> float:
    """Length of a fixed tendon: the sum of its joints' positions, weighed."""
    steps = _steps(arrays, tendon)
    places = arrays["jnt_qposadr"][arrays["wrap_objid"][steps]]
    return math.fsum((arrays["wrap_prm"][steps] * qpos[places]).tolist())


def spatial_path(arrays: Arrays, tendon: int, frames: Frames) -> tuple[float, list[Segment]]:
    """Length of a spatial tendon, and the straight pieces that move with the bodies."""
    length = 0.0
    segments: list[Segment] = []
    for steps, divisor in _legs(arrays, tendon):
        first, last = arrays["wrap_objid"][steps[0]], arrays["wrap_objid"][steps[-1]]
        start, end = frames.site_xpos[first], frames.site_xpos[last]
        bodies = int(arrays["site_bodyid"][first]), int(arrays["site_bodyid"][last])
        arc = _arc(arrays, steps[1], start, end, frames) if len(steps) == 3 else None
        if arc is None:
            length += math.dist(start, end) / divisor
            segments.append(Segment(bodies, (start, end), divisor))
            continue
        around = int(arrays["geom_bodyid"][arrays["wrap_objid"][steps[1]]])
        straight = math.dist(start, arc.start) + math.dist(arc.end, end)
        length += (straight + arc.length) / divisor
        segments.append(Segment((bodies[0], around), (start, arc.start), divisor))
        segments.append(Segment((around, bodies[1]), (arc.end, end), divisor))
    return length, segments


def _steps(arrays: Arrays, tendon: int) -> slice:
    start = int(arrays["tendon_adr"][tendon])
    return slice(start, start + int(arrays["tendon_num"][tendon]))


def _legs(arrays: Arrays, tendon: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Pieces of a path from site to site, perhaps over a geom, with the divisor of the branch."""
    steps = _steps(arrays, tendon)
    kinds = arrays["wrap_type"][steps].tolist()
    divisor = 1.0
    at = 0
    while at < len(kinds) - 1:
        if kinds[at] == WrapType.PULLEY:
            divisor = float(arrays["wrap_prm"][steps.start + at])
            at += 1
        elif kinds[at + 1] == WrapType.PULLEY:
            at += 1
        else:
            size = 1 if kinds[at + 1] == WrapType.SITE else 2
            yield tuple(range(steps.start + at, steps.start + at + size + 1)), divisor
            at += size


def _arc(arrays: Arrays, step: int, start: Vector, end: Vector, frames: Frames) -> Arc | None:
    """The arc around the geom of a step, if the path touches it."""
    geom, side = int(arrays["wrap_objid"][step]), round(float(arrays["wrap_prm"][step]))
    centre, axes = frames.geom_xpos[geom], frames.geom_xmat[geom]
    back = (*axes[0::3], *axes[1::3], *axes[2::3])
    arc = wrap(
        turn(back, subtract(start, centre)),
        turn(back, subtract(end, centre)),
        None if side < 0 else turn(back, subtract(frames.site_xpos[side], centre)),
        float(arrays["geom_size"][geom, 0]),
        cylinder=arrays["wrap_type"][step] == WrapType.CYLINDER,
    )
    if arc is None:
        return None
    return Arc(arc.length, add(turn(axes, arc.start), centre), add(turn(axes, arc.end), centre))


# ---------------------------------------------------------------------- around one geom


def wrap(
    start: Vector, end: Vector, side: Vector | None, radius: float, *, cylinder: bool
) -> Arc | None:
    """The arc of a path around a geom at the origin (its axis along z), None if it is clear."""
    if math.hypot(*start) < MINVAL or math.hypot(*end) < MINVAL:
        return None
    x, y = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)) if cylinder else _plane(start, end)
    ends = (_flat(start, x, y), _flat(end, x, y))
    if side is not None and math.hypot(*side) < radius:
        inner = _inside(*ends, radius)
        found = None if inner is None else (0.0, inner, inner)
    else:
        found = _around(*ends, None if side is None else _on_circle(side, x, y, radius), radius)
    if found is None:
        return None
    length, first, last = found
    if not cylinder:
        return Arc(length, _raised(first, x, y), _raised(last, x, y))
    # the height grows evenly along the path
    before, after = math.dist(ends[0], first), math.dist(ends[1], last)
    rise = (end[2] - start[2]) / (before + length + after)
    heights = start[2] + rise * before, start[2] + rise * (before + length)
    return Arc(math.hypot(length, rise * length), (*first, heights[0]), (*last, heights[1]))


def _plane(start: Vector, end: Vector) -> tuple[Vector, Vector]:
    """Two axes of the plane through the centre and both ends; the first points to the start."""
    x = _unit(start)
    normal = cross(start, end)
    if math.hypot(*normal) < MINVAL:
        # the ends are in line with the centre: any plane through them will do, this is MuJoCo's
        other = [1.0, 1.0, 1.0]
        other[_largest(x)] = 0.0
        normal = cross(x, (other[0], other[1], other[2]))
    return x, _unit(cross(_unit(normal), x))


def _unit(vector: Vector) -> Vector:
    size = math.hypot(*vector)
    return (vector[0] / size, vector[1] / size, vector[2] / size)


def _raised(point: Flat, x: Vector, y: Vector) -> Vector:
    """A point of the plane in space."""
    a, b = point
    return (a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2])


def _largest(vector: Vector) -> int:
    """Index of the component that is largest of all, 0 when there is a tie."""
    a, b, c = (abs(value) for value in vector)
    if b > a and b > c:
        return 1
    return 2 if c > a and c > b else 0


def _flat(point: Vector, x: Vector, y: Vector) -> Flat:
    return dot(point, x), dot(point, y)


def _on_circle(side: Vector, x: Vector, y: Vector, radius: float) -> Flat:
    """The side site, moved onto the circle."""
    return _scaled(_flat(side, x, y), radius)


def _around(
    start: Flat, end: Flat, side: Flat | None, radius: float
) -> tuple[float, Flat, Flat] | None:
    """Length and ends of the arc around the outside of a circle."""
    squares = _square(start), _square(end)
    if min(squares) < radius * radius or radius < MINVAL:
        return None
    step = end[0] - start[0], end[1] - start[1]
    if _square(step) < MINVAL:
        return None
    along = -(step[0] * start[0] + step[1] * start[1]) / _square(step)
    along = min(1.0, max(0.0, along))
    nearest = along * step[0] + start[0], along * step[1] + start[1]
    clear = _square(nearest) > radius * radius
    winding = 0.0
    if side is not None:
        winding = _angle(start, side) + _angle(side, end)
        clear = clear and abs(winding - _angle(start, end)) < math.pi
    if clear:
        return None
    options = [_tangents(start, end, squares, radius, sign) for sign in (1.0, -1.0)]
    crossed = [_cross_each_other(start, a, end, b) for a, b in options]
    if side is None:
        worth = [
            -1e4 if bad else -_square((a[0] - b[0], a[1] - b[1]))
            for (a, b), bad in zip(options, crossed, strict=True)
        ]
        chosen = 0 if worth[0] > worth[1] else 1
    else:
        chosen = 1 if winding > 0 else 0
    if crossed[chosen]:
        return None
    first, last = options[chosen]
    if side is None:
        return radius * _arc_angle(first, last, chosen), first, last
    turn = winding - _angle(start, first) - _angle(last, end)
    return radius * abs(turn), first, last


def _tangents(
    start: Flat, end: Flat, squares: tuple[float, float], radius: float, sign: float
) -> tuple[Flat, Flat]:
    """Where lines from both ends touch the circle, on one side of it or the other."""
    points = []
    for point, square, way in ((start, squares[0], sign), (end, squares[1], -sign)):
        reach = way * radius * math.sqrt(square - radius * radius)
        scaled = radius * radius
        points.append(
            (
                (point[0] * scaled + point[1] * reach) / square,
                (point[1] * scaled - point[0] * reach) / square,
            )
        )
    return points[0], points[1]


def _cross_each_other(a: Flat, b: Flat, c: Flat, d: Flat) -> bool:
    """True when the segments a-b and c-d cross."""
    u, v = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    area = v[1] * u[0] - v[0] * u[1]
    if abs(area) < MINVAL:
        return False
    sign = 1.0 if area > 0 else -1.0
    w, x = (a[0] - c[0], a[1] - c[1]), (b[0] - d[0], b[1] - d[1])
    begins = (v[0] * w[1] - v[1] * w[0]) * sign, (u[0] * w[1] - u[1] * w[0]) * sign
    ends = (v[0] * x[1] - v[1] * x[0]) * sign, (u[0] * x[1] - u[1] * x[0]) * sign
    return min(begins) >= 0 and max(ends) < 0


def _arc_angle(a: Flat, b: Flat, way: int) -> float:
    """Angle from one point of a circle to another, the way round that the path takes."""
    area = a[1] * b[0] - a[0] * b[1]
    angle = math.atan2(abs(area), a[0] * b[0] + a[1] * b[1])
    return 2 * math.pi - angle if (area > 0 and way) or (area < 0 and not way) else angle


def _inside(start: Flat, end: Flat, radius: float) -> Flat | None:
    """Where the shortest path touches a circle that it has to reach from the outside."""
    far, near = math.hypot(*start), math.hypot(*end)
    if min(far, near) <= radius or radius < MINVAL or min(far, near) < MINVAL:
        return None
    step = end[0] - start[0], end[1] - start[1]
    square = _square(step)
    if square > MINVAL:
        along = -(step[0] * start[0] + step[1] * start[1]) / square
        nearest = start[0] + along * step[0], start[1] + along * step[1]
        if 0 < along < 1 and math.hypot(*nearest) <= radius:
            return None
    middle = _scaled((0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])), radius)
    cosine = (far * far + near * near - square) / (2 * far * near)
    if cosine < -1 + MINVAL:
        return None
    if cosine > 1 - MINVAL:
        return middle
    turned = _reflection(radius / far, radius / near, math.acos(cosine))
    if turned is None:
        return middle
    if start[0] * end[1] - start[1] * end[0] > 0:
        return _turned(_scaled(start, radius), turned[0])
    return _turned(_scaled(end, radius), turned[1])


def _reflection(a: float, b: float, gap: float) -> tuple[float, float] | None:
    """Angles from both ends to the point where the path bounces off, by Newton's method."""
    phi, z = 0.5 * math.pi, 1.0
    angles = math.asin(a), math.asin(b)
    value = sum(angles) - math.pi + gap
    if value > 0:
        return None
    for _ in range(INSIDE_STEPS):
        if abs(value) <= INSIDE_TOLERANCE:
            return phi - angles[0], phi - angles[1]
        slopes = (c / max(MINVAL, math.sqrt(1 - (z * c) ** 2)) for c in (a, b))
        slope = math.cos(phi) * sum(slopes) - 2
        if slope > -MINVAL or phi - value / slope > phi:
            return None
        phi -= value / slope
        z = math.sin(phi)
        angles = math.asin(a * z), math.asin(b * z)
        value = sum(angles) - 2 * phi + gap
        if value > INSIDE_TOLERANCE:
            return None
    return None


def _square(vector: Flat) -> float:
    return vector[0] * vector[0] + vector[1] * vector[1]


def _angle(a: Flat, b: Flat) -> float:
    """Signed angle from one direction to another, in (-pi, pi]."""
    return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def _scaled(vector: Flat, radius: float) -> Flat:
    size = math.hypot(*vector)
    if size < MINVAL:
        return radius, 0.0
    return radius * vector[0] / size, radius * vector[1] / size


def _turned(vector: Flat, angle: float) -> Flat:
    cosine, sine = math.cos(angle), math.sin(angle)
    return cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1]
