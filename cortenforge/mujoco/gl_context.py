"""`mujoco.gl_context`, also `egl`, `glfw` and `osmesa`: contexts that need no OpenGL."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


class GLContext:
    """What programs make before they draw. Pictures are drawn by the CPU, so it holds nothing."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self.max_width, self.max_height = max_width, max_height

    def make_current(self) -> None:
        """Nothing: there is no current context."""

    @contextlib.contextmanager
    def as_current(self) -> Iterator[None]:
        """Nothing: there is no current context."""
        yield

    def free(self) -> None:
        """Nothing: there is nothing to free."""
