"""Integer entries of state vectors: checked before a state from outside is restored.

States are made of reals. Some of their entries are integers that kernels use as indices, and a
vector from a file or another program may hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge.errors import StateError
from cortenforge.fields import DATA_FIELDS
from cortenforge.step.sensing.noise import MAX_DRAW
from cortenforge.step.sleeping.sleep_constants import FULLY_AWAKE

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: fields of a state vector, in this order; warm start and inputs are part of it
KEPT_FIELDS = tuple(field for field in DATA_FIELDS if field.role in ("state", "input"))


@dataclass(frozen=True)
class IntegerEntries:
    """Entries of a state vector that are integers from `low` to `high`, both included."""

    name: str
    place: np.ndarray
    low: float
    high: np.ndarray | float


#: integer entries by model
_entries_of_model: WeakKeyDictionary[Model, tuple[IntegerEntries, ...]] = WeakKeyDictionary()


def check_integer_entries(model: Model, vectors: np.ndarray) -> None:
    """Raise StateError if state vectors `(..., size)` have invalid integer entries."""
    rows = vectors.reshape(-1, vectors.shape[-1])
    if model not in _entries_of_model:
        _entries_of_model[model] = tuple(_integer_entries(model))
    for whole in _entries_of_model[model]:
        values = rows[:, whole.place]
        # also false for what is not a number
        fine = (values >= whole.low) & (values <= whole.high) & (np.floor(values) == values)
        if not fine.all():
            row, entry = np.argwhere(~fine)[0]
            high = float(np.broadcast_to(whole.high, len(whole.place))[entry])
            index = whole.place[entry] - _field_offset(model, whole.name)
            raise StateError(
                f"{whole.name}[{index}] of this state is "
                f"{values[row, entry]:g}: expected an integer from {whole.low:g} to {high:g}"
            )
        if whole.name == "tree_asleep":
            _check_sleep_cycles(values)


def _check_sleep_cycles(asleep: np.ndarray) -> None:
    """tree_asleep links sleeping trees in cycles, so none of them may point to one awake."""
    sleeps = asleep >= 0
    after = np.where(sleeps, asleep, 0).astype(np.int64)
    lost = sleeps & ~np.take_along_axis(sleeps, after, axis=1)
    if lost.any():
        row, tree = np.argwhere(lost)[0]
        raise StateError(
            f"tree_asleep[{tree}] of this state is {asleep[row, tree]:g}: that tree is awake, and "
            "an entry of a sleeping tree must be another sleeping tree"
        )


def _field_offset(model: Model, name: str) -> int:
    """Offset of a field in state vectors."""
    start = 0
    for field in KEPT_FIELDS:
        if field.name == name:
            break
        start += field.count_for(model._store.sizes)
    return start


def _integer_entries(model: Model) -> Iterator[IntegerEntries]:
    """Integer entries of the states of a model."""
    most = {
        "eq_active": (0.0, 1.0),
        "tree_asleep": (FULLY_AWAKE, model.ntree - 1.0),
        "noise": (0.0, MAX_DRAW),
        "softhold_geom": (0.0, float(model.ngeom)),
    }
    start = 0
    for field in KEPT_FIELDS:
        count = field.count_for(model._store.sizes)
        if count and field.name in most:
            yield IntegerEntries(field.name, np.arange(start, start + count), *most[field.name])
        if count and field.name == "history":
            yield _history_cursors(model, start)
        start += count


def _history_cursors(model: Model, start: int) -> IntegerEntries:
    """Cursors of histories (index of the newest sample): the second number of each buffer."""
    kept = [
        (model.actuator_historyadr, model.actuator_history[:, 0]),
        (model.sensor_historyadr, model.sensor_history[:, 0]),
    ]
    place = np.concatenate([address[count > 0] for address, count in kept])
    samples = np.concatenate([count[count > 0] for _, count in kept])
    return IntegerEntries("history", start + 1 + place, 0.0, samples - 1.0)
