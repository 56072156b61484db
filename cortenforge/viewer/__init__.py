"""A viewer in the browser: play, pause, perturb bodies, go back in time."""

from typing import TYPE_CHECKING, Any

from cortenforge.suggest import unknown_attribute
from cortenforge.viewer.viewer import Viewer, view

__all__ = ["Viewer", "view"]

# type checkers would take a module with this function to have every attribute
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise unknown_attribute(__name__, name, () if name.startswith("_") else __all__)
