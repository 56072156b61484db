"""What is shown and how: mjvOption and the flags of a scene, by MuJoCo's names."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cortenforge.errors import ArgumentError

NGROUP = 6
FRAMES = ("none", "body", "geom", "site", "camera", "contact", "world")

#: texels a side
LARGEST_MAP = 16384

Groups = tuple[bool, ...]
#: groups that are shown unless somebody says otherwise
USUAL: Groups = (True, True, True, False, False, False)


@dataclass
class RenderOptions:
    """What a picture shows. Names and defaults are MuJoCo's; `soft` is about deformables.

    *group:   for each of six groups, whether it is shown.
    frame:    whose axes are drawn: "none", "body", "geom", "site", "camera", "contact" or
              "world".
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
    # things
    convexhull: bool = False
    texture: bool = True
    joint: bool = False
    actuator: bool = False
    activation: bool = False
    tendon: bool = True
    rangefinder: bool = True
    constraint: bool = False
    inertia: bool = False
    contactpoint: bool = False
    contactforce: bool = False
    contactsplit: bool = False
    transparent: bool = False
    com: bool = False
    static: bool = True
    skin: bool = True
    soft: bool = True
    # light
    shadow: bool = True
    reflection: bool = True
    skybox: bool = True
    fog: bool = False
    haze: bool = True
    cull_face: bool = True
    samples: int | None = None
    shadowsize: int | None = None

    def check(self) -> None:
        """Raise ArgumentError for what cannot be."""
        for one in fields(self):
            if one.name.endswith("group") and len(getattr(self, one.name)) != NGROUP:
                raise ArgumentError(f"options.{one.name}: expected {NGROUP} switches")
        if self.frame not in FRAMES:
            raise ArgumentError(f"options.frame: expected one of {', '.join(FRAMES)}")
        if self.samples not in (None, 1, 2, 4, 8):
            raise ArgumentError(f"options.samples: expected 1, 2, 4 or 8, got {self.samples}")
        if self.shadowsize is not None and not 0 <= self.shadowsize <= LARGEST_MAP:
            raise ArgumentError(f"options.shadowsize: expected 0 to {LARGEST_MAP}")
