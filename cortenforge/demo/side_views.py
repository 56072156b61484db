"""Pictures of a model from the side, by the engine's renderer, on the axes of a plot."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortenforge.enums import GeomType
from cortenforge.model import Model
from cortenforge.render import Renderer
from cortenforge.scene.camera import Camera
from cortenforge.scene.options import NGROUP, RenderOptions

Array = NDArray[np.float64]

PIXELS_PER_METRE = 240
#: group of geoms that are not drawn: planes
HIDDEN_GROUP = NGROUP - 1
#: of the camera from what it looks at [m]; an orthographic camera shows the same from anywhere
CAMERA_DISTANCE = 10.0


class SideViews:
    """A model at some positions, drawn by an orthographic camera that looks along y."""

    def __init__(self, model: Model) -> None:
        self._model = model.copy()
        self._model.geom_group[model.geom_type == GeomType.PLANE] = HIDDEN_GROUP
        self._model.vis.global_.orthographic = 1
        self._data = self._model.make_data()

    def draw(
        self, panel: Any, qpos: Array, *, shift: float = 0.0, layer: float = 0, alpha: float = 1.0
    ) -> None:
        """Draw a position on a plot of x and z, with x moved by `shift`."""
        pixels, (left, right, low, high) = self.picture(qpos)
        panel.imshow(
            pixels, extent=(left + shift, right + shift, low, high), alpha=alpha, zorder=10 + layer
        )

    def picture(self, qpos: Array) -> tuple[NDArray[np.uint8], tuple[float, float, float, float]]:
        """Pixels (rows, columns, RGBA), transparent around the geoms; left, right, low, high."""
        model, data = self._model, self._data
        data.qpos[:] = qpos
        data.forward()
        solid = model.geom_type != GeomType.PLANE
        reach = model.geom_rbound[solid, None]
        least = (data.geom_xpos[solid] - reach).min(axis=0)
        most = (data.geom_xpos[solid] + reach).max(axis=0)
        columns, _, rows = (int(n) for n in np.ceil((most - least) * PIXELS_PER_METRE))
        model.vis.global_.fovy = rows / PIXELS_PER_METRE
        middle = 0.5 * (least + most)
        renderer = Renderer(model, width=columns, height=rows, options=_options_of_views())
        camera = Camera(lookat=middle, distance=CAMERA_DISTANCE, azimuth=90.0, elevation=0.0)
        objects = renderer.render(data, camera, mode="segmentation")
        opaque = np.where(objects[..., 1:] >= 0, 255, 0).astype(np.uint8)
        pixels = np.concatenate([renderer.render(data, camera), opaque], axis=2)
        half = 0.5 * np.array([columns, rows]) / PIXELS_PER_METRE
        left, low = middle[[0, 2]] - half
        right, high = middle[[0, 2]] + half
        return pixels, (float(left), float(right), float(low), float(high))


def _options_of_views() -> RenderOptions:
    shown = tuple(group != HIDDEN_GROUP for group in range(NGROUP))
    return RenderOptions(geomgroup=shown, sitegroup=(False,) * NGROUP, shadow=False)
