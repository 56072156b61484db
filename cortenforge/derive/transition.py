"""Derivatives of a step, by the method that is asked for."""

from __future__ import annotations

import numpy as np

from cortenforge.derive.config import DerivativeConfig, TransitionMatrices
from cortenforge.derive.differences import StepDifferences, one_of
from cortenforge.derive.worlds import own_of, row_of
from cortenforge.errors import UnsupportedFeature
from cortenforge.model import Data
from cortenforge.model.watch import is_changed, look_again

DEFAULT = DerivativeConfig()


class Desk:
    """Memory in which derivatives of one world are worked out, kept from call to call."""

    def __init__(self, data: Data) -> None:
        self.differences = StepDifferences(data.model, 1, own_of(data))

    def take(self, data: Data) -> None:
        """Take what the world has of its model for itself."""
        own = own_of(data)
        for name, values in own.items():
            for batch in self.differences.batches:
                batch.parameters[name] = values


def desk_of(data: Data) -> Desk:
    """The desk of a world."""
    found: Desk | None = data.__dict__.get("_derivatives")
    if found is None:
        found = data.__dict__["_derivatives"] = Desk(data)
    found.take(data)
    return found


def refuse(data: Data) -> None:
    """Look at the model, if it has changed, and refuse what a step of it would lack."""
    if is_changed(data.model):
        look_again(data.model)
    if data.model.missing:
        raise UnsupportedFeature(data.model.supported())


def transition_derivatives(
    data: Data, config: DerivativeConfig | None = None
) -> TransitionMatrices:
    """A, B, C and D of a world."""
    wanted = config or DEFAULT
    refuse(data)
    rows: np.ndarray = row_of(data)[None]
    return one_of(desk_of(data).differences.transition(rows, wanted))
