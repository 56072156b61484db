"""The linker that loads the kernels of pictures."""

from __future__ import annotations

from cortenforge.kernel.load.link import Linker, registered
from cortenforge.render.draw import draw_owners, draw_picture
from cortenforge.render.layout import FRAME, SHAPES


@registered(lambda: [draw_picture, draw_owners])
def picture_linker() -> Linker:
    """Loads and compiles what draws pictures."""
    return Linker(SHAPES, FRAME)
