"""States that can be kept: one vector of state and inputs, with the hash of its model."""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import StateError
from cortenforge.fields import DATA_FIELDS

if TYPE_CHECKING:
    from cortenforge.model.data import Data

FORMAT = 1
#: what a state holds, in this order; warm start and inputs are part of it
KEPT = tuple(field.name for field in DATA_FIELDS if field.role in ("state", "input"))


@dataclass(frozen=True)
class State:
    """A state vector and the model it belongs to."""

    vector: np.ndarray
    model_hash: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.vector, dtype=dtype, copy=True if copy is None else copy)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a plain npz file."""
        with open(path, "wb") as file:
            np.savez(
                file,
                format=np.int64(FORMAT),
                vector=self.vector,
                model_hash=np.array(self.model_hash),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> State:
        """Read a file that `save` wrote; never unpickles anything.

        Raises StateError for a file that is damaged or something else, OSError for one that
        cannot be read.
        """
        content = Path(path).read_bytes()
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                found, vector = int(file["format"]), file["vector"]
                model_hash = str(file["model_hash"])
        except Exception as error:  # readers of damaged archives raise whatever comes up
            raise StateError(f"{path}: not a saved state: {error}") from error
        if found != FORMAT:
            raise StateError(f"{path}: state format {found}, expected {FORMAT}")
        return cls(_reals(vector), model_hash)


def _reals(vector: Any) -> np.ndarray:
    """A state vector as an array; numbers that are not real would lose a part."""
    try:
        array = np.asarray(vector)
    except ValueError as error:
        raise StateError(f"expected a vector of real numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        raise StateError(f"expected a vector of real numbers, got an array of {array.dtype}")
    return array.astype(np.float64)


def vector_for(state: Any, model_hash: str) -> np.ndarray:
    """The numbers of a state, or of several; raises if a State is another model's."""
    if not isinstance(state, State):
        return _reals(state)
    if state.model_hash != model_hash:
        raise StateError(
            "this state was taken from another model "
            f"(hash {state.model_hash[:12]}, this model's is {model_hash[:12]})"
        )
    return _reals(state.vector)


def take(data: Data) -> State:
    """The state of a Data."""
    arrays = data._store.arrays
    vector = np.concatenate([arrays[name].reshape(-1) for name in KEPT])
    return State(vector, data.model.hash)


def restore(data: Data, state: State | np.ndarray) -> None:
    """Put a state back; nothing changes if it does not fit."""
    vector = vector_for(state, data.model.hash)
    arrays = data._store.arrays
    length = sum(arrays[name].size for name in KEPT)
    if vector.shape != (length,):
        raise StateError(f"expected a state vector of shape ({length},), got {vector.shape}")
    start = 0
    for name in KEPT:
        array = arrays[name]
        array[...] = vector[start : start + array.size].reshape(array.shape)
        start += array.size
    # what was worked out for sleepers was worked out for others
    data.tree_kept[:] = 0


def digest(data: Data) -> str:
    """Hash of a state: the model and every bit of the vector."""
    state = take(data)
    content = hashlib.sha256(state.model_hash.encode())
    content.update(np.ascontiguousarray(state.vector).tobytes())
    return content.hexdigest()
