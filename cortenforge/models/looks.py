"""Light and sky of models that are built here; without effect on physics."""

from __future__ import annotations

from cortenforge.spec import Spec


def light_up(spec: Spec) -> None:
    """A bright sky, and a sun high up on the side that the usual camera looks from."""
    spec.add_texture(
        name="sky", type="skybox", builtin="gradient", width=16, height=64,
        rgb1=[0.96, 0.97, 0.98], rgb2=[0.74, 0.8, 0.86],
    )  # fmt: skip
    spec.worldbody.add_light(
        type="directional", pos=[-2, -3, 6], dir=[0.3, 0.5, -1], diffuse=[0.6] * 3
    )
