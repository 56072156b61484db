"""Functions of the module by name: modules register theirs, the rest is absent and says why."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from cortenforge.mujoco import arguments
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.tables import FUNCTIONS

F = TypeVar("F", bound=Callable[..., Any])

#: modules whose import registers functions
PARTS = (
    "functions.pipeline",
    "functions.state",
    "functions.names",
    "functions.callbacks",
    "functions.mechanics",
    "functions.constraints",
    "functions.rays",
    "functions.models",
    "functions.derivatives",
    "drawing.cameras",
    "drawing.geoms",
    "drawing.scene",
    "drawing.pictures",
    "mju.box_qp",
    "mju.factors",
    "mju.matrices",
    "mju.muscles",
    "mju.rays",
    "mju.rotations",
    "mju.sparse",
    "mju.text",
    "mju.vectors",
)
#: structs that functions take, by name; modules that define one add it
CLASSES: dict[str, type] = {}
#: functions by name, with their checks
REGISTERED: dict[str, Callable[..., Any]] = {}


def struct(kind: type) -> type:
    """Decorator: a class that functions take as an argument."""
    CLASSES[kind.__name__] = kind
    return kind


def function(implementation: F) -> F:
    """Decorator: the function of `mujoco` with this name; arguments are checked by its table."""
    REGISTERED[implementation.__name__] = arguments.with_checks(implementation, CLASSES)
    return implementation


def unchecked(implementation: F) -> F:
    """Decorator: a function of `mujoco` that checks its arguments itself."""
    if implementation.__name__ not in FUNCTIONS:
        raise KeyError(f"mujoco has no function {implementation.__name__}")
    REGISTERED[implementation.__name__] = implementation
    return implementation


def absent_function(name: str, reason: str) -> Callable[..., Any]:
    """A function that raises, and says why it is not there."""

    def missing(*given: Any, **named: Any) -> Any:
        raise_absent(name, reason)

    missing.__name__ = missing.__qualname__ = name
    missing.__doc__ = f"Not there: {reason}"
    return missing


@functools.cache
def all_functions() -> dict[str, Callable[..., Any]]:
    """Every function of the module: the registered ones, and those that raise."""
    from cortenforge.mujoco.absent import absence

    for part in PARTS:
        import_module(f"cortenforge.mujoco.{part}")
    return {
        name: REGISTERED[name] if name in REGISTERED else absent_function(name, absence(name))
        for name in FUNCTIONS
    }
