"""Lights, environment map and sky of the browser's scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cortenforge.scene.options import RenderOptions
from cortenforge.viewer.textures import sky_gradient

if TYPE_CHECKING:
    from cortenforge.model import Model

#: intensity of the ambient light without an environment map
AMBIENT_INTENSITY = 2.5
SKY_RGB, GROUND_RGB = (255, 255, 255), (150, 150, 160)


def set_lights_and_sky(server: Any, model: Model, options: RenderOptions) -> None:
    """Set the browser's default lights, an environment map that lights the scene, and the sky.

    `reflection` switches the environment map: a browser without a GPU takes seconds to prepare it.
    """
    server.scene.configure_default_lights(cast_shadow=options.shadow)
    if not options.reflection:
        server.scene.configure_environment_map(None)
        server.scene.add_light_hemisphere(
            "/light", sky_color=SKY_RGB, ground_color=GROUND_RGB, intensity=AMBIENT_INTENSITY
        )
    sky = sky_gradient(model, options.backdrop) if options.skybox else None
    if sky is not None:
        server.scene.set_background_image(sky)
