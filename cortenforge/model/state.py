"""States that can be kept: one vector of state and inputs, with the hash of its model."""

from __future__ import annotations

import hashlib
import os
import zipfile
from dataclasses import dataclass
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
        """Read a file that `save` wrote; never unpickles anything."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if int(file["format"]) != FORMAT:
                    raise StateError(f"{path}: state format {file['format']}, expected {FORMAT}")
                return cls(np.array(file["vector"], np.float64), str(file["model_hash"]))
        except (KeyError, ValueError, EOFError, zipfile.BadZipFile, AttributeError) as error:
            if isinstance(error, StateError):
                raise
            raise StateError(f"{path}: not a saved state: {error}") from error


def take(data: Data) -> State:
    """The state of a Data."""
    arrays = data._store.arrays
    vector = np.concatenate([arrays[name].reshape(-1) for name in KEPT])
    return State(vector, data.model.hash)


def restore(data: Data, state: State | np.ndarray) -> None:
    """Put a state back; nothing changes if it does not fit."""
    if isinstance(state, State):
        if state.model_hash != data.model.hash:
            raise StateError(
                "this state was taken from another model "
                f"(hash {state.model_hash[:12]}, this model's is {data.model.hash[:12]})"
            )
        vector = state.vector
    else:
        vector = np.asarray(state, np.float64)
    arrays = data._store.arrays
    length = sum(arrays[name].size for name in KEPT)
    if vector.shape != (length,):
        raise StateError(f"expected a state vector of shape ({length},), got {vector.shape}")
    start = 0
    for name in KEPT:
        array = arrays[name]
        array[...] = vector[start : start + array.size].reshape(array.shape)
        start += array.size


def digest(data: Data) -> str:
    """Hash of a state: the model and every bit of the vector."""
    state = take(data)
    content = hashlib.sha256(state.model_hash.encode())
    content.update(np.ascontiguousarray(state.vector).tobytes())
    return content.hexdigest()
