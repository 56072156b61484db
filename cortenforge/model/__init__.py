"""Model and Data, as users see them."""

from .data import Data
from .model import Model, load_model
from .state import State

__all__ = ["Data", "Model", "State", "load_model"]
