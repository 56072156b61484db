"""Small pictures of each feature, held against pictures that were looked at and kept.

python -m tests.render.test_golden    draw them anew: then look at them
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf

from .scenes import BALL, DECOR, GOLDEN, TEXTURES, world_of

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
#: name -> scene, camera, options
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
    "inertia": (DECOR, "front", {"inertia": True, "com": True, "transparent": True}),
}


def drawn(name: str) -> np.ndarray:
    source, camera, options = PICTURES[name]
    _, data = world_of(source)
    return data.render(96, 72, camera, **options)


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
