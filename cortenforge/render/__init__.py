"""Pictures without OpenGL: a rasteriser in kernels, and what is drawn by it."""

from cortenforge.render.renderer import Renderer
from cortenforge.render.video import Video
from cortenforge.scene.camera import Camera
from cortenforge.scene.options import Perturb, RenderOptions
from cortenforge.scene.surfaces_and_tubes import Surface, Tubes

__all__ = ["Camera", "Perturb", "RenderOptions", "Renderer", "Surface", "Tubes", "Video"]
