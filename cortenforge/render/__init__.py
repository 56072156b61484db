"""Pictures without OpenGL: a rasteriser in kernels, and what is drawn by it."""

from cortenforge.render.camera import Camera
from cortenforge.render.options import RenderOptions
from cortenforge.render.renderer import Renderer
from cortenforge.render.surfaces import Surface, Tubes

__all__ = ["Camera", "RenderOptions", "Renderer", "Surface", "Tubes"]
