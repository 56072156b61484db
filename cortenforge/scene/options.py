"""Options of pictures: those of mjvOption and of mjvScene's flags, by MuJoCo's names."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.scene.backdrop import BACKDROPS
from cortenforge.scene.checks import checked_integer, checked_real, checked_reals
from cortenforge.suggest import Declared

NGROUP = 6
FRAMES = ("none", "body", "geom", "site", "camera", "light", "contact", "world")
LABELS = (
    "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint",
    "flex", "skin", "selection", "selpnt", "contactpoint", "contactforce", "island",
)  # fmt: skip
#: flags of MuJoCo that are not supported, and what to use instead
UNSUPPORTED_FLAGS = {
    "sdfiter": "iterates of the signed distance search are not stored",
    "flexvert": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexedge": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexface": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexskin": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flexgroup": "deformables are no flexes of MuJoCo: soft, softgroup",
    "flex_layer": "deformables are no flexes of MuJoCo: soft, softgroup",
    "depth": 'use mode="depth"',
    "segment": 'use mode="segmentation"',
    "idcolor": 'use mode="segmentation"',
    "post_processing": "pictures have no post-processing",
}

#: samples a pixel that the rasteriser supports
SAMPLE_COUNTS = (1, 2, 4, 8)
#: texels a side of a shadow map, at most
MAX_SHADOW_SIZE = 16384

GroupSwitches = tuple[bool, ...]
#: groups that are shown by default
DEFAULT_GROUPS: GroupSwitches = (True, True, True, False, False, False)


@dataclass
class Perturb(Declared):
    """Selection and perturbation of a body, as mjvPerturb.

    select:    number of the selected body; 0 for none.
    localpos:  the selected point, in the body's frame.
    refselpos: target of the selected point in the world; None if it is not dragged.
    refquat:   target orientation of the body; None if it is not rotated.
    """

    select: int = 0
    localpos: Any = (0.0, 0.0, 0.0)
    refselpos: Any = None
    refquat: Any = None

    def check(self) -> None:
        """Raise ArgumentError for invalid values."""
        checked_integer(self.select, "options.perturb.select", 0, 2**31)
        for name, count in (("localpos", 3), ("refselpos", 3), ("refquat", 4)):
            value = getattr(self, name)
            if value is not None or name == "localpos":
                checked_reals(value, (count,), f"options.perturb.{name}")


@dataclass
class RenderOptions(Declared):
    """What a picture shows. Names and defaults are MuJoCo's; `soft` is about deformables.

    *group:   six switches: which groups are shown.
    frame:    whose frames are drawn: "none", "body", "geom", "site", "camera", "light", "contact"
              or "world"; those of cameras and lights need `camera` and `light`.
    label:    whose names are written, one of LABELS; only objects that are drawn have labels.
    perturb:  the selected or dragged body; `select` and `pertobj` show it.
    backdrop: "auto" adds a sky and lights with shadows to a model without any; "model" adds
              nothing, as MuJoCo.
    sensor:   readings of force and torque sensors as arrows from their sites, and frames of the
              sites of IMUs; MuJoCo draws neither.
    forcescale: length of force arrows, over MuJoCo's.
    bvh_depth: level of the boxes that `bodybvh` and `meshbvh` show; 0 is the root.
    samples:  samples a pixel: 1, 2, 4 or 8; `None` is the model's `vis.quality.offsamples`.
    shadowsize: texels a side of a shadow map; `None` is the model's `vis.quality.shadowsize`,
              or, for a small picture, eight to a pixel of its longer side.
    """

    geomgroup: GroupSwitches = DEFAULT_GROUPS
    sitegroup: GroupSwitches = DEFAULT_GROUPS
    jointgroup: GroupSwitches = DEFAULT_GROUPS
    tendongroup: GroupSwitches = DEFAULT_GROUPS
    actuatorgroup: GroupSwitches = DEFAULT_GROUPS
    skingroup: GroupSwitches = DEFAULT_GROUPS
    softgroup: GroupSwitches = DEFAULT_GROUPS
    frame: str = "none"
    label: str = "none"
    perturb: Perturb | None = None
    backdrop: str = "auto"
    bvh_depth: int = 1
    forcescale: float = 1.0
    # what is drawn
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
    # rendering flags
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
        """Raise ArgumentError for invalid values."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name.endswith("group") and not _are_switches(value):
                raise ArgumentError(
                    f"options.{one.name}: expected {NGROUP} booleans, got {value!r}"
                )
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
        if checked_real(self.forcescale, "options.forcescale") < 0.0:
            raise ArgumentError(f"options.forcescale: expected 0 or more, got {self.forcescale}")
        checked_integer(self.bvh_depth, "options.bvh_depth", 0, 2**31)
        if (
            self.samples is not None
            and checked_integer(self.samples, "options.samples", 1, 8) not in SAMPLE_COUNTS
        ):
            raise ArgumentError(f"options.samples: expected 1, 2, 4 or 8, got {self.samples}")
        if self.shadowsize is not None:
            checked_integer(self.shadowsize, "options.shadowsize", 0, MAX_SHADOW_SIZE)


def _is_switch(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, int) and value in (0, 1))


def _are_switches(values: Any) -> bool:
    try:
        found = np.asarray(values)
    except ValueError:
        return False
    return found.shape == (NGROUP,) and found.dtype.kind in "biu"
