"""Textures in a browser have the pixels that pictures have."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.render.mipmaps import mipmap_arrays
from cortenforge.scene.textures import TEXTURE_2D
from cortenforge.viewer.textures import CUBE_SIDES, browser_pixels, sky_gradient

SCENE = """<mujoco><asset>
  <texture name="flat" type="2d" builtin="gradient" rgb1="1 .5 0" rgb2="0 .2 .9" width="8"
    height="6" colorspace="{0}"/>
  <texture name="cube" type="cube" builtin="checker" rgb1=".8 .4 .2" rgb2=".1 .2 .5" width="4"
    height="4" colorspace="{0}"/>
  <texture name="sky" type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2=".1 .1 .2" width="8"
    height="48" colorspace="{0}"/>
</asset></mujoco>"""


@pytest.mark.parametrize("colorspace", ["auto", "linear", "sRGB"])
def test_pixels_are_those_of_pictures(colorspace: str) -> None:
    """Both draw linear pixels, whatever the colour space of the texture."""
    model = cf.Model.from_mjcf(SCENE.format(colorspace))
    arrays = mipmap_arrays(model)
    for number in range(model.ntex):
        start, sides = int(arrays["tex_level"][number, 0]), int(arrays["tex_sides"][number])
        shape = (sides, int(arrays["tex_height"][number]), int(arrays["tex_width"][number]), 3)
        drawn = arrays["texel"][start : start + np.prod(shape)].reshape(shape)
        repeated = 1 if model.tex_type[number] == TEXTURE_2D else CUBE_SIDES // sides
        expected = np.concatenate([*drawn] * repeated)
        np.testing.assert_array_equal(browser_pixels(model, number), expected)


def test_sky_of_srgb_is_converted() -> None:
    """The background is that of the converted texture: darker than the same bytes as linear."""
    srgb, linear = (
        sky_gradient(cf.Model.from_mjcf(SCENE.format(space)), "model")
        for space in ("sRGB", "linear")
    )
    assert srgb.shape == linear.shape and (srgb < linear).all()
