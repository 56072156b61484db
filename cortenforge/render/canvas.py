"""What pictures of one size are drawn on: the shapes of a model, frames, and threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.render.frame import Frame, shapes_memory
from cortenforge.render.lights import AMBIENT_WITHOUT_LIGHTS, Light
from cortenforge.render.mipmaps import mipmap_arrays
from cortenforge.render.passes import rasterise_ids_and_depths, rasterise_part, shade_part
from cortenforge.render.threads import RenderThreads
from cortenforge.render.views import (
    FrameScene,
    set_background,
    set_light_views,
    set_mirror_view,
    set_picture_view,
    write_instances,
)
from cortenforge.scene.camera import Lens
from cortenforge.scene.instances import InstanceTable
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import ShapeLibrary
from cortenforge.scene.textures import skybox_id

if TYPE_CHECKING:
    from cortenforge.model import Model

#: texels of a shadow map per pixel of the picture, at most
SHADOW_TEXELS_PER_PIXEL = 8
#: samples a pixel, and size of shadow maps, of depth and segmentation pictures
ID_FRAME = (1, 0)


class Canvas:
    """Draws tables of instances; `library` has the shapes that they refer to."""

    def __init__(self, model: Model, width: int, height: int, threads: int) -> None:
        self.model, self.width, self.height = model, width, height
        self.library = ShapeLibrary(model)
        self._shapes = shapes_memory(self.library.arrays | mipmap_arrays(model))
        self._threads = RenderThreads(threads)
        self._frames: dict[tuple[int, int], Frame] = {}

    def update_shapes(self) -> None:
        """Take over shapes that were added to the library since the last picture."""
        for name, array in self.library.arrays.items():
            self._shapes.set_array(name, array)

    def _frame(self, samples: int, map_size: int) -> Frame:
        """The frame to draw in; that of the last picture with the same samples and map size."""
        key = samples, map_size
        if key not in self._frames:
            self._frames = {kept: frame for kept, frame in self._frames.items() if kept == ID_FRAME}
            self._frames[key] = Frame(self.width, self.height, *key)
        return self._frames[key]

    def _samples(self, options: RenderOptions) -> int:
        """Samples a pixel: the requested number, rounded down to 1, 2, 4 or 8."""
        wanted = options.samples
        if wanted is None:
            wanted = int(self.model.vis.quality.offsamples)
        return max(n for n in (1, 2, 4, 8) if n <= max(wanted, 1))

    def map_size(self, options: RenderOptions) -> int:
        """Texels a side of a shadow map."""
        wanted = options.shadowsize
        if wanted is None:
            enough = SHADOW_TEXELS_PER_PIXEL * max(self.width, self.height)
            wanted = min(int(self.model.vis.quality.shadowsize), enough)
        return wanted

    def draw_colours(
        self,
        lens: Lens,
        instances: InstanceTable,
        lights: list[Light],
        options: RenderOptions,
        out: np.ndarray,
    ) -> None:
        """Draw the colours of a picture."""
        frame = self._frame(self._samples(options), self.map_size(options))
        frame.grow(len(instances["shape"]), len(lights))
        wire = float(self.model.vis.global_.linewidth) if options.wireframe else 0.0
        scene = FrameScene(frame, instances, self.library.radius, lens, wire)
        write_instances(scene, options.additive)
        set_picture_view(scene)
        set_mirror_view(scene, options)
        views = set_light_views(scene, lights)
        frame.arrays["ambient"][0] = 0.0 if lights else AMBIENT_WITHOUT_LIGHTS
        sky = skybox_id(self.model, options.backdrop) if options.skybox else -1
        set_background(scene, self.model, options, sky)
        frame.set_array("rgb", out.reshape(-1))
        self._threads.use_frame(frame, self._shapes, self.library.most)
        self._threads.run_entry(rasterise_part, self._threads.view_parts(views))
        self._threads.run_entry(shade_part, self._threads.picture_parts())

    def draw_owners(self, lens: Lens, instances: InstanceTable) -> tuple[np.ndarray, np.ndarray]:
        """The instance that each pixel shows, -1 for none, and its depth along the camera's axis.

        Both arrays are overwritten by the next picture.
        """
        frame = self._frame(*ID_FRAME)
        frame.grow(len(instances["shape"]), 1)
        scene = FrameScene(frame, instances, self.library.radius, lens)
        write_instances(scene)
        set_picture_view(scene)
        self._threads.use_frame(frame, self._shapes, self.library.most)
        self._threads.run_entry(rasterise_ids_and_depths, self._threads.picture_parts())
        shape = self.height, self.width
        return frame.arrays["pixel_instance"].reshape(shape), frame.arrays["depth"].reshape(shape)
