"""Calls against the direction of imports.

Spec, Model and Data have methods whose implementation is in packages that import these classes:
reading, compiling and writing, loading, pictures, derivatives. Such a method calls a function by
its name in this module. The first use of such a name imports `cortenforge.load`, which binds all of
them.
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
load_mjcf: Callable[..., Model]
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
        """Bind all names by importing the module that does, on the first use of one."""
        if name in __annotations__ and import_module(LOAD):
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
