"""Rasterisation: projection, near-plane clipping, scan conversion with a depth buffer.

A vertex p of a shape is at q = to_view p + at_view: column q.x / q.z, row q.y / q.z, depth q.z (not
divided where rays are parallel). The depth buffer holds w = 1 / z, or far - z where rays are
parallel: larger is nearer, and w is linear on the screen,

    w(x, y) = w0 + (x - x0) across + (y - y0) down
    area    = (x1 - x0) (y2 - y0) - (x2 - x0) (y1 - y0)
    across  = ((w1 - w0) (y2 - y0) - (w2 - w0) (y1 - y0)) / area
    down    = ((w2 - w0) (x1 - x0) - (w1 - w0) (x2 - x0)) / area

A picture with n samples a pixel has n rows of samples in a row of pixels, each with its own
horizontal offset (supersampling on a sparse grid).

Sources: Foley, van Dam, Feiner and Hughes, Computer Graphics: Principles and Practice, chapters
"Scan converting polygons" and "The z-buffer algorithm"; Blinn, Hyperbolic Interpolation (IEEE
Computer Graphics and Applications, 1992) for the linearity of 1 / z.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.render.layout import VIEW_MIRRORED, VIEW_PARALLEL, VIEW_SHADOW
from cortenforge.scene.flags import CASTS_SHADOW, CLOSED_SURFACE, DOUBLE_SIDED, IS_PLANE

#: beyond all columns and rows, and within the range of integers
OFF_SCREEN = 1e6


@kernel
def fill_span(near, ids, start: int, first: int, last: int, base, slope, number: int):
    """Depth test of a triangle in one row of samples: keep the nearest depth and its triangle."""
    for k in range(first, last):
        w = base + slope * k
        if w > near[start + k]:
            near[start + k] = w
            ids[start + k] = number


@kernel
def fill_shadow_span(near, start: int, first: int, last: int, base, slope):
    """Depth test in one row of a shadow map, which keeps depths only."""
    for k in range(first, last):
        near[start + k] = max(near[start + k], math.floor(base + slope * k))


@kernel
def fill_triangle(d, v: int, x0, y0, w0, x1, y1, w1, x2, y2, w2, number: int):
    """Scan-convert a screen triangle; x, y in pixels, w the depth buffer's value of each corner."""
    # corners in order from top to bottom
    if y1 < y0:
        x0, y0, w0, x1, y1, w1 = x1, y1, w1, x0, y0, w0
    if y2 < y0:
        x0, y0, w0, x2, y2, w2 = x2, y2, w2, x0, y0, w0
    if y2 < y1:
        x1, y1, w1, x2, y2, w2 = x2, y2, w2, x1, y1, w1
    n = d.view_samples[v]
    wide = d.view_size[v, 0]
    first = max(d.view_rows[v, 0], -math.floor(0.5 - max(y0 * n, -OFF_SCREEN)))
    last = min(d.view_rows[v, 1], -math.floor(0.5 - min(y2 * n, OFF_SCREEN)))
    if first >= last:
        return
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area == 0.0:
        return
    across = ((w1 - w0) * (y2 - y0) - (w2 - w0) * (y1 - y0)) / area
    down = ((w2 - w0) * (x1 - x0) - (w1 - w0) * (x2 - x0)) / area
    # a shared edge has the same numbers in both triangles: each sample belongs to one of them
    long = (x2 - x0) / (y2 - y0)
    upper = (x1 - x0) / (y1 - y0) if y1 > y0 else 0.0
    lower = (x2 - x1) / (y2 - y1) if y2 > y1 else 0.0
    step = 1.0 / n
    shadow = d.view_kind[v] & VIEW_SHADOW != 0
    for row in range(first, last):
        y = (row + 0.5) * step
        a = x0 + (y - y0) * long
        b = x0 + (y - y0) * upper if y < y1 else x1 + (y - y1) * lower
        # samples are 1, 2, 4 or 8
        shift = d.shift[row & (n - 1)] if n > 1 else 0.5
        begin = max(0, -math.floor(shift - max(min(a, b), -OFF_SCREEN)))
        end = min(wide, -math.floor(shift - min(max(a, b), OFF_SCREEN)))
        if begin < end:
            base = w0 + (shift - x0) * across + (y - y0) * down
            line = d.view_start[v] + row
            if shadow:
                d.shadow_map_span[line, 0] = min(d.shadow_map_span[line, 0], begin)
                d.shadow_map_span[line, 1] = max(d.shadow_map_span[line, 1], end)
                scale = d.view_scale[v]
                fill_shadow_span(
                    d.shadow_map, line * wide, begin, end, base * scale, across * scale
                )
            else:
                fill_span(
                    d.depth_buffer, d.triangle_ids, line * wide, begin, end, base, across, number
                )


@kernel
def fill_edge(d, v: int, x0, y0, w0, x1, y1, w1, number: int):
    """Draw an edge of a wireframe as a strip of width `wire` pixels."""
    x = x1 - x0
    y = y1 - y0
    share = 0.5 * d.wire / max(math.sqrt(x * x + y * y), 1e-12)
    x *= share
    y *= share
    fill_triangle(d, v, x0 - y, y0 + x, w0, x0 + y, y0 - x, w0, x1 + y, y1 - x, w1, number)
    fill_triangle(d, v, x0 - y, y0 + x, w0, x1 + y, y1 - x, w1, x1 - y, y1 + x, w1, number)


@kernel
def draw_triangle(d, v: int, x0, y0, w0, x1, y1, w1, x2, y2, w2, number: int):
    """Draw a screen triangle, or its edges in a wireframe."""
    if d.wire > 0.0 and d.view_kind[v] & VIEW_SHADOW == 0:
        fill_edge(d, v, x0, y0, w0, x1, y1, w1, number)
        fill_edge(d, v, x1, y1, w1, x2, y2, w2, number)
        fill_edge(d, v, x2, y2, w2, x0, y0, w0, number)
    else:
        fill_triangle(d, v, x0, y0, w0, x1, y1, w1, x2, y2, w2, number)


@kernel
def buffer_depth(d, v: int, z):
    """Depth buffer value of depth z: 1 / z, or far - z where rays are parallel."""
    if d.view_kind[v] & VIEW_PARALLEL != 0:
        return d.view_range[v, 1] - z
    return 1.0 / z


@kernel
def draw_view_triangle(d, v: int, p, q, r, number: int):
    """Draw a triangle p, q, r of view coordinates, all of it beyond the near plane."""
    if d.view_kind[v] & VIEW_PARALLEL != 0:
        far = d.view_range[v, 1]
        draw_triangle(d, v, p.x, p.y, far - p.z, q.x, q.y, far - q.z, r.x, r.y, far - r.z, number)
    else:
        a = 1.0 / p.z
        b = 1.0 / q.z
        c = 1.0 / r.z
        draw_triangle(d, v, p.x * a, p.y * a, a, q.x * b, q.y * b, b, r.x * c, r.y * c, c, number)


@kernel
def near_plane_crossing(near, p, q):
    """Intersection of edge p q with the near plane, at depth `near`."""
    return q + (p - q) * ((q.z - near) / (q.z - p.z))


@kernel
def draw_clipped_triangle(m, d, v: int, at: int, f: int, number: int):
    """Clip a triangle at the near plane, and draw the one or two triangles that remain."""
    near = d.view_range[v, 0]
    p = d.to_view[at] @ m.vert[m.face[f, 0]] + d.at_view[at]
    q = d.to_view[at] @ m.vert[m.face[f, 1]] + d.at_view[at]
    r = d.to_view[at] @ m.vert[m.face[f, 2]] + d.at_view[at]
    # rotated so that p is alone on its side of the plane
    if (q.z < near) == (r.z < near):
        pass
    elif (p.z < near) == (r.z < near):
        p, q, r = q, r, p
    else:
        p, q, r = r, p, q
    if p.z < near:
        a = near_plane_crossing(near, p, q)
        b = near_plane_crossing(near, p, r)
        draw_view_triangle(d, v, a, q, r, number)
        draw_view_triangle(d, v, a, r, b, number)
    else:
        draw_view_triangle(
            d, v, p, near_plane_crossing(near, q, p), near_plane_crossing(near, r, p), number
        )


@kernel
def project_vertices(m, d, v: int, at: int, first: int, count: int):
    """Project the vertices of a shape: columns, rows and depths in screen_x, _y, _z."""
    turn = d.to_view[at]
    shift = d.at_view[at]
    if d.view_kind[v] & VIEW_PARALLEL != 0:
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
def rasterise_face(m, d, v: int, at: int, f: int, own: int, turned, both: int, number: int):
    """Cull, clip or draw face f of an instance; `turned` is -1 where a mirror flips orientation."""
    near = d.view_range[v, 0]
    i = m.face[f, 0] - own
    j = m.face[f, 1] - own
    k = m.face[f, 2] - own
    z0 = d.screen_z[i]
    z1 = d.screen_z[j]
    z2 = d.screen_z[k]
    if min(z0, min(z1, z2)) < near:
        if max(z0, max(z1, z2)) > near:
            draw_clipped_triangle(m, d, v, at, f, number)
        return
    x0 = d.screen_x[i]
    y0 = d.screen_y[i]
    x1 = d.screen_x[j]
    y1 = d.screen_y[j]
    x2 = d.screen_x[k]
    y2 = d.screen_y[k]
    # back-face culling: rows go down, so front faces have a negative area
    if both == 0 and ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) * turned >= 0.0:
        return
    w0 = buffer_depth(d, v, z0)
    w1 = buffer_depth(d, v, z1)
    w2 = buffer_depth(d, v, z2)
    draw_triangle(d, v, x0, y0, w0, x1, y1, w1, x2, y2, w2, number)


@kernel
def rasterise_instance(m, d, v: int, i: int, number: int):
    """Rasterise instance i, with triangles from `number` on.  Returns the next number."""
    at = v * d.capacity + i
    d.first_number[at] = number
    if d.is_seen[at] == 0:
        return number
    shape = d.instance_shape[i]
    count = m.shape_face[shape, 1]
    if d.row_span[at, 1] <= d.view_rows[v, 0] or d.row_span[at, 0] >= d.view_rows[v, 1]:
        return number + count
    own = m.shape_vert[shape, 0]
    project_vertices(m, d, v, at, own, m.shape_vert[shape, 1])
    first = m.shape_face[shape, 0]
    turned = -1.0 if d.view_kind[v] & VIEW_MIRRORED != 0 else 1.0
    both = d.instance_flags[i] & DOUBLE_SIDED
    # a closed surface needs only its front faces in a shadow map
    if d.view_kind[v] & VIEW_SHADOW != 0 and d.instance_flags[i] & CLOSED_SURFACE == 0:
        both = 1
    for f in range(count):
        rasterise_face(m, d, v, at, first + f, own, turned, both, number + f)
    return number + count


@kernel
def clear_shadow_map(d, v: int):
    """Clear a shadow map, only where it was drawn in: it is large, and mostly empty."""
    wide = d.view_size[v, 0]
    start = d.view_start[v]
    for row in range(start + d.view_rows[v, 0], start + d.view_rows[v, 1]):
        for k in range(d.shadow_map_span[row, 0], d.shadow_map_span[row, 1]):
            d.shadow_map[row * wide + k] = 0
        d.shadow_map_span[row, 0] = wide
        d.shadow_map_span[row, 1] = 0


@kernel
def clear_view(d, v: int):
    """Clear depths and triangle ids of a view's rows."""
    wide = d.view_size[v, 0]
    start = d.view_start[v]
    farthest = buffer_depth(d, v, d.view_range[v, 1])
    for k in range((start + d.view_rows[v, 0]) * wide, (start + d.view_rows[v, 1]) * wide):
        d.depth_buffer[k] = farthest
        d.triangle_ids[k] = -1


@kernel(unit=True)
def rasterise_view(m, d, v: int, opaque: int):
    """Rasterise all instances in view v; with `opaque`, without transparent ones."""
    number = 0
    shadow = d.view_kind[v] & VIEW_SHADOW != 0
    if shadow:
        clear_shadow_map(d, v)
    else:
        clear_view(d, v)
    for i in range(d.ninstance):
        flags = d.instance_flags[i]
        if (opaque != 0 and d.instance_alpha[i] < 1.0) or (
            shadow and (flags & CASTS_SHADOW == 0 or flags & IS_PLANE != 0)
        ):
            d.first_number[v * d.capacity + i] = number
        else:
            number = rasterise_instance(m, d, v, i, number)
