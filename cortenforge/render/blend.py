"""Transparent things over the picture, and the picture as bytes, depths and owners."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.render.layout import CLEAR, PARALLEL, PICTURE
from cortenforge.render.raster import fill_thing, nearness, project
from cortenforge.render.shade import surface, thing_of, write_pixel
from cortenforge.render.texture import blend

#: what lies on a surface is in front of it
ALMOST = 1.0 - 1e-7
#: more than any triangle's number
MANY = 1 << 30


@kernel
def box_around(m, d, i: int):
    """The first and last columns and rows of pixels that a thing may show in."""
    shape = d.thing_shape[i]
    count = m.shape_vert[shape, 1]
    project(m, d, CLEAR, CLEAR * d.room + i, m.shape_vert[shape, 0], count)
    left = 1.0 * d.width
    right = 0.0
    top = 1.0 * d.height
    bottom = 0.0
    for k in range(count):
        if d.screen_z[k] < d.view_range[CLEAR, 0]:
            # behind the eye
            return 0, d.width, 0, d.height
        left = min(left, d.screen_x[k])
        right = max(right, d.screen_x[k])
        top = min(top, d.screen_y[k])
        bottom = max(bottom, d.screen_y[k])
    return (
        math.floor(max(left, 0.0)),
        math.floor(min(right + 1.0, 1.0 * d.width)),
        math.floor(max(top, 0.0)),
        math.floor(min(bottom + 1.0, 1.0 * d.height)),
    )


@kernel
def clear_box(d, left: int, right: int, top: int, bottom: int):
    """Forget what the view of one thing showed, in some columns and rows of pixels."""
    farthest = nearness(d, CLEAR, d.view_range[CLEAR, 1])
    start = d.view_start[CLEAR] * d.width
    for row in range(top * d.samples, bottom * d.samples):
        for k in range(left, right):
            d.near[start + row * d.width + k] = farthest
            d.ids[start + row * d.width + k] = -1


@kernel
def blend_pixel(m, d, row: int, column: int, alpha):
    """Blend a transparent thing over a pixel, as far as it is in front of the picture."""
    n = d.samples
    count = 0
    chosen = -1
    y = 0.0
    x = 0.0
    for s in range(n):
        at = (row * n + s) * d.width + column
        own = d.view_start[CLEAR] * d.width + at
        if d.ids[own] >= 0 and d.near[own] > d.near[at] * ALMOST:
            count += 1
            chosen = d.ids[own]
            x = column + (d.shift[s] if n > 1 else 0.5)
            y = row + (s + 0.5) / n
    if count > 0:
        if count == n:
            x = column + 0.5
            y = row + 0.5
        colour, _z, _point = surface(m, d, CLEAR, chosen, x, y)
        share = alpha * count / n
        at = row * d.width + column
        d.light[at] = blend(d.light[at], colour, share)


@kernel(unit=True)
def blend_things(m, d):
    """Draw transparent things over the picture, the farthest first."""
    for k in range(d.nclear):
        i = d.clear[k]
        at = CLEAR * d.room + i
        if d.is_seen[at] == 0:
            continue
        for other in range(d.nthing):
            d.number[CLEAR * d.room + other] = 0 if other <= i else MANY
        d.lately = i
        left, right, top, bottom = box_around(m, d, i)
        clear_box(d, left, right, top, bottom)
        fill_thing(m, d, CLEAR, i, 0)
        for row in range(top, bottom):
            for column in range(left, right):
                blend_pixel(m, d, row, column, d.thing_alpha[i])


@kernel(unit=True)
def write_bytes(m, d):
    """The picture as bytes."""
    for k in range(d.width * d.height):
        write_pixel(d, k, d.light[k])


@kernel(unit=True)
def write_owners(m, d):
    """Of each pixel of a picture with one sample: how deep it is, and the thing it shows or -1."""
    d.lately = 0
    farthest = d.view_range[PICTURE, 1]
    parallel = d.view_kind[PICTURE] & PARALLEL != 0
    for k in range(d.width * d.height):
        number = d.ids[k]
        d.owner[k] = -1
        d.depth[k] = farthest
        if number >= 0:
            d.owner[k] = thing_of(d, PICTURE, number)
            d.depth[k] = farthest - d.near[k] if parallel else 1.0 / d.near[k]
