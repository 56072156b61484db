"""Model and Data, as users see them."""

from cortenforge.model.data import Data
from cortenforge.model.methods.lengthrange import LengthRangeOptions
from cortenforge.model.model import Model
from cortenforge.model.states.state import State

__all__ = ["Data", "LengthRangeOptions", "Model", "State"]
