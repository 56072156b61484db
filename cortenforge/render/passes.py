"""Render passes: entries that draw a part of a frame, which threads share."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.render.blend import blend_transparent, write_ids_and_depths, write_rgb
from cortenforge.render.layout import FIRST_LIGHT_VIEW, PICTURE_VIEW
from cortenforge.render.raster import rasterise_view
from cortenforge.render.shade import shade_rows


@kernel(entry=True)
def rasterise_part(m, d, count: int):
    """Rasterise rows of view number `count`: opaque instances, and all in a shadow map."""
    rasterise_view(m, d, count, 1 if count < FIRST_LIGHT_VIEW else 0)
    return 0


@kernel(entry=True)
def shade_part(m, d, count: int):
    """Shade rows of the picture, and blend transparent instances, once all views are rasterised."""
    shade_rows(m, d)
    if d.ntransparent > 0:
        blend_transparent(m, d)
        write_rgb(m, d)
    return 0


@kernel(entry=True)
def rasterise_ids_and_depths(m, d, count: int):
    """Rasterise rows of the picture, and write instance and depth of each pixel."""
    rasterise_view(m, d, PICTURE_VIEW, 0)
    write_ids_and_depths(m, d)
    return 0
