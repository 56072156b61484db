"""The linker that loads the kernels of pictures."""

from __future__ import annotations

from cortenforge.kernel.load.link import Linker, registered
from cortenforge.render.draw import draw_owners, fill_part, shade_part
from cortenforge.render.layout import FRAME, SHAPES


@registered(lambda: [fill_part, shade_part, draw_owners])
def picture_linker() -> Linker:
    """Loads and compiles what draws pictures."""
    return Linker(SHAPES, FRAME)
