"""Options of a viewer: those of pictures, bounding boxes, touch, the followed body."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Dynamics
from cortenforge.errors import ArgumentError
from cortenforge.scene.checks import checked_integer
from cortenforge.scene.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Model

#: options of pictures that a browser, with its own renderer, does not support
UNSUPPORTED_OPTIONS = (
    "island", "wireframe", "additive", "fog", "haze", "cull_face", "samples",
    "shadowsize",
)  # fmt: skip
#: MuJoCo's default of `vis.map.force`, and the mean size of bodies in metres that it suits: the
#: weight of a mean body is an arrow half as long
MUJOCO_FORCE_SCALE, MUJOCO_MEAN_SIZE = 0.005, 0.1
#: options that meshes of bodies depend on
BODY_MESH_OPTIONS = ("geomgroup", "sitegroup", "convexhull", "texture", "transparent", "static")


@dataclass
class ViewOptions:
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
        return tuple(getattr(self.options, name) for name in BODY_MESH_OPTIONS)


def default_view_options(model: Model, shown: dict[str, Any]) -> ViewOptions:
    """Default options of a model, changed by keywords.

    Muscles are coloured by activation, force sensors and IMUs are drawn, and force arrows are
    scaled to the model's size.
    """
    shows = ViewOptions()
    shows.options.sensor = True
    shows.options.forcescale = fitted_forcescale(model)
    muscles = bool(np.isin(model.actuator_dyntype, (Dynamics.MUSCLE, Dynamics.HILL)).any())
    shows.options.actuator = shows.options.activation = muscles
    own = {one.name for one in fields(ViewOptions)} - {"options"}
    for name, value in shown.items():
        if name in UNSUPPORTED_OPTIONS:
            raise ArgumentError(f"{name}: an option of pictures that the viewer does not support")
        if name in own:
            setattr(shows, name, value)
        elif hasattr(shows.options, name):
            setattr(shows.options, name, value)
        else:
            raise ArgumentError(f"{name}: no option of the viewer; see RenderOptions")
    shows.check()
    shows.follow = checked_integer(shows.follow, "follow", 0, model.nbody - 1)
    return shows


def transferred_view_options(shows: ViewOptions, old: Model, new: Model) -> ViewOptions:
    """Options for another model; the followed body is found by name."""
    options = replace(shows.options, perturb=None)
    if options.forcescale == fitted_forcescale(old):
        options.forcescale = fitted_forcescale(new)
    name = old.name_of("body", shows.follow)
    follow = new.names["body"].index(name) if name and name in new.names["body"] else 0
    return replace(shows, options=options, follow=follow, body=0)


def fitted_forcescale(model: Model) -> float:
    """Scale of force arrows by the mean size of bodies; 1 if the model sets `vis.map.force`.

    MuJoCo's default is the same for a hand and for a crane.
    """
    # MuJoCo stores it in single precision
    if np.float32(model.vis.map.force) != np.float32(MUJOCO_FORCE_SCALE):
        return 1.0
    return float(model.stat_meansize) / MUJOCO_MEAN_SIZE
