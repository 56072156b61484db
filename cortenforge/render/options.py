"""What is shown and how: mjvOption and the flags of a scene, by MuJoCo's names."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.render.backdrop import BACKDROPS
from cortenforge.render.checks import real, reals, whole
from cortenforge.suggest import Declared

NGROUP = 6
FRAMES = ("none", "body", "geom", "site", "camera", "light", "contact", "world")
LABELS = (
    "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint",
    "flex", "skin", "selection", "selpnt", "contactpoint", "contactforce", "island",
)  # fmt: skip
#: flags of MuJoCo that pictures here do not have, and why
REFUSED = {
    "sdfiter": "which points a search of signed distances went through is not kept",
    "flexvert": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexedge": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexface": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexskin": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexgroup": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flex_layer": "deformables are no flexes of MuJoCo: soft, softgroup",
    "depth": 'depths are a mode of their own: mode="depth"',
    "segment": 'objects are a mode of their own: mode="segmentation"',
    "idcolor": 'objects are a mode of their own: mode="segmentation"',
    "post_processing": "there is nothing after a picture is drawn",
}

#: samples a pixel
SAMPLES = (1, 2, 4, 8)
#: texels a side
LARGEST_MAP = 16384

Groups = tuple[bool, ...]
#: groups that are shown unless somebody says otherwise
USUAL: Groups = (True, True, True, False, False, False)


@dataclass
class Perturb(Declared):
    """What somebody has selected, and drags: mjvPerturb.

    select:    number of a body; 0 is none.
    localpos:  the point of it that was selected, in its frame.
    refselpos: where that point is dragged to; None if it is not.
    refquat:   how the body is turned to; None if it is not.
    """

    select: int = 0
    localpos: Any = (0.0, 0.0, 0.0)
    refselpos: Any = None
    refquat: Any = None

    def check(self) -> None:
        """Raise ArgumentError for what cannot be."""
        whole(self.select, "options.perturb.select", 0, 2**31)
        for name, count in (("localpos", 3), ("refselpos", 3), ("refquat", 4)):
            value = getattr(self, name)
            if value is not None or name == "localpos":
                reals(value, (count,), f"options.perturb.{name}")


@dataclass
class RenderOptions(Declared):
    """What a picture shows. Names and defaults are MuJoCo's; `soft` is about deformables.

    *group:   for each of six groups, whether it is shown.
    frame:    whose axes are drawn: "none", "body", "geom", "site", "camera", "light", "contact" or
              "world"; those of cameras and lights where these are drawn.
    label:    whose names are written, one of LABELS; things that are not drawn have none.
    perturb:  what is selected or dragged; `select` and `pertobj` show it.
    backdrop: "auto" adds a light sky and a light with shadows to a model that has none; "model"
              draws what the model says and no more, as MuJoCo does.
    sensor:   readings of force and torque sensors as arrows from their sites, in the direction in
              which they read, and axes of the sites of IMUs; MuJoCo draws neither.
    forcescale: how much longer than MuJoCo's the arrows of forces are.
    bvh_depth: which boxes `bodybvh` and `meshbvh` show: so many levels below the largest.
    samples:  samples a pixel: 1, 2, 4 or 8; `None` is the model's `vis.quality.offsamples`.
    shadowsize: texels a side of a map of shadows; `None` is the model's `vis.quality.shadowsize`,
              or, for a small picture, eight to a pixel of its longer side.
    """

    geomgroup: Groups = USUAL
    sitegroup: Groups = USUAL
    jointgroup: Groups = USUAL
    tendongroup: Groups = USUAL
    actuatorgroup: Groups = USUAL
    skingroup: Groups = USUAL
    softgroup: Groups = USUAL
    frame: str = "none"
    label: str = "none"
    perturb: Perturb | None = None
    backdrop: str = "auto"
    bvh_depth: int = 1
    forcescale: float = 1.0
    # things
    convexhull: bool = False
    texture: bool = True
    joint: bool = False
    camera: bool = False
    actuator: bool = False
    activation: bool = False
    light: bool = False
    tendon: bool = True
    rangefinder: bool = True
    sensor: bool = False
    constraint: bool = False
    inertia: bool = False
    sclinertia: bool = False
    pertforce: bool = False
    pertobj: bool = True
    contactpoint: bool = False
    island: bool = False
    contactforce: bool = False
    contactsplit: bool = False
    transparent: bool = False
    autoconnect: bool = False
    com: bool = False
    select: bool = False
    static: bool = True
    skin: bool = True
    soft: bool = True
    bodybvh: bool = False
    meshbvh: bool = False
    # light
    shadow: bool = True
    wireframe: bool = False
    reflection: bool = True
    additive: bool = False
    skybox: bool = True
    fog: bool = False
    haze: bool = True
    cull_face: bool = True
    samples: int | None = None
    shadowsize: int | None = None

    def check(self) -> None:
        """Raise ArgumentError for what cannot be."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name.endswith("group") and not _are_switches(value):
                raise ArgumentError(f"options.{one.name}: expected {NGROUP} switches")
            if one.type == "bool" and not _is_switch(value):
                raise ArgumentError(f"options.{one.name}: expected True or False, got {value!r}")
        if not isinstance(self.frame, str) or self.frame not in FRAMES:
            raise ArgumentError(f"options.frame: expected one of {', '.join(FRAMES)}")
        if not isinstance(self.label, str) or self.label not in LABELS:
            raise ArgumentError(f"options.label: expected one of {', '.join(LABELS)}")
        if self.backdrop not in BACKDROPS:
            raise ArgumentError(f"options.backdrop: expected one of {', '.join(BACKDROPS)}")
        if self.perturb is not None:
            if not isinstance(self.perturb, Perturb):
                raise ArgumentError(f"options.perturb: expected a Perturb, got {self.perturb!r}")
            self.perturb.check()
        if real(self.forcescale, "options.forcescale") < 0.0:
            raise ArgumentError(f"options.forcescale: expected 0 or more, got {self.forcescale}")
        whole(self.bvh_depth, "options.bvh_depth", 0, 2**31)
        if self.samples is not None and whole(self.samples, "options.samples", 1, 8) not in SAMPLES:
            raise ArgumentError(f"options.samples: expected 1, 2, 4 or 8, got {self.samples}")
        if self.shadowsize is not None:
            whole(self.shadowsize, "options.shadowsize", 0, LARGEST_MAP)


def _is_switch(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, int) and value in (0, 1))


def _are_switches(values: Any) -> bool:
    try:
        found = np.asarray(values)
    except ValueError:
        return False
    return found.shape == (NGROUP,) and found.dtype.kind in "biu"
