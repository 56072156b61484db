"""Rendered images of a Data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cortenforge import upward
from cortenforge.model.calls.keyword_arguments import keyword_only

if TYPE_CHECKING:
    import numpy as np


class RenderMethods:
    """Rendering of a Data."""

    @keyword_only('data.render("track", width=640, height=480, mode="rgb")')
    def render(
        self,
        camera: Any = None,
        *,
        width: int = 640,
        height: int = 480,
        mode: str = "rgb",
        **shown: Any,
    ) -> np.ndarray:
        """An image of this world: see `cortenforge.Renderer.render`.

        camera, width, height, mode: as for a Renderer.
        shown: fields of `RenderOptions`, such as `contactpoint=True`.

        >>> pixels = data.render("track", contactforce=True)
        """
        return upward.draw(self, width=width, height=height, camera=camera, mode=mode, shown=shown)

    def _repr_png_(self) -> bytes:
        """The image that a notebook shows."""
        from io import BytesIO

        from PIL import Image

        file = BytesIO()
        Image.fromarray(self.render(width=480, height=360)).save(file, "png")
        return file.getvalue()
