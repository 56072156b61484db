"""The linker of the rasteriser's kernels."""

from __future__ import annotations

from cortenforge.kernel.load.link import Linker, registered
from cortenforge.render.draw import draw_owners, fill_part, shade_part
from cortenforge.render.layout import FRAME, SHAPES


@registered(lambda: [fill_part, shade_part, draw_owners])
def picture_linker() -> Linker:
    """Compiles and loads the render passes."""
    return Linker(SHAPES, FRAME)
