"""`mujoco.Renderer`: pictures of a model as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.drawing.cameras import Kind, mjv_defaultFreeCamera
from cortenforge.mujoco.drawing.options import RndFlag
from cortenforge.mujoco.drawing.pictures import (
    DepthMap,
    MjrContext,
    drawn_picture,
    mjr_render,
)
from cortenforge.mujoco.drawing.scene import mjv_updateScene
from cortenforge.mujoco.drawing.structs import MjrRect, MjvCamera, MjvOption, MjvScene
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.model import MjModel

FontScale, Category = ENUMS["mjtFontScale"], ENUMS["mjtCatBit"]


class Renderer:
    """Draws a model: colours, depths in metres, or the number and type of each pixel's object."""

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = FontScale["mjFONTSCALE_150"],
    ) -> None:
        self._mjr_context: MjrContext | None = None
        limits = model.vis.global_
        for name, size, most in (
            ("width", width, limits.offwidth),
            ("height", height, limits.offheight),
        ):
            if size > most:
                raise ValueError(
                    f"Image {name} {size} > framebuffer {name} {most}: draw a smaller image, or "
                    f'give the model <visual><global off{name}="{size}"/></visual>'
                )
        self._model, self._width, self._height = model, width, height
        self._scene = MjvScene(model, max_geom)
        self._scene_option = MjvOption()
        self._rect = MjrRect(0, 0, width, height)
        self._mjr_context = MjrContext(model, int(font_scale))
        self._mjr_context.readDepthMap = DepthMap["mjDEPTH_ZEROFAR"]
        self._mode = "rgb"

    @property
    def model(self) -> MjModel:
        """The model that is drawn."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """The scene that is drawn."""
        return self._scene

    @property
    def height(self) -> int:
        """Height of the pictures in pixels."""
        return self._height

    @property
    def width(self) -> int:
        """Width of the pictures in pixels."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """Draw depths from now on."""
        self._mode = "depth"

    def disable_depth_rendering(self) -> None:
        """Draw colours from now on, unless it is objects."""
        self._mode = "rgb" if self._mode == "depth" else self._mode

    def enable_segmentation_rendering(self) -> None:
        """Draw numbers and types of objects from now on."""
        self._mode = "segmentation"

    def disable_segmentation_rendering(self) -> None:
        """Draw colours from now on, unless it is depths."""
        self._mode = "rgb" if self._mode == "segmentation" else self._mode

    def update_scene(
        self,
        data: MjData,
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> None:
        """Fill the scene from data; camera: a name, a number (-1: free) or an MjvCamera."""
        mjv_updateScene(
            self._model,
            data,
            scene_option or self._scene_option,
            None,
            camera if isinstance(camera, MjvCamera) else self._camera(camera),
            Category["mjCAT_ALL"],
            self._scene,
        )

    def _camera(self, given: int | str) -> MjvCamera:
        """A camera of the model, or the free one."""
        number = given
        if isinstance(given, str):
            number = self._model._numbers["camera"].get(given, -1)
            if number == -1:
                raise ValueError(f'The camera "{given}" does not exist.')
        if not isinstance(number, (int, np.integer)) or not -1 <= number < self._model.ncam:
            raise ValueError(f"The camera id {number} is out of range [-1, {self._model.ncam}).")
        made = MjvCamera()
        if number == -1:
            mjv_defaultFreeCamera(self._model, made)
        else:
            made.type, made.fixedcamid = Kind["mjCAMERA_FIXED"], number
        return made

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """Draw the scene: `(height, width, 3)` bytes, depths, or numbers and types of objects.

        out: an array of the same shape, into which the picture is drawn.
        """
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = {"rgb": (3,), "depth": (), "segmentation": (2,)}[self._mode]
        wanted = (self._height, self._width, *shape)
        if out is not None and out.shape != wanted:
            raise ValueError(f"Expected `out.shape == {wanted}`. Got `out.shape={out.shape}`.")
        made = self._draw(self._mjr_context)
        if out is None:
            return made
        np.copyto(out, made, casting="unsafe")
        return out

    def _draw(self, context: MjrContext) -> np.ndarray:
        flags = self._scene.flags.copy()
        try:
            if self._mode != "rgb":
                self._scene.flags[[RndFlag["mjRND_SEGMENT"], RndFlag["mjRND_IDCOLOR"]]] = 1
            mjr_render(self._rect, self._scene, context)
        finally:
            self._scene.flags[:] = flags
        picture = drawn_picture("Renderer.render", self._rect, context)
        if self._mode == "rgb":
            return picture.colours()
        owner, depth = picture.owners()
        if self._mode == "depth":
            return np.where(owner >= 0, depth, np.float32(picture.lens.far))
        geoms = self._scene._geoms
        row = np.append(picture.instances["objid"], -1)[owner]
        found = [np.append(column, -1)[row] for column in (geoms.objid, geoms.objtype)]
        return np.stack(found, -1).astype(np.int32)

    def close(self) -> None:
        """Let go of memory; nothing can be drawn from now on."""
        if self._mjr_context is not None:
            self._mjr_context.free()
        self._mjr_context = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
