"""Model and Data, as users see them."""

from cortenforge.model.data import Data
from cortenforge.model.model import Model
from cortenforge.model.state import State

__all__ = ["Data", "Model", "State"]
