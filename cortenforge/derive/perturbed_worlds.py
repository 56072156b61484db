"""Perturbed worlds: copies of a state in each of which one number is moved."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.memory import ROW_FIELDS
from cortenforge.derive.config import DerivativeConfig
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.enums import Disable
from cortenforge.model import Data, Model
from cortenforge.model.internals import parameters_of, store_of

#: model fields that differ between worlds, (n, ...) by name
OwnParameters = Mapping[str, np.ndarray]


def state_row(data: Data) -> np.ndarray:
    """State and inputs of a world, in the order of a batch's rows."""
    arrays = store_of(data).arrays
    return np.concatenate([arrays[field.name].reshape(-1) for field in ROW_FIELDS])


def own_parameters(data: Data) -> dict[str, np.ndarray]:
    """A world's own model parameters."""
    own = parameters_of(data)
    return {name: array[None] for name, array in own.arrays.items()} if own else {}


def make_batch(model: Model, n: int, own: OwnParameters, *, threads: int = 1) -> BatchSim:
    """A batch of n worlds; own: parameters of one or several worlds, repeated to n."""
    batch = BatchSim(model, n, threads=threads)
    if own:
        batch.expand(*own)
        for name, values in own.items():
            batch.parameters[name] = np.repeat(values, n // len(values), axis=0)
    return batch


class ColumnShifts:
    """How far columns are moved: (worlds, columns) ahead, and back.

    Controls do not leave their ranges, as in MuJoCo: at an end they are moved the other way only,
    and not at all where both ways lead out. Where `back` is 0, the other side is the state itself.
    """

    def __init__(
        self, model: Model, ctrl: np.ndarray, own: OwnParameters, config: DerivativeConfig
    ) -> None:
        worlds, states = len(ctrl), 2 * model.nv + model.na
        ahead = np.full((worlds, states + model.nu), config.eps)
        back = np.full_like(ahead, -config.eps if config.centered else 0.0)
        if model.nu and not model.opt.disableflags & Disable.CLAMPCTRL:
            limited = model.actuator_ctrllimited != 0
            low, high = np.moveaxis(own.get("actuator_ctrlrange", model.actuator_ctrlrange), -1, 0)
            inside = (ctrl >= low) & (ctrl <= high)
            on = ~limited | (inside & (ctrl + config.eps <= high))
            off = ~limited | (inside & (ctrl - config.eps >= low))
            ahead[:, states:] = np.where(on, config.eps, 0.0)
            back[:, states:] = np.where(off & (config.centered | ~on), -config.eps, 0.0)
        self.ahead, self.back = ahead, back

    @property
    def one_sided(self) -> bool:
        """Whether all differences are one-sided."""
        return not self.back.any()

    @property
    def length(self) -> np.ndarray:
        """Distance between both sides; 1 where there is none."""
        found = self.ahead - self.back
        return np.where(found == 0.0, 1.0, found)


def perturb_worlds(
    model: Model,
    tangent: TangentSpace,
    views: Mapping[str, np.ndarray],
    shifts: np.ndarray,
    start: int = 0,
) -> None:
    """Move worlds (w, columns, ...), given as views of their rows, each along its column.

    start: number of the first column that is present.
    """
    stop, first = start + shifts.shape[1], 0
    for name, size in (
        ("qpos", model.nv),
        ("qvel", model.nv),
        ("act", model.na),
        ("ctrl", model.nu),
    ):
        columns = np.arange(max(first, start), min(first + size, stop))
        if columns.size and name == "qpos":
            assert start == 0, "columns of positions are there from the first on, or not at all"
            tangent.shift_positions(views[name][:, : columns.size], shifts[:, : columns.size])
        elif columns.size:
            at = columns - start
            views[name][:, at, columns - first] += shifts[:, at]
        first += size
