"""Put the module where programs find it: `import mujoco` then gives this one."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

NAME = "mujoco"
HERE = "cortenforge.mujoco"
#: modules of `mujoco` that are modules here
SUBMODULES: dict[str, str] = {
    **{name: f"{HERE}.{name}" for name in ("viewer", "rollout", "batch", "renderer", "gl_context")},
    **dict.fromkeys(("egl", "glfw", "osmesa"), f"{HERE}.gl_context"),
    "_enums": f"{HERE}.enums",
    "_constants": f"{HERE}.constants",
    "_errors": f"{HERE}.errors",
    "_structs": HERE,
    "_functions": HERE,
    "_callbacks": HERE,
    "_render": HERE,
}
#: modules of the installed package in pure Python, which run on this one
PURE_PYTHON = ("introspect", "minimize", "sysid", "usd")


class SameModule(importlib.abc.Loader):
    """Loads a module of `mujoco` as a module of this package."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._spec: Any = None

    def create_module(self, spec: Any) -> ModuleType:
        """The module of this package, with its own specification kept."""
        module = import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: the module is loaded."""
        module.__spec__ = self._spec


class Finder(importlib.abc.MetaPathFinder):
    """Finds modules of `mujoco`: those of this package, and pure Python of the installed one."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """The specification of a module of `mujoco`; None for others."""
        if fullname == "glfw" and not importlib.machinery.PathFinder.find_spec(fullname):
            return importlib.machinery.ModuleSpec(fullname, SameModule(f"{HERE}.drawing.glfw"))
        parent, _, name = fullname.partition(".")
        if parent != NAME or not name:
            return None
        home = SUBMODULES.get(name)
        if home is not None and importlib.util.find_spec(home) is not None:
            return importlib.machinery.ModuleSpec(fullname, SameModule(home))
        if name in PURE_PYTHON:
            return importlib.machinery.PathFinder.find_spec(fullname, _installed_folders())
        return None


def _installed_folders() -> list[str]:
    """Folders of the installed `mujoco` package; none if there is none."""
    found = importlib.machinery.PathFinder.find_spec(NAME, sys.path)
    return list(found.submodule_search_locations or []) if found else []


def install() -> None:
    """Make `import mujoco` give this module, in this process and from now on.

    Raises ImportError if another `mujoco` has been imported before: programs that hold it would
    mix both.
    """
    module = import_module(HERE)
    there = sys.modules.get(NAME)
    if there is module:
        return
    if there is not None:
        raise ImportError(
            f"mujoco has been imported already, from {getattr(there, '__file__', None)}: call "
            "cortenforge.mujoco.install() before anything imports mujoco, or run the program by "
            "python -m cortenforge.mujoco"
        )
    sys.meta_path.insert(0, Finder())
    sys.modules[NAME] = module
