"""Where warnings of simulations go: to the handler that a program sets, or to Python's."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable
from typing import Any

from cortenforge.errors import StepWarning

#: the handler that is set, a list of one or none
_handler: list[Callable[..., Any]] = []


def set_handler(handler: Any) -> None:
    """Set the function that is called with each warning; None for Python's warnings."""
    _handler[:] = [] if handler is None else [handler]


def handler() -> Any:
    """The handler that is set, or None."""
    return _handler[0] if _handler else None


def give_warning(text: str) -> None:
    """Give a warning. Handlers made by ctypes take bytes."""
    found = handler()
    if found is None:
        warnings.warn(text, StepWarning, stacklevel=5)
    elif isinstance(found, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        found(text.encode())
    else:
        found(text)
