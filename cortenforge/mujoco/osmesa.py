"""`mujoco.osmesa`: a context that needs no OpenGL."""

from cortenforge.mujoco.gl_context import GLContext

__all__ = ["GLContext"]
