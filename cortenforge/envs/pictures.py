"""Pictures of an environment's worlds: what `render` gives, and pixels as observations."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.errors import ArgumentError

RENDER_MODES = ("rgb_array", "depth_array", "rgbd_tuple")


class Pictures:
    """Draws the worlds of a batch."""

    def __init__(
        self, batch: BatchSim, mode: str | None, camera: Any, width: int, height: int
    ) -> None:
        if mode is not None and mode not in RENDER_MODES:
            hint = "; cortenforge.view shows worlds in a browser" if mode == "human" else ""
            raise ArgumentError(f"render_mode: expected one of {RENDER_MODES}, got {mode!r}{hint}")
        self.batch, self.mode, self.camera = batch, mode, camera
        self.width, self.height = width, height

    def render(self) -> tuple[Any, ...]:
        """Frames of all worlds."""
        if self.mode is None:
            raise ArgumentError(f"render: make the environment with render_mode, {RENDER_MODES}")
        if self.mode == "rgbd_tuple":
            return tuple(zip(self._draw("rgb"), self._draw("depth"), strict=True))
        return tuple(self._draw("rgb" if self.mode == "rgb_array" else "depth"))

    def _draw(self, mode: str) -> np.ndarray:
        return self.batch.render(self.camera, width=self.width, height=self.height, mode=mode)

    def space(self, pixels: dict[str, Any]) -> gymnasium.spaces.Box:
        """The space of one world's pictures."""
        shape = self._observe(pixels).shape[1:]
        if pixels.get("mode", "rgb") == "rgb":
            return gymnasium.spaces.Box(0, 255, shape, np.uint8)
        return gymnasium.spaces.Box(0.0, np.inf, shape, np.float32)

    def observed(self, pixels: dict[str, Any], rows: np.ndarray | None) -> np.ndarray:
        """Pictures of all worlds, or of some."""
        drawn = self._observe(pixels)
        return drawn if rows is None else drawn[rows]

    def _observe(self, pixels: dict[str, Any]) -> np.ndarray:
        arguments = {"camera": self.camera, **pixels}
        if arguments.get("mode", "rgb") not in ("rgb", "depth"):
            raise ArgumentError(f'pixels: mode: expected "rgb" or "depth", got {pixels["mode"]!r}')
        return self.batch.render(arguments.pop("camera"), **arguments)
