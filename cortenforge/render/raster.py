"""Which triangle each sample shows: kernels that project shapes and fill rows of samples.

A picture with n samples a pixel has n rows of samples a row of pixels, each shifted by its own
part of a pixel. What is stored for a sample is how near it is, a number that is linear on the
screen: 1 / z, or the farthest z less z where rays are parallel.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.render.flags import BOTH_SIDES, CASTS, CLOSED, IS_PLANE
from cortenforge.render.layout import MIRRORED, PARALLEL, SHADOW

#: beyond all columns and rows, and far from the ends of integers
FAR = 1e6


@kernel
def fill_row(near, ids, start: int, first: int, last: int, base, slope, number: int):
    """Show a triangle in a row of samples wherever it is nearer than what is there."""
    for k in range(first, last):
        w = base + slope * k
        if w > near[start + k]:
            near[start + k] = w
            ids[start + k] = number


@kernel
def fill_map_row(near, start: int, first: int, last: int, base, slope):
    """The same in a map of shadows, where nobody asks which triangle it was."""
    for k in range(first, last):
        near[start + k] = max(near[start + k], math.floor(base + slope * k))


@kernel
def fill(d, v: int, x0, y0, w0, x1, y1, w1, x2, y2, w2, number: int):
    """Show a triangle of the screen; its corners are put in order from top to bottom."""
    if y1 < y0:
        x0, y0, w0, x1, y1, w1 = x1, y1, w1, x0, y0, w0
    if y2 < y0:
        x0, y0, w0, x2, y2, w2 = x2, y2, w2, x0, y0, w0
    if y2 < y1:
        x1, y1, w1, x2, y2, w2 = x2, y2, w2, x1, y1, w1
    n = d.view_samples[v]
    wide = d.view_size[v, 0]
    first = max(d.view_rows[v, 0], -math.floor(0.5 - max(y0 * n, -FAR)))
    last = min(d.view_rows[v, 1], -math.floor(0.5 - min(y2 * n, FAR)))
    if first >= last:
        return
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area == 0.0:
        return
    across = ((w1 - w0) * (y2 - y0) - (w2 - w0) * (y1 - y0)) / area
    down = ((w2 - w0) * (x1 - x0) - (w1 - w0) * (x2 - x0)) / area
    # an edge that two triangles share is the same numbers in both: samples belong to one of them
    long = (x2 - x0) / (y2 - y0)
    upper = (x1 - x0) / (y1 - y0) if y1 > y0 else 0.0
    lower = (x2 - x1) / (y2 - y1) if y2 > y1 else 0.0
    step = 1.0 / n
    shadow = d.view_kind[v] & SHADOW != 0
    for row in range(first, last):
        y = (row + 0.5) * step
        a = x0 + (y - y0) * long
        b = x0 + (y - y0) * upper if y < y1 else x1 + (y - y1) * lower
        # samples are 1, 2, 4 or 8
        shift = d.shift[row & (n - 1)] if n > 1 else 0.5
        begin = max(0, -math.floor(shift - max(min(a, b), -FAR)))
        end = min(wide, -math.floor(shift - min(max(a, b), FAR)))
        if begin < end:
            base = w0 + (shift - x0) * across + (y - y0) * down
            line = d.view_start[v] + row
            if shadow:
                d.map_span[line, 0] = min(d.map_span[line, 0], begin)
                d.map_span[line, 1] = max(d.map_span[line, 1], end)
                scale = d.view_scale[v]
                fill_map_row(d.map, line * wide, begin, end, base * scale, across * scale)
            else:
                fill_row(d.near, d.ids, line * wide, begin, end, base, across, number)


@kernel
def fill_edge(d, v: int, x0, y0, w0, x1, y1, w1, number: int):
    """Show an edge of a triangle as a strip."""
    x = x1 - x0
    y = y1 - y0
    share = 0.5 * d.wire / max(math.sqrt(x * x + y * y), 1e-12)
    x *= share
    y *= share
    fill(d, v, x0 - y, y0 + x, w0, x0 + y, y0 - x, w0, x1 + y, y1 - x, w1, number)
    fill(d, v, x0 - y, y0 + x, w0, x1 + y, y1 - x, w1, x1 - y, y1 + x, w1, number)


@kernel
def show(d, v: int, x0, y0, w0, x1, y1, w1, x2, y2, w2, number: int):
    """Show a triangle of the screen, or its edges."""
    if d.wire > 0.0 and d.view_kind[v] & SHADOW == 0:
        fill_edge(d, v, x0, y0, w0, x1, y1, w1, number)
        fill_edge(d, v, x1, y1, w1, x2, y2, w2, number)
        fill_edge(d, v, x2, y2, w2, x0, y0, w0, number)
    else:
        fill(d, v, x0, y0, w0, x1, y1, w1, x2, y2, w2, number)


@kernel
def nearness(d, v: int, z):
    """How near a depth is, as a number that is linear on the screen."""
    if d.view_kind[v] & PARALLEL != 0:
        return d.view_range[v, 1] - z
    return 1.0 / z


@kernel
def fill_in_space(d, v: int, p, q, r, number: int):
    """Show a triangle all of which is in front of the eye."""
    if d.view_kind[v] & PARALLEL != 0:
        far = d.view_range[v, 1]
        show(d, v, p.x, p.y, far - p.z, q.x, q.y, far - q.z, r.x, r.y, far - r.z, number)
    else:
        a = 1.0 / p.z
        b = 1.0 / q.z
        c = 1.0 / r.z
        show(d, v, p.x * a, p.y * a, a, q.x * b, q.y * b, b, r.x * c, r.y * c, c, number)


@kernel
def cut(near, p, q):
    """Where an edge from behind the eye to in front of it is nearest."""
    return q + (p - q) * ((q.z - near) / (q.z - p.z))


@kernel
def fill_cut(m, d, v: int, at: int, f: int, number: int):
    """Show what is in front of the eye of a triangle that is not as a whole."""
    near = d.view_range[v, 0]
    p = d.to_view[at] @ m.vert[m.face[f, 0]] + d.at_view[at]
    q = d.to_view[at] @ m.vert[m.face[f, 1]] + d.at_view[at]
    r = d.to_view[at] @ m.vert[m.face[f, 2]] + d.at_view[at]
    # turned so that p is the one that differs from the others
    if (q.z < near) == (r.z < near):
        pass
    elif (p.z < near) == (r.z < near):
        p, q, r = q, r, p
    else:
        p, q, r = r, p, q
    if p.z < near:
        a = cut(near, p, q)
        b = cut(near, p, r)
        fill_in_space(d, v, a, q, r, number)
        fill_in_space(d, v, a, r, b, number)
    else:
        fill_in_space(d, v, p, cut(near, q, p), cut(near, r, p), number)


@kernel
def project(m, d, v: int, at: int, first: int, count: int):
    """Where the vertices of a shape are on the screen, and how deep."""
    turn = d.to_view[at]
    shift = d.at_view[at]
    if d.view_kind[v] & PARALLEL != 0:
        for k in range(count):
            p = turn @ m.vert[first + k] + shift
            d.screen_x[k] = p.x
            d.screen_y[k] = p.y
            d.screen_z[k] = p.z
    else:
        for k in range(count):
            p = turn @ m.vert[first + k] + shift
            inverse = 1.0 / p.z
            d.screen_x[k] = p.x * inverse
            d.screen_y[k] = p.y * inverse
            d.screen_z[k] = p.z


@kernel
def fill_face(m, d, v: int, at: int, f: int, own: int, turned, both: int, number: int):
    """Show one triangle of a thing; `turned` is -1 where a mirror turns it."""
    near = d.view_range[v, 0]
    i = m.face[f, 0] - own
    j = m.face[f, 1] - own
    k = m.face[f, 2] - own
    z0 = d.screen_z[i]
    z1 = d.screen_z[j]
    z2 = d.screen_z[k]
    if min(z0, min(z1, z2)) < near:
        if max(z0, max(z1, z2)) > near:
            fill_cut(m, d, v, at, f, number)
        return
    x0 = d.screen_x[i]
    y0 = d.screen_y[i]
    x1 = d.screen_x[j]
    y1 = d.screen_y[j]
    x2 = d.screen_x[k]
    y2 = d.screen_y[k]
    # rows go down, so corners that go round to the left are seen from the front
    if both == 0 and ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) * turned >= 0.0:
        return
    w0 = nearness(d, v, z0)
    w1 = nearness(d, v, z1)
    w2 = nearness(d, v, z2)
    show(d, v, x0, y0, w0, x1, y1, w1, x2, y2, w2, number)


@kernel
def fill_thing(m, d, v: int, i: int, number: int):
    """Show a thing in a view; the number behind those of its triangles."""
    at = v * d.room + i
    d.number[at] = number
    if d.is_seen[at] == 0:
        return number
    shape = d.thing_shape[i]
    count = m.shape_face[shape, 1]
    if d.row_span[at, 1] <= d.view_rows[v, 0] or d.row_span[at, 0] >= d.view_rows[v, 1]:
        return number + count
    own = m.shape_vert[shape, 0]
    project(m, d, v, at, own, m.shape_vert[shape, 1])
    first = m.shape_face[shape, 0]
    turned = -1.0 if d.view_kind[v] & MIRRORED != 0 else 1.0
    both = d.thing_flags[i] & BOTH_SIDES
    # of what is closed, the sides towards a light cast all of its shadow
    if d.view_kind[v] & SHADOW != 0 and d.thing_flags[i] & CLOSED == 0:
        both = 1
    for f in range(count):
        fill_face(m, d, v, at, first + f, own, turned, both, number + f)
    return number + count


@kernel
def clear_map(d, v: int):
    """Forget what a map of shadows showed; it is large, and was mostly not drawn in."""
    wide = d.view_size[v, 0]
    start = d.view_start[v]
    for row in range(start + d.view_rows[v, 0], start + d.view_rows[v, 1]):
        for k in range(d.map_span[row, 0], d.map_span[row, 1]):
            d.map[row * wide + k] = 0
        d.map_span[row, 0] = wide
        d.map_span[row, 1] = 0


@kernel
def clear_view(d, v: int):
    """Forget what a view of the picture showed."""
    wide = d.view_size[v, 0]
    start = d.view_start[v]
    farthest = nearness(d, v, d.view_range[v, 1])
    for k in range((start + d.view_rows[v, 0]) * wide, (start + d.view_rows[v, 1]) * wide):
        d.near[k] = farthest
        d.ids[k] = -1


@kernel(unit=True)
def fill_view(m, d, v: int, opaque: int):
    """Show all things in a view; with `opaque`, those that are not transparent."""
    number = 0
    shadow = d.view_kind[v] & SHADOW != 0
    if shadow:
        clear_map(d, v)
    else:
        clear_view(d, v)
    for i in range(d.nthing):
        flags = d.thing_flags[i]
        if (opaque != 0 and d.thing_alpha[i] < 1.0) or (
            shadow and (flags & CASTS == 0 or flags & IS_PLANE != 0)
        ):
            d.number[v * d.room + i] = number
        else:
            number = fill_thing(m, d, v, i, number)
