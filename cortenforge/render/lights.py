"""Lights of a frame, and the views from which their shadow maps are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.scene.backdrop import (
    FILL_AMBIENT,
    KEY_DIFFUSE,
    KEY_DIRECTION,
    KEY_SPECULAR,
    key_light_position,
)
from cortenforge.scene.camera import Lens
from cortenforge.scene.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: light_type; other types give no light, as in MuJoCo's OpenGL renderer
LIGHT_SPOT, LIGHT_DIRECTIONAL = 0, 1
#: ambient light of a frame without lights
AMBIENT_WITHOUT_LIGHTS = 0.3
#: shadow bias in texels: a point is lifted off its surface lest the surface shadows itself
SHADOW_BIAS_TEXELS = 2.0


@dataclass
class Light:
    """A light as kernels need it.

    attenuation: coefficients of 1, r and r^2.
    cone:    (cosine of the cutoff angle, exponent, 0).
    lens:    projection of its shadow map, or None.
    bias:    shadow bias, in the world (directional) or at distance one (spot).
    """

    is_spot: bool
    pos: np.ndarray
    dir: np.ndarray
    ambient: Any
    diffuse: Any
    specular: Any
    attenuation: Any = (1.0, 0.0, 0.0)
    cone: Any = (-1.0, 0.0, 0.0)
    lens: Lens | None = None
    bias: float = 0.0


def lights_of(
    model: Model, data: Data, eye: Lens, options: RenderOptions, size: int
) -> list[Light]:
    """The headlight and the model's lights, or the backdrop's; shadow maps have `size` texels."""
    head = model.vis.headlight
    found = []
    if head.active:
        found.append(Light(False, eye.pos, eye.forward, head.ambient, head.diffuse, head.specular))
    for k in range(model.nlight):
        kind = int(model.light_type[k])
        if not model.light_active[k] or kind not in (LIGHT_SPOT, LIGHT_DIRECTIONAL):
            continue
        light = Light(
            kind == LIGHT_SPOT,
            np.array(data.light_xpos[k]),
            _unit_vector(np.array(data.light_xdir[k])),
            model.light_ambient[k],
            model.light_diffuse[k],
            model.light_specular[k],
        )
        if light.is_spot:
            light.attenuation = model.light_attenuation[k]
            cutoff = float(model.light_cutoff[k])
            edge = math.cos(math.radians(cutoff)) if cutoff <= 90.0 else -1.0
            light.cone = (edge, float(model.light_exponent[k]), 0.0)
        if options.shadow and size > 0 and model.light_castshadow[k]:
            set_shadow_view(light, model, float(model.light_cutoff[k]), eye, size)
        found.append(light)
    if model.nlight == 0 and options.backdrop == "auto":
        found += _backdrop_lights(model, eye, size if options.shadow else 0)
    return found


def _backdrop_lights(model: Model, eye: Lens, size: int) -> list[Light]:
    """Lights of a model without any: a key light with shadows, and an ambient fill light."""
    pos, dark = key_light_position(model), (0.0, 0.0, 0.0)
    key = Light(False, pos, KEY_DIRECTION, dark, KEY_DIFFUSE, KEY_SPECULAR)
    if size > 0:
        set_shadow_view(key, model, 0.0, eye, size)
    return [Light(False, pos, KEY_DIRECTION, FILL_AMBIENT, dark, dark), key]


def _unit_vector(v: np.ndarray) -> np.ndarray:
    return v / max(float(np.linalg.norm(v)), 1e-12)


def set_shadow_view(light: Light, model: Model, cutoff: float, eye: Lens, size: int) -> None:
    """Set the projection of a light's shadow map: perspective for spots, else orthographic."""
    helper = np.eye(3)[int(np.argmin(np.abs(light.dir)))]
    right = _unit_vector(np.cross(light.dir, helper))
    up = np.cross(right, light.dir)
    if light.is_spot:
        fov = min(2.0 * cutoff * float(model.vis.map.shadowscale), 160.0)
        half = math.tan(math.radians(0.5 * fov))
    else:
        half = float(model.stat_extent * model.vis.map.shadowclip)
    focal = 0.5 * size / max(half, 1e-9)
    light.lens = Lens(
        light.pos, right, up, light.dir, (focal, focal), (0.5 * size, 0.5 * size),
        eye.near, eye.far, not light.is_spot,
    )  # fmt: skip
    light.bias = SHADOW_BIAS_TEXELS / focal
