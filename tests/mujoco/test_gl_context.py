"""Contexts of OpenGL that programs make, where there is none."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
{before}
import cortenforge.mujoco
cortenforge.mujoco.install()
import mujoco
for name in ("egl", "glfw", "osmesa", "gl_context"):
    module = __import__("mujoco." + name, fromlist=["GLContext"])
    context = module.GLContext(64, 48)
    context.make_current()
    with context.as_current():
        pass
    context.free()
import glfw
assert glfw.init()
glfw.window_hint(glfw.VISIBLE, 0)
glfw.make_context_current(glfw.create_window(64, 48, "", None, None))
glfw.terminate()
try:
    glfw.get_video_mode
except AttributeError as error:
    print(error)
"""
WITHOUT_GLFW = """
import importlib.machinery
find = importlib.machinery.PathFinder.find_spec
importlib.machinery.PathFinder.find_spec = classmethod(
    lambda kind, name, *rest: None if name == "glfw" else find(name, *rest)
)
"""


def test_programs_find_contexts_and_glfw() -> None:
    """Contexts by all names; glfw is imported though it is not installed, and has no windows."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=WITHOUT_GLFW)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "launch_passive" in ran.stdout
