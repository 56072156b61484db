"""What a viewer shows beside a picture's options: labels, boxes, touch, whom it follows."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Dynamics
from cortenforge.errors import ArgumentError
from cortenforge.render.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Model

LABELS = ("none", "selection", "body", "joint", "geom", "site", "camera")
#: fields of RenderOptions that meshes of bodies depend on
OF_BODIES = ("geomgroup", "sitegroup", "convexhull", "texture", "transparent", "static")


@dataclass
class Shows:
    """What is shown.

    options: as for pictures, by MuJoCo's names.
    label:   whose names are written: one of LABELS.
    boxes:   bounding boxes of geoms.
    touch:   sites of touch sensors are coloured by what they feel.
    follow:  the body that stays in the middle; 0 for none.
    body:    the body that was clicked on; 0 for none.
    """

    options: RenderOptions = field(default_factory=RenderOptions)
    label: str = "none"
    boxes: bool = False
    touch: bool = True
    follow: int = 0
    body: int = 0

    def check(self) -> None:
        """Raise ArgumentError for what cannot be."""
        self.options.check()
        if self.label not in LABELS:
            raise ArgumentError(f"label: expected one of {', '.join(LABELS)}")

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
        if name in own:
            setattr(shows, name, value)
        elif hasattr(shows.options, name):
            setattr(shows.options, name, value)
        else:
            raise ArgumentError(f"{name}: nothing that can be shown; see RenderOptions")
    shows.check()
    return shows
