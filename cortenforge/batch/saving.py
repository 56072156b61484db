"""A batch on disk: states, inputs and parameters of all worlds, every bit of them."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ShapeError, StateError

if TYPE_CHECKING:
    from cortenforge.batch.batch import BatchSim

FORMAT = 1
#: how names of parameters begin in a file
OWN = "parameter "


def save(batch: BatchSim, path: str | os.PathLike[str]) -> None:
    """Write a plain npz file."""
    arrays: dict[str, Any] = {
        "format": np.int64(FORMAT),
        "states": batch.get_states(),
        "model_hash": np.array(batch.model.hash),
    }
    arrays |= {OWN + name: values for name, values in batch.parameters.items()}
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def load(batch: BatchSim, path: str | os.PathLike[str]) -> None:
    """Take what `save` wrote; nothing changes if it does not fit."""
    content = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        found, model_hash = int(arrays["format"]), str(arrays["model_hash"])
        states = arrays["states"]
    except Exception as error:  # readers of damaged archives raise whatever comes up
        raise StateError(f"{path}: not a saved batch: {error}") from error
    if found != FORMAT:
        raise StateError(f"{path}: batch format {found}, expected {FORMAT}")
    if model_hash != batch.model.hash:
        raise StateError(f"{path}: this batch was saved from another model")
    if states.shape != batch.get_states().shape:
        raise ShapeError(f"{path}: has states {states.shape}, not {batch.get_states().shape}")
    own = {name.removeprefix(OWN): arrays[name] for name in arrays if name.startswith(OWN)}
    batch.expand(*own)
    for name, values in own.items():
        batch.parameters[name] = values
    batch.set_states(states)
