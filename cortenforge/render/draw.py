"""A frame from beginning to end, by parts: rows of a view, which threads may draw apart."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.render.blend import blend_things, write_bytes, write_owners
from cortenforge.render.layout import FIRST_LIGHT, PICTURE
from cortenforge.render.raster import fill_view
from cortenforge.render.shade import shade_rows


@kernel(entry=True)
def fill_part(m, d, count: int):
    """Find what the samples of a view's rows show; a map of shadows has transparent things, too.

    count: the number of the view.
    """
    fill_view(m, d, count, 1 if count < FIRST_LIGHT else 0)
    return 0


@kernel(entry=True)
def shade_part(m, d, count: int):
    """Draw the colours of rows, once all views are filled."""
    shade_rows(m, d)
    if d.nclear > 0:
        blend_things(m, d)
        write_bytes(m, d)
    return 0


@kernel(entry=True)
def draw_owners(m, d, count: int):
    """Draw what each pixel of rows shows, and how deep it is."""
    fill_view(m, d, PICTURE, 0)
    write_owners(m, d)
    return 0
