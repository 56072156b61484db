"""A stand-in for `glfw`, which `mujoco` brings along: programs import it, and draw without windows.

It is used where `glfw` is not installed.
"""

from __future__ import annotations

from typing import Any

VISIBLE, DOUBLEBUFFER = 0x00020004, 0x00021010


class GLFWError(Exception):
    """An error of GLFW."""


def init() -> bool:
    """Nothing: there is nothing to start."""
    return True


def terminate() -> None:
    """Nothing: there is nothing to end."""


def window_hint(hint: int, value: int) -> None:
    """Nothing: there are no windows."""


def create_window(*given: Any, **named: Any) -> None:
    """No window."""


def destroy_window(window: Any) -> None:
    """Nothing: there are no windows."""


def make_context_current(window: Any) -> None:
    """Nothing: there are no contexts."""


def get_current_context() -> None:
    """None: there are no contexts."""


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"glfw.{name}: windows need glfw, which is not installed; draw arrays "
        '(render_mode="rgb_array"), or use mujoco.viewer.launch_passive'
    )
