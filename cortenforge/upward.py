"""Calls against the direction of imports.

A Spec is read, compiled and written by methods of its own, a Model loaded, a Data drawn and
differentiated by their own, while what these do is in packages that import Spec, Model and Data.
Such a method calls a name of this module; `cortenforge.load`, above all of them, binds the names
when the first of them is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from cortenforge.derive import InverseMatrices, TransitionMatrices
    from cortenforge.model import Model
    from cortenforge.spec import Spec

#: what binds the names
LOAD = "cortenforge.load"
#: where packages of URDF are: folders that hold them, or a folder for each package's name
PackagePath = Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]]

read_mjcf: Callable[..., Spec]
read_urdf: Callable[..., Spec]
compile_spec: Callable[[Spec], Model]
compile_urdf: Callable[[Spec], Model]
set_const: Callable[[Model], None]
constants_of: Callable[[Model, Mapping[str, np.ndarray]], dict[str, np.ndarray]]
write_mjcf: Callable[[Spec, str | None], str]
transition_derivatives: Callable[[Any, Any], TransitionMatrices]
batch_derivatives: Callable[..., TransitionMatrices]
inverse_derivatives: Callable[[Any, Any], InverseMatrices]
smooth_velocity_derivative: Callable[[Any], np.ndarray]
smooth_position_derivative: Callable[[Any], np.ndarray]
draw: Callable[..., np.ndarray]
draw_all: Callable[..., np.ndarray]


# type checkers would take a module with this function to have every attribute
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A name that nobody has bound yet: what binds them is loaded."""
        if name in __annotations__ and import_module(LOAD):
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
