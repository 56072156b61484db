"""Small pictures of each feature, held against pictures that were looked at and kept.

python -m tests.render.test_golden    draw them anew: then look at them
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf

from .scenes import (
    BALL,
    DECOR,
    GOLDEN,
    SHEET_SCENE,
    TEXTURES,
    TOUCHED,
    WIRED,
    wavy_sheet,
    world_of,
)

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")

MIRROR = BALL.replace(
    "<worldbody>", '<asset><material name="m" reflectance=".5"/></asset><worldbody>'
)
MIRROR = MIRROR.replace('pos="0 0 -1"/>', 'pos="0 0 -.6" material="m"/>')
SPOT = '<worldbody><light pos="1 -1 2" dir="-.5 .5 -1" cutoff="25" exponent="3"/>'
SPOT = BALL.replace("<worldbody>", SPOT).replace("<visual>", '<visual><headlight active="0"/>')
FOG = TEXTURES.read_text().replace("<visual>", '<visual><map fogstart=".5" fogend="3"/>')
HOLLOW = """
<mujoco>
  <asset><mesh name="v" inertia="shell" vertex="0 0 0 1 0 0 0 0 1 0 .4 0 1 .4 0 0 .4 1"
               face="0 1 4 0 4 3 0 3 5 0 5 2"/></asset>
  <worldbody><geom type="mesh" mesh="v"/></worldbody>
</mujoco>
"""
ABOVE = cf.Camera(lookat=(0, 0, 0.4), distance=2.2, azimuth=70, elevation=-35)
DRAGGED = cf.Perturb(2, (0.1, -0.1, 0.1), (-0.1, -0.3, 0.4), (0.8, 0, 0.6, 0))
SHEET = cf.Surface(*wavy_sheet(15), rgba=(0.8, 0.3, 0.2, 1.0), sheet=True, radius=0.02)
CHECKED = cf.Surface(*wavy_sheet(15), matid=0, sheet=True, texcoord=wavy_sheet(15)[0][:, :2])
CORD = cf.Tubes(wavy_sheet(15)[0][:15], [(k, k + 1) for k in range(14)], 0.04)
#: name -> scene, camera, options; or what is handed over with the picture
PICTURES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "textures": (TEXTURES, None, {}),
    "near": (TEXTURES, "low", {}),
    "parallel": (TEXTURES, "ortho", {}),
    "sensor": (TEXTURES, "sensor", {}),
    "one_sample": (TEXTURES, "low", {"samples": 1}),
    "no_textures": (TEXTURES, None, {"texture": False, "skybox": False}),
    "transparent": (TEXTURES, None, {"transparent": True}),
    "hull": (HOLLOW, cf.Camera(distance=2), {"convexhull": True}),
    "hollow": (HOLLOW, cf.Camera(distance=2), {}),
    "fog": (FOG, None, {"fog": True}),
    "mirror": (MIRROR, cf.Camera(elevation=-15, distance=4), {}),
    "spot": (SPOT, cf.Camera(elevation=-35, distance=4), {}),
    "decor": (DECOR, "front", {}),
    "contacts": (DECOR, "front", {"contactpoint": True, "contactforce": True, "transparent": True}),
    "split": (DECOR, "front", {"contactforce": True, "contactsplit": True, "transparent": True}),
    "frames": (DECOR, "front", {"frame": "body", "joint": True}),
    "wires": (DECOR, "front", {"actuator": True, "constraint": True}),
    "sheet": (SHEET_SCENE, ABOVE, {"extra": [SHEET]}),
    "checked": (SHEET_SCENE, ABOVE, {"extra": [CHECKED]}),
    "cord": (SHEET_SCENE, ABOVE, {"extra": [CORD]}),
    "slack": (WIRED, "front", {}),
    "cameras": (WIRED, None, {"camera": True, "frame": "camera"}),
    "lights": (WIRED, None, {"light": True, "rangefinder": False}),
    "acting": (WIRED, "front", {"actuator": True, "rangefinder": False}),
    "skeleton": (WIRED, "front", {"autoconnect": True, "transparent": True, "rangefinder": False}),
    "water": (WIRED, "front", {"inertia": True, "sclinertia": True, "rangefinder": False}),
    "boxes": (WIRED, "front", {"bodybvh": True, "rangefinder": False}),
    "cells": (WIRED, "front", {"meshbvh": True, "bvh_depth": 2, "rangefinder": False}),
    "islands": (WIRED, "front", {"island": True, "contactpoint": True, "rangefinder": False}),
    "dragged": (WIRED, "front", {"perturb": DRAGGED, "select": True, "rangefinder": False}),
    "touch": (TOUCHED, None, {"contactpoint": True}),
    "labels": (WIRED, "front", {"label": "body", "rangefinder": False}),
    "edges": (TEXTURES, None, {"wireframe": True}),
    "adding": (TEXTURES, None, {"transparent": True, "additive": True}),
    "no_shadows": (TEXTURES, None, {"shadow": False, "haze": False}),
    "inertia": (DECOR, "front", {"inertia": True, "com": True, "transparent": True}),
}


def drawn(name: str) -> np.ndarray:
    source, camera, options = PICTURES[name]
    model, data = world_of(source)
    extra = options.get("extra", ())
    shown = {key: value for key, value in options.items() if key != "extra"}
    as_mujoco = cf.RenderOptions(backdrop="model", **shown)
    renderer = cf.Renderer(model, width=96, height=72, options=as_mujoco)
    return renderer.render(data, camera, extra=extra)


@pytest.mark.parametrize("name", PICTURES)
def test_golden_pictures(name: str) -> None:
    """Bits may differ between processors; pictures may not."""
    kept = np.asarray(Image.open(GOLDEN / f"{name}.png").convert("RGB")).astype(int)
    difference = np.abs(drawn(name).astype(int) - kept)
    assert difference.mean() < 0.5
    assert (difference.max(2) > 8).mean() < 0.01


def test_golden_pictures_differ() -> None:
    """Each feature shows: no two of the kept pictures are the same."""
    kept = {file.stem: file.read_bytes() for file in GOLDEN.glob("*.png")}
    assert set(kept) == set(PICTURES) and len(set(kept.values())) == len(kept)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in PICTURES:
        Image.fromarray(drawn(each)).save(GOLDEN / f"{each}.png", optimize=True)
