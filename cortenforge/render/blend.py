"""Alpha blending of transparent instances; the picture as bytes, depths and ids.

Instances are blended from the farthest to the nearest, each by the operator "over" (Porter and
Duff, Compositing Digital Images, SIGGRAPH 1984) with the share of a pixel's samples that it covers:

    light = light + (colour - light) alpha count / n      (additive: light + colour alpha count / n)
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.render.layout import PICTURE_VIEW, TRANSPARENT_VIEW, VIEW_PARALLEL
from cortenforge.render.raster import buffer_depth, project_vertices, rasterise_instance
from cortenforge.render.shade import instance_of_triangle, shade_surface, write_pixel
from cortenforge.render.texture import mix_colours

#: an instance at the same depth as the picture is in front of it
DEPTH_SLACK = 1.0 - 1e-7


@kernel
def screen_box(m, d, i: int):
    """Pixels that an instance may cover in this part.  Returns (left, right, top, bottom)."""
    first = d.view_rows[TRANSPARENT_VIEW, 0] // d.samples
    last = d.view_rows[TRANSPARENT_VIEW, 1] // d.samples
    shape = d.instance_shape[i]
    count = m.shape_vert[shape, 1]
    project_vertices(
        m, d, TRANSPARENT_VIEW, TRANSPARENT_VIEW * d.capacity + i, m.shape_vert[shape, 0], count
    )
    left = 1.0 * d.width
    right = 0.0
    top = 1.0 * d.height
    bottom = 0.0
    for k in range(count):
        if d.screen_z[k] < d.view_range[TRANSPARENT_VIEW, 0]:
            # a vertex before the near plane: no bound on columns
            return 0, d.width, first, last
        left = min(left, d.screen_x[k])
        right = max(right, d.screen_x[k])
        top = min(top, d.screen_y[k])
        bottom = max(bottom, d.screen_y[k])
    return (
        math.floor(max(left - d.wire, 0.0)),
        math.floor(min(right + d.wire + 1.0, 1.0 * d.width)),
        math.floor(max(top - d.wire, 1.0 * first)),
        math.floor(min(bottom + d.wire + 1.0, 1.0 * last)),
    )


@kernel
def clear_screen_box(d, left: int, right: int, top: int, bottom: int):
    """Clear the view of transparent instances in some columns and rows of pixels."""
    farthest = buffer_depth(d, TRANSPARENT_VIEW, d.view_range[TRANSPARENT_VIEW, 1])
    start = d.view_start[TRANSPARENT_VIEW] * d.width
    for row in range(top * d.samples, bottom * d.samples):
        for k in range(left, right):
            d.depth_buffer[start + row * d.width + k] = farthest
            d.triangle_ids[start + row * d.width + k] = -1


@kernel
def blend_pixel(m, d, i: int, row: int, column: int):
    """Blend instance i over a pixel, where its samples are in front of the picture."""
    n = d.samples
    count = 0
    chosen = -1
    y = 0.0
    x = 0.0
    for s in range(n):
        at = (row * n + s) * d.width + column
        own = d.view_start[TRANSPARENT_VIEW] * d.width + at
        if d.triangle_ids[own] >= 0 and d.depth_buffer[own] > d.depth_buffer[at] * DEPTH_SLACK:
            count += 1
            chosen = d.triangle_ids[own]
            x = column + (d.shift[s] if n > 1 else 0.5)
            y = row + (s + 0.5) / n
    if count > 0:
        if count == n:
            x = column + 0.5
            y = row + 0.5
        colour, _z, _point = shade_surface(m, d, TRANSPARENT_VIEW, i, chosen, x, y)
        share = d.instance_alpha[i] * count / n
        at = row * d.width + column
        if d.additive != 0:
            d.colour[at] = d.colour[at] + colour * share
        else:
            d.colour[at] = mix_colours(d.colour[at], colour, share)


@kernel(unit=True)
def blend_transparent(m, d):
    """Rasterise and blend the transparent instances, the farthest first."""
    for k in range(d.ntransparent):
        i = d.transparent[k]
        at = TRANSPARENT_VIEW * d.capacity + i
        above = d.row_span[at, 1] <= d.view_rows[TRANSPARENT_VIEW, 0]
        below = d.row_span[at, 0] >= d.view_rows[TRANSPARENT_VIEW, 1]
        if d.is_seen[at] == 0 or above or below:
            continue
        left, right, top, bottom = screen_box(m, d, i)
        clear_screen_box(d, left, right, top, bottom)
        rasterise_instance(m, d, TRANSPARENT_VIEW, i, 0)
        for row in range(top, bottom):
            for column in range(left, right):
                blend_pixel(m, d, i, row, column)


@kernel(unit=True)
def write_rgb(m, d):
    """Write a part of the picture as bytes."""
    first = d.view_rows[PICTURE_VIEW, 0] // d.samples
    last = d.view_rows[PICTURE_VIEW, 1] // d.samples
    for k in range(first * d.width, last * d.width):
        write_pixel(d, k, d.colour[k])


@kernel(unit=True)
def write_ids_and_depths(m, d):
    """Write depth and instance (or -1) of each pixel of a picture with one sample a pixel."""
    d.last_found = 0
    farthest = d.view_range[PICTURE_VIEW, 1]
    parallel = d.view_kind[PICTURE_VIEW] & VIEW_PARALLEL != 0
    for k in range(d.view_rows[PICTURE_VIEW, 0] * d.width, d.view_rows[PICTURE_VIEW, 1] * d.width):
        number = d.triangle_ids[k]
        d.pixel_instance[k] = -1
        d.depth[k] = farthest
        if number >= 0:
            d.pixel_instance[k] = instance_of_triangle(d, PICTURE_VIEW, number)
            d.depth[k] = farthest - d.depth_buffer[k] if parallel else 1.0 / d.depth_buffer[k]
