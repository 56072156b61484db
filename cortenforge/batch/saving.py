"""A batch on disk: states, inputs and parameters of all worlds, every bit of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.batch.memory import DIFFERING
from cortenforge.errors import ShapeError, StateError
from cortenforge.model.states.archive import Archive, open_archive, write_archive
from cortenforge.model.states.integer_entries import check_integer_entries
from cortenforge.model.states.state import FILE_OVERHEAD, state_length

if TYPE_CHECKING:
    from cortenforge.batch.worlds import Worlds

FORMAT = 1
#: how names of parameters begin in a file
OWN = "parameter "


def save(batch: Worlds, path: str | os.PathLike[str]) -> None:
    """Write a plain npz file; one that was there is replaced whole or not at all."""
    arrays: dict[str, Any] = {
        "format": np.int64(FORMAT),
        "states": batch.get_states(),
        "model_hash": np.array(batch.model.hash),
    }
    arrays |= {OWN + name: values for name, values in batch.parameters.items()}
    write_archive(path, arrays)


def load(batch: Worlds, path: str | os.PathLike[str]) -> None:
    """Take what `save` wrote; nothing changes if it does not fit."""
    with open_archive(path, "a saved batch", _most(batch)) as file:
        found, model_hash = file.number("format"), file.text("model_hash")
        if found != FORMAT:
            raise StateError(f"{path}: batch format {found}, expected {FORMAT}")
        if model_hash != batch.model.hash:
            raise StateError(f"{path}: this batch was saved from another model")
        shape = (batch.n, state_length(batch.model))
        if file.shape("states") != shape:
            raise ShapeError(f"{path}: has states {file.shape('states')}, not {shape}")
        states = file.array("states", shape)
        own = _parameters(batch, file, path)
    check_integer_entries(batch.model, np.asarray(states, np.float64))
    batch.expand(*own)
    for name, values in own.items():
        batch.parameters[name] = values
    batch.set_states(states)


def _parameters(
    batch: Worlds, file: Archive, path: str | os.PathLike[str]
) -> dict[str, np.ndarray]:
    """Parameters of worlds that a file has; raises StateError for what can be none."""
    fields = {field.name: field for field in DIFFERING}
    found = {}
    for key in file.names():
        name = key.removeprefix(OWN)
        if key == name:
            continue
        if name not in fields:
            raise StateError(f"{path}: {name} is not a field of Model that worlds can have")
        shape = (batch.n, *fields[name].shape_for(batch.model._store.sizes))
        found[name] = file.array(key, shape)
    return found


def _most(batch: Worlds) -> int:
    """Bytes that a file of a batch has at most: when worlds differ in all that they can."""
    sizes = batch.model._store.sizes
    numbers = state_length(batch.model) + sum(field.count_for(sizes) for field in DIFFERING)
    return 8 * batch.n * numbers + FILE_OVERHEAD
