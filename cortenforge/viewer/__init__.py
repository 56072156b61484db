"""A viewer in the browser: play, pause, perturb bodies, go back in time."""

from cortenforge.viewer.viewer import Viewer, view

__all__ = ["Viewer", "view"]
