"""Render passes: entries that draw a part of a frame, which threads share."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.render.blend import blend_things, write_bytes, write_owners
from cortenforge.render.layout import FIRST_LIGHT, PICTURE
from cortenforge.render.raster import fill_view
from cortenforge.render.shade import shade_rows


@kernel(entry=True)
def fill_part(m, d, count: int):
    """Rasterise rows of view number `count`: opaque instances, and all in a shadow map."""
    fill_view(m, d, count, 1 if count < FIRST_LIGHT else 0)
    return 0


@kernel(entry=True)
def shade_part(m, d, count: int):
    """Shade rows of the picture, and blend transparent instances, once all views are rasterised."""
    shade_rows(m, d)
    if d.ntransparent > 0:
        blend_things(m, d)
        write_bytes(m, d)
    return 0


@kernel(entry=True)
def draw_owners(m, d, count: int):
    """Rasterise rows of the picture, and write instance and depth of each pixel."""
    fill_view(m, d, PICTURE, 0)
    write_owners(m, d)
    return 0
