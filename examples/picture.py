"""Pictures of the examples, written to the folder `out` in the working directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import cortenforge as cf

FOLDER = Path("out")
#: from early to late
EARLY, LATE = np.array([0.95, 0.75, 0.35]), np.array([0.5, 0.15, 0.05])

#: a lit floor with a skybox
STAGE = """
<mujoco>
  <statistic extent="1" center="0 0 0.3"/>
  <visual>
    <headlight ambient=".35 .35 .35" diffuse=".35 .35 .35" specular=".1 .1 .1"/>
    <quality shadowsize="8192"/>
    <map shadowclip="2"/>
    <rgba haze=".82 .87 .92 1"/>
  </visual>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1=".82 .87 .92" rgb2=".35 .5 .7"
             width="64" height="256"/>
    <texture name="floor" type="2d" builtin="checker" mark="edge" rgb1=".62 .65 .69"
             rgb2=".55 .58 .62" markrgb=".7 .73 .76" width="256" height="256"/>
    <material name="floor" texture="floor" texrepeat="2 2" texuniform="true"/>
  </asset>
  <worldbody>
    <light type="directional" pos="-3 -4 8" dir=".3 .4 -1" diffuse=".65 .63 .6"/>
    <geom name="floor" type="plane" size="0 0 .1" material="floor"/>
    {things}
  </worldbody>
  {rest}
</mujoco>
"""


def stage(things: str = "", rest: str = "") -> cf.Model:
    """A model of things on a floor, and of further sections of MJCF."""
    return cf.Model.from_mjcf(STAGE.format(things=things, rest=rest))


def shades(n: int) -> list[tuple[float, ...]]:
    """Colours for `n` times, from early to late."""
    return [(*colour, 1.0) for colour in np.linspace(EARLY, LATE, n)]


def chain(*points: Any, radius: float, rgba: Any) -> cf.Tubes:
    """Rods from point to point."""
    places = np.array(points, float)
    edges = np.stack([np.arange(len(places) - 1), np.arange(1, len(places))], 1)
    return cf.Tubes(places, edges, radius, rgba=rgba)


def keep(
    name: str,
    data: cf.Data,
    camera: cf.Camera | str | None = None,
    *,
    extra: Sequence[cf.Tubes] = (),
    **shown: Any,
) -> None:
    """Render a world with extra tubes, save the picture, and print its path."""
    renderer = cf.Renderer(data.model, width=640, height=480, options=cf.RenderOptions(**shown))
    keep_pixels(name, renderer.render(data, camera, extra=extra))


def keep_pixels(name: str, pixels: np.ndarray) -> None:
    """Save a picture, and print its path."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{name}.png"
    Image.fromarray(pixels).save(file)
    print(f"\nA picture: {file}")
