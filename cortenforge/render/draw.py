"""A frame from beginning to end."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.render.blend import blend_things, write_bytes, write_owners
from cortenforge.render.layout import FIRST_LIGHT, MIRROR, PICTURE
from cortenforge.render.raster import fill_view
from cortenforge.render.shade import shade_rows


@kernel(entry=True)
def draw_picture(m, d, count: int):
    """Draw the colours of a frame; `count` views, those of lights among them."""
    for v in range(FIRST_LIGHT, count):
        fill_view(m, d, v, 0)
    if d.mirror >= 0:
        fill_view(m, d, MIRROR, 1)
    fill_view(m, d, PICTURE, 1)
    shade_rows(m, d, 0, d.height)
    if d.nclear > 0:
        blend_things(m, d)
        write_bytes(m, d)
    return 0


@kernel(entry=True)
def draw_owners(m, d, count: int):
    """Draw what each pixel shows, and how deep it is."""
    fill_view(m, d, PICTURE, 0)
    write_owners(m, d)
    return 0
