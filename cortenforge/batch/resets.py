"""Rows of worlds that begin: the model's initial state, a keyframe, given states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cortenforge.batch.assign import real_numbers, rows_of_worlds
from cortenforge.batch.memory import Rows
from cortenforge.enums import Enable
from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.model import Data, Model
from cortenforge.model.access.views import object_id
from cortenforge.model.states.integer_entries import check_integer_entries
from cortenforge.model.states.keyframes import KEYFRAME_FIELDS

SLEEP = int(Enable.SLEEP)
#: fields of the model from which `model.states.initial` computes the initial state
SOURCES = (
    "qpos0",
    "eq_active0",
    "opt_timestep",
    "qpos_spring",
    "tendon_lengthspring",
    "body_pos",
    "body_quat",
    "actuator_gaintype",
    "sensor_interval",
)


class InitialRow:
    """State and inputs of a world after a reset, as a row of a batch.

    It is computed by a reset of a Data, which takes some ten times as long as to compare the fields
    of the model that it depends on. Trees that begin asleep depend on more: it is computed anew.
    """

    def __init__(self, model: Model, rows: Rows, fresh: Data) -> None:
        self._model, self._rows, self._fresh = model, rows, fresh
        arrays = model._store.arrays
        # of most models, only qpos0 matters
        names = SOURCES if model._initial_writers else SOURCES[:1]
        self._sources = [arrays[name] for name in names]
        self._enabled = arrays["opt_enableflags"]
        self._seen: list[bytes] = []
        self._row = np.zeros(rows.table.shape[1])

    def current(self) -> np.ndarray:
        """The row, for the model as it is now."""
        now = [source.tobytes() for source in self._sources]
        if now != self._seen or self._enabled.item() & SLEEP:
            self._fresh.reset()
            for name, columns in self._rows.columns.items():
                self._row[columns] = np.ravel(getattr(self._fresh, name))
            self._seen = now
        return self._row


def write_keyframe(model: Model, rows: Rows, worlds: Any, key: str | int) -> None:
    """Write time, state, controls and mocap poses of a keyframe into the rows of some worlds."""
    number = object_id(model, "key", key)
    for name, field in KEYFRAME_FIELDS.items():
        view = rows.views[field]
        view[worlds] = model._store.arrays[f"key_{name}"][number].reshape(view.shape[1:])


def given_rows(rows: Rows, worlds: np.ndarray, given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Rows of fields for some worlds, by name; those that are None are left out."""
    return {
        name: rows_of_worlds(real_numbers(name, value), name, rows.views[name].shape, worlds)
        for name, value in given.items()
        if value is not None
    }


def given_states(
    model: Model,
    rows: Rows,
    worlds: np.ndarray,
    vectors: np.ndarray,
    rng: np.random.Generator | None,
) -> np.ndarray:
    """State vectors for some worlds: theirs of those for all, or drawn from any number of them."""
    n, size = rows.table.shape
    if rng is None:
        found = rows_of_worlds(vectors, "states", (n, size), worlds)
        check_integer_entries(model, found.reshape(-1, size))
        return found
    table = vectors.reshape(1, -1) if vectors.ndim == 1 else vectors
    if table.ndim != 2 or table.shape[1] != size or not len(table):
        raise ShapeError(f"states: expected an array of shape (any, {size}), got {vectors.shape}")
    check_integer_entries(model, table)
    drawn: np.ndarray = table[rng.integers(len(table), size=len(worlds))]
    return drawn


def check_generator(rng: Any) -> None:
    """Raise for what draws no states."""
    if not isinstance(rng, np.random.Generator):
        raise ArgumentError(f"rng: expected a numpy.random.Generator, got {rng!r}"[:300])
