"""The linker of the rasteriser's kernels."""

from __future__ import annotations

from cortenforge.kernel.load.link import Linker, registered
from cortenforge.render.layout import FRAME_LAYOUT, SHAPES_LAYOUT
from cortenforge.render.passes import rasterise_ids_and_depths, rasterise_part, shade_part


@registered(lambda: [rasterise_part, shade_part, rasterise_ids_and_depths])
def render_linker() -> Linker:
    """Compiles and loads the render passes."""
    return Linker(SHAPES_LAYOUT, FRAME_LAYOUT)
