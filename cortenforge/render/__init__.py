"""Pictures without OpenGL: a rasteriser in kernels, and what is drawn by it."""

from cortenforge.render.camera import Camera
from cortenforge.render.options import Perturb, RenderOptions
from cortenforge.render.renderer import Renderer
from cortenforge.render.surfaces import Surface, Tubes
from cortenforge.render.video import Video

__all__ = ["Camera", "Perturb", "RenderOptions", "Renderer", "Surface", "Tubes", "Video"]
