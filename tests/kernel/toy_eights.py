"""Kernels with loops over independent elements; each element has three points of its own."""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, eights, kernel, mat3, quat, select, vec3, zero_like
from cortenforge.kernel.language.layout import Entry, StructLayout
from cortenforge.math.vector import cross, dot, norm, unit

MODEL = StructLayout(
    "EightsModel",
    [
        ("n", "size", (), True),
        ("scale", "real", (), True),
        ("point", "int", (3,), False),
        ("weight", "real", (), False),
        ("rest", "real", (4,), False),
        ("kind", "byte", (), False),
        ("age", "single", (), False),
        ("axis", "vec3", (), False),
        ("frame", "mat3", (), False),
    ],
    constant=True,
)
DATA = StructLayout(
    "EightsData",
    [
        Entry("status", "int", (), True, 1),
        Entry("push", "vec3", (), True, 2),
        Entry("load", "real", (), False, 3),
        Entry("place", "vec3", (), False, 4, "world"),
        Entry("turn", "quat", (), False, 5, "world"),
        Entry("axes", "mat3", (), False, 6, "world"),
        Entry("x", "real", (), False, 7, "world"),
        Entry("pair", "real", (2,), False, 8, "world"),
        Entry("count", "int", (), False, 9, "world"),
    ],
    constant=False,
)


@kernel(lanes=True)
def chosen(x, y):
    """A choice with conditions that lanes do not share, and two results."""
    inside = (x > -0.5 and y < 0.5) or not x < 1.0
    return select(inside, x, y), inside


@kernel
def pull(m, d, first: int, last: int):
    """Vectors: gathered, changed and scattered, with integers that differ."""
    h = 0.5 * m.scale
    for k in eights(first, last):
        a, b, c = m.point[k, 0], m.point[k, 1], m.point[k, 2]
        x0, x1, x2 = d.place[a], d.place[b], d.place[c]
        n = cross(x1 - x0, x2 - x0) + d.push * m.weight[k]
        stretch = norm(n) - m.rest[k, 1] * m.rest[k, 3]
        pushed = unit(n) * (h * stretch) + m.axis[k] * m.age[k]
        old = m.kind[b] == 2 and m.age[k] > 0.0
        pushed = select(old, m.frame[a] @ pushed, -pushed)
        d.place[a] = x0 + m.weight[a] * pushed
        d.place[b] = x1 - m.weight[b] * pushed
        d.place[c, 2] += 0.25 * dot(pushed, x2)
        d.count[c] = 2 * d.count[c] + a - 3 * k
        d.load[b] += stretch / (1.0 + abs(d.load[a]))


@kernel
def twist(m, d, first: int, last: int):
    """Rotations and numbers, with loops and branches that all elements share."""
    for k in eights(first, last):
        a, b = m.point[k, 0], m.point[k, 1]
        q = d.turn[a] * d.turn[b]
        length = math.sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)
        d.turn[b] = quat(q.w / length, q.x / length, q.y / length, q.z / length)
        total = zero_like(length)
        for j in range(3):
            if j == 1:
                total = total * 0.75
            total += d.x[3 * k + j] * m.rest[k, j]
        d.x[3 * k + 1] = total
        y, inside = chosen(total, math.sin(length))
        steps = 0
        while any_lane(y > 0.25):
            steps = select(y > 0.25, steps + 1, steps)
            y = select(y > 0.25, y * 0.5, y)
        d.pair[k, 0] = max(y, -0.25) + min(steps, 3)
        d.pair[k, 1] = select(inside, 1.0, d.pair[k, 1])
    # names of before have another type here, and one more behind
    total = 0.0
    for k in range(first, last):
        for j in range(2):
            total += d.pair[k, j]
    d.load[0] = total
    for k in eights(first, last):
        v = d.axes[k] @ vec3(d.x[3 * k], d.x[3 * k + 1], 1.0)
        d.axes[k] = mat3(v.x, v.y, v.z, 0.0, m.scale, 0.0, 0.0, 0.0, v.x) - d.axes[k]


@kernel(lanes=True, unit=True)
def relax(m, d):
    """Stages of one world, called as a step calls them."""
    pull(m, d, 0, m.n)
    twist(m, d, 8, m.n)
