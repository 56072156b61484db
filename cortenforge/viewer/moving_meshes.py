"""Deforming items: surfaces as meshes whose vertices are sent when they move, and tubes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cortenforge.scene.flags import DOUBLE_SIDED
from cortenforge.scene.instances import InstanceTable
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.surfaces_and_tubes import ExtraItem, Surface, Tubes, extra_instances
from cortenforge.viewer.body_meshes import BodyMeshes
from cortenforge.viewer.scene_items import MovingMesh, SceneItem
from cortenforge.viewer.textures import mean_colour


class MovingMeshes:
    """Converts surfaces and tubes of a frame to items of the browser's scene."""

    def __init__(self, bodies: BodyMeshes) -> None:
        self._bodies, self._model = bodies, bodies.model

    def tubes(self, moving: Sequence[ExtraItem], options: RenderOptions) -> list[InstanceTable]:
        """Instances of tubes and their spheres."""
        own = [one for one in moving if isinstance(one, Tubes)]
        return extra_instances(self._model, self._bodies.library, list(own), options)

    def items(
        self, moving: Sequence[ExtraItem], options: RenderOptions, here: np.ndarray
    ) -> dict[str, SceneItem]:
        """Surfaces, by the names of their nodes in the scene."""
        own = [one for one in moving if isinstance(one, Surface)]
        if not own:
            return {}
        library = self._bodies.library
        (instances,) = extra_instances(self._model, library, list(own), options)
        found: dict[str, SceneItem] = {}
        for k, shape in enumerate(instances["shape"].tolist()):
            first, count = library.arrays["shape_vert"][shape]
            rows = slice(*np.cumsum(library.arrays["shape_face"][shape]))
            rgba = self._colour(instances, k)
            red, green, blue = (int(255 * min(max(n, 0.0), 1.0)) for n in rgba[:3].tolist())
            found[f"/softs/{instances['objtype'][k]}-{instances['objid'][k]}-{k}"] = MovingMesh(
                (library.arrays["vert"][first : first + count] + here).astype(np.float32),
                library.arrays["face"][rows] - first,
                (red, green, blue),
                float(rgba[3]) if rgba[3] < 1.0 else None,
                # a sheet has triangles for both sides already
                bool(instances["flags"][k] & DOUBLE_SIDED),
            )
        return found

    def _colour(self, instances: InstanceTable, k: int) -> np.ndarray:
        """Colour of an instance, with the mean colour of its texture."""
        rgba = np.array(instances["rgba"][k], float)
        number = int(instances["texture"][k, 0])
        pixels = self._bodies.pixels(number) if number >= 0 else None
        if pixels is not None:
            rgba[:3] *= mean_colour(pixels)
        return rgba
