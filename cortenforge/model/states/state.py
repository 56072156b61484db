"""Saved states: one vector of state and inputs, with the hash of its model."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import StateError
from cortenforge.model.states.archive import open_archive, write_archive
from cortenforge.model.states.integer_entries import KEPT_FIELDS, check_integer_entries

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

STATE_FORMAT = 1
#: fields of a state vector, in this order
STATE_FIELD_NAMES = tuple(field.name for field in KEPT_FIELDS)
#: bytes that a file may have beyond the vector
FILE_OVERHEAD = 2**20


@dataclass(frozen=True)
class State:
    """A state vector and the model it belongs to."""

    vector: np.ndarray
    model_hash: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.vector, dtype=dtype, copy=True if copy is None else copy)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a plain npz file; an existing file is replaced atomically.

        path: an npz file.
        """
        arrays = {
            "format": np.int64(STATE_FORMAT),
            "vector": self.vector,
            "model_hash": np.array(self.model_hash),
        }
        write_archive(path, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> State:
        """Read a file that `save` wrote; never unpickles anything.

        path: an npz file that `save` wrote.

        Raises StateError for a file that is damaged or something else, OSError for one that
        cannot be read.
        """
        return read_state(path)


def read_state(path: str | os.PathLike[str], model: Model | None = None) -> State:
    """Read a saved state; model: the one it must belong to, checked before data is read."""
    length = None if model is None else state_length(model)
    most = None if length is None else 8 * length + FILE_OVERHEAD
    with open_archive(path, "a saved state", most) as file:
        found, model_hash = file.number("format"), file.text("model_hash")
        if found != STATE_FORMAT:
            raise StateError(f"{path}: state format {found}, expected {STATE_FORMAT}")
        if model is not None:
            _check_model_hash(model_hash, model.hash)
        vector = file.array("vector", None if length is None else (length,))
    return State(_real_vector(vector), model_hash)


def state_length(model: Model) -> int:
    """Length of the state vectors of a model, with inputs."""
    return sum(field.count_for(model._store.sizes) for field in KEPT_FIELDS)


def _real_vector(vector: Any) -> np.ndarray:
    """A state vector as an array of reals; StateError for other types."""
    try:
        array = np.asarray(vector)
    except ValueError as error:
        raise StateError(f"expected a vector of real numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        raise StateError(f"expected a vector of real numbers, got an array of {array.dtype}")
    return array.astype(np.float64)


def vector_for(state: Any, model_hash: str) -> np.ndarray:
    """The vector of a state, or rows of several; StateError if a State is another model's."""
    if not isinstance(state, State):
        return _real_vector(state)
    _check_model_hash(state.model_hash, model_hash)
    return _real_vector(state.vector)


def _check_model_hash(found: str, model_hash: str) -> None:
    if found != model_hash:
        raise StateError(
            "this state belongs to another model "
            f"(hash {found[:12]}, this model's is {model_hash[:12]})"
        )


def current_state(data: Data) -> State:
    """The state of a Data."""
    arrays = data._store.arrays
    vector = np.concatenate([arrays[name].reshape(-1) for name in STATE_FIELD_NAMES])
    return State(vector, data.model.hash)


def restore_state(data: Data, state: State | np.ndarray) -> None:
    """Restore a state; nothing is changed if it is invalid."""
    vector = vector_for(state, data.model.hash)
    arrays = data._store.arrays
    length = sum(arrays[name].size for name in STATE_FIELD_NAMES)
    if vector.shape != (length,):
        raise StateError(f"expected a state vector of shape ({length},), got {vector.shape}")
    check_integer_entries(data.model, vector)
    start = 0
    for name in STATE_FIELD_NAMES:
        array = arrays[name]
        array[...] = vector[start : start + array.size].reshape(array.shape)
        start += array.size
    # what is cached of sleeping trees belongs to the old state
    data._store.assign("tree_kept", 0)


def digest(data: Data) -> str:
    """Hash of a state: the model and every bit of the vector."""
    state = current_state(data)
    content = hashlib.sha256(state.model_hash.encode())
    content.update(np.ascontiguousarray(state.vector).tobytes())
    return content.hexdigest()
