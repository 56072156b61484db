"""Options of a viewer: those of pictures, bounding boxes, touch, the followed body."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Dynamics
from cortenforge.errors import ArgumentError
from cortenforge.render.checks import whole
from cortenforge.render.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Model

#: options of pictures that a browser, with its own renderer, does not support
NOT_HERE = (
    "island", "wireframe", "additive", "fog", "haze", "cull_face", "samples",
    "shadowsize",
)  # fmt: skip
#: MuJoCo's default of `vis.map.force`, and the mean size of bodies in metres that it suits: the
#: weight of a mean body is an arrow half as long
USUAL_FORCE, USUAL_SIZE = 0.005, 0.1
#: options that meshes of bodies depend on
OF_BODIES = ("geomgroup", "sitegroup", "convexhull", "texture", "transparent", "static")


@dataclass
class Shows:
    """Options of a viewer.

    options: those of pictures, by MuJoCo's names.
    boxes:   show bounding boxes of geoms.
    touch:   colour sites of touch sensors by their force.
    follow:  body that the camera follows; 0 for none.
    body:    selected body; 0 for none.
    """

    options: RenderOptions = field(default_factory=RenderOptions)
    boxes: bool = False
    touch: bool = True
    follow: int = 0
    body: int = 0

    def check(self) -> None:
        """Raise ArgumentError for invalid values."""
        self.options.check()

    def of_bodies(self) -> tuple[Any, ...]:
        """Values of the options that meshes of bodies depend on."""
        return tuple(getattr(self.options, name) for name in OF_BODIES)


def usual_shows(model: Model, shown: dict[str, Any]) -> Shows:
    """Default options of a model, changed by keywords.

    Muscles are coloured by activation, force sensors and IMUs are drawn, and force arrows are
    scaled to the model's size.
    """
    shows = Shows()
    shows.options.sensor = True
    shows.options.forcescale = fitting_forcescale(model)
    muscles = bool(np.isin(model.actuator_dyntype, (Dynamics.MUSCLE, Dynamics.HILL)).any())
    shows.options.actuator = shows.options.activation = muscles
    own = {one.name for one in fields(Shows)} - {"options"}
    for name, value in shown.items():
        if name in NOT_HERE:
            raise ArgumentError(f"{name}: an option of pictures that the viewer does not support")
        if name in own:
            setattr(shows, name, value)
        elif hasattr(shows.options, name):
            setattr(shows.options, name, value)
        else:
            raise ArgumentError(f"{name}: no option of the viewer; see RenderOptions")
    shows.check()
    shows.follow = whole(shows.follow, "follow", 0, model.nbody - 1)
    return shows


def carried_over(shows: Shows, old: Model, new: Model) -> Shows:
    """Options for another model; the followed body is found by name."""
    options = replace(shows.options, perturb=None)
    if options.forcescale == fitting_forcescale(old):
        options.forcescale = fitting_forcescale(new)
    name = old.name_of("body", shows.follow)
    follow = new.names["body"].index(name) if name and name in new.names["body"] else 0
    return replace(shows, options=options, follow=follow, body=0)


def fitting_forcescale(model: Model) -> float:
    """Scale of force arrows by the mean size of bodies; 1 if the model sets `vis.map.force`.

    MuJoCo's default is the same for a hand and for a crane.
    """
    # MuJoCo stores it in single precision
    if np.float32(model.vis.map.force) != np.float32(USUAL_FORCE):
        return 1.0
    return float(model.stat_meansize) / USUAL_SIZE
