"""What a viewer shows beside a picture's options: boxes, touch, whom it follows."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Dynamics
from cortenforge.errors import ArgumentError
from cortenforge.render.checks import whole
from cortenforge.render.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Model

#: options of pictures that a browser, which lights and draws in its own way, does not have
NOT_HERE = (
    "island", "wireframe", "additive", "fog", "haze", "cull_face", "samples",
    "shadowsize",
)  # fmt: skip
#: fields of RenderOptions that meshes of bodies depend on
OF_BODIES = ("geomgroup", "sitegroup", "convexhull", "texture", "transparent", "static")


@dataclass
class Shows:
    """What is shown.

    options: as for pictures, by MuJoCo's names.
    boxes:   bounding boxes of geoms.
    touch:   sites of touch sensors are coloured by what they feel.
    follow:  the body that stays in the middle; 0 for none.
    body:    the body that was clicked on; 0 for none.
    """

    options: RenderOptions = field(default_factory=RenderOptions)
    boxes: bool = False
    touch: bool = True
    follow: int = 0
    body: int = 0

    def check(self) -> None:
        """Raise ArgumentError for what cannot be."""
        self.options.check()

    def of_bodies(self) -> tuple[Any, ...]:
        """What meshes of bodies depend on."""
        return tuple(getattr(self.options, name) for name in OF_BODIES)


def usual_shows(model: Model, shown: dict[str, Any]) -> Shows:
    """What is shown unless somebody says otherwise; muscles are coloured by their activation."""
    shows = Shows()
    muscles = bool(np.isin(model.actuator_dyntype, (Dynamics.MUSCLE, Dynamics.HILL)).any())
    shows.options.actuator = shows.options.activation = muscles
    own = {one.name for one in fields(Shows)} - {"options"}
    for name, value in shown.items():
        if name in NOT_HERE:
            raise ArgumentError(f"{name}: pictures have it, the viewer does not")
        if name in own:
            setattr(shows, name, value)
        elif hasattr(shows.options, name):
            setattr(shows.options, name, value)
        else:
            raise ArgumentError(f"{name}: nothing that can be shown; see RenderOptions")
    shows.check()
    shows.follow = whole(shows.follow, "follow", 0, model.nbody - 1)
    return shows
