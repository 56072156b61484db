"""What a viewer shows beside a picture's options: boxes, touch, whom it follows."""

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

#: options of pictures that a browser, which lights and draws in its own way, does not have
NOT_HERE = (
    "island", "wireframe", "additive", "fog", "haze", "cull_face", "samples",
    "shadowsize",
)  # fmt: skip
#: MuJoCo's `vis.map.force` unless a model says otherwise, and the mean size of bodies, in metres,
#: that it suits: the weight of a mean body is an arrow half as long
USUAL_FORCE, USUAL_SIZE = 0.005, 0.1
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
    """What is shown unless somebody says otherwise.

    Muscles are coloured by their activation, sensors of forces and IMUs are drawn, and arrows of
    forces fit the model.
    """
    shows = Shows()
    shows.options.sensor = True
    shows.options.forcescale = fitting_forcescale(model)
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


def carried_over(shows: Shows, old: Model, new: Model) -> Shows:
    """What is shown of another model: whom it follows is known by name."""
    options = replace(shows.options, perturb=None)
    if options.forcescale == fitting_forcescale(old):
        options.forcescale = fitting_forcescale(new)
    name = old.name_of("body", shows.follow)
    follow = new.names["body"].index(name) if name and name in new.names["body"] else 0
    return replace(shows, options=options, follow=follow, body=0)


def fitting_forcescale(model: Model) -> float:
    """How much longer than MuJoCo's arrows of forces are, so that they grow with the model.

    MuJoCo's are as long for a hand as for a crane, unless the model says how long they should be.
    """
    # it is kept in single precision
    if np.float32(model.vis.map.force) != np.float32(USUAL_FORCE):
        return 1.0
    return float(model.stat_meansize) / USUAL_SIZE
