"""What is drawn with a scene and is not in its list of geoms: decorations, skins, deformables."""

from __future__ import annotations

from dataclasses import dataclass, field

from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.surfaces_and_tubes import ExtraItem


@dataclass
class Attached:
    """Decorations, and surfaces with the number of the geom in the scene that stands for them."""

    decor: Decor
    surfaces: list[ExtraItem] = field(default_factory=list)
