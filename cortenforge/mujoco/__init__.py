"""A module with the interface of the `mujoco` package, over this engine.

>>> import cortenforge as cf
>>> cf.mujoco.install()
>>> import mujoco          # programs written for `mujoco` run unchanged
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from cortenforge.mujoco.constants import CONSTANTS as _CONSTANTS
from cortenforge.mujoco.constants import MJTNUM_DTYPE as MJTNUM_DTYPE
from cortenforge.mujoco.data import MjData as MjData
from cortenforge.mujoco.enums import ENUMS as _ENUMS
from cortenforge.mujoco.errors import FatalError as FatalError
from cortenforge.mujoco.errors import UnexpectedError as UnexpectedError
from cortenforge.mujoco.gl_context import GLContext as GLContext
from cortenforge.mujoco.install import PURE_PYTHON as _PURE_PYTHON
from cortenforge.mujoco.install import install as install
from cortenforge.mujoco.model import MjModel as MjModel
from cortenforge.mujoco.registry import CLASSES as _CLASSES
from cortenforge.mujoco.registry import all_functions as _all_functions
from cortenforge.mujoco.renderer import Renderer as Renderer
from cortenforge.mujoco.tables import TABLES as _TABLES

__version__: str = _TABLES["version"]
#: whose engine this is
__engine__ = "cortenforge"

#: what `mujoco` has: enumerations, constants, functions and classes
_NAMES: dict[str, Any] = {**_ENUMS, **_CONSTANTS, **_all_functions(), **_CLASSES}
globals().update(_NAMES)

__all__ = ["FatalError", "GLContext", "MJTNUM_DTYPE", "Renderer", "UnexpectedError", *_NAMES]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A module of the installed package, or why a name is missing and what to use instead."""
        if name in _PURE_PYTHON and _sys.modules.get("mujoco") is _sys.modules[__name__]:
            return _import_module(f"mujoco.{name}")
        from cortenforge.mujoco.absent import missing_name

        raise missing_name(name)
