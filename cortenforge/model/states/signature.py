"""Parts of a state by MuJoCo's signature: a sum of bits, one for each field (`mjtState`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.model.states.integer_entries import KEPT_FIELDS, check_integer_entries
from cortenforge.model.states.state import STATE_FIELD_NAMES, current_state

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: fields in the order of their bits; the state of plugins is always empty
SIGNATURE_FIELDS = (
    *("time", "qpos", "qvel", "act", "history", "qacc_warmstart"),
    *("ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata"),
    *("", "plastic"),
)
#: fields with integers that kernels use as indices, or as conditions
CHECKED_FIELDS = ("history", "eq_active")

FIELD_OF = {field.name: field for field in KEPT_FIELDS}

#: a part of a vector, and the array that it is copied from or to
Piece = tuple[slice, np.ndarray]


def signature_fields(signature: int) -> list[str]:
    """Names of the fields of a signature, in order; ArgumentError for one that MuJoCo refuses."""
    if not 0 <= signature < 1 << len(SIGNATURE_FIELDS):
        raise ArgumentError(
            f"signature: expected a sum of mjtState, from 0 to {(1 << len(SIGNATURE_FIELDS)) - 1}, "
            f"got {signature!r}"[:200]
        )
    named = enumerate(SIGNATURE_FIELDS)
    return [name for bit, name in named if name and int(signature) >> bit & 1]


def state_size(model: Model, signature: int) -> int:
    """Length of the vector of a signature.  As `mj_stateSize`."""
    sizes = model._store.sizes
    return sum(FIELD_OF[name].count_for(sizes) for name in signature_fields(signature))


def state_pieces(data: Data, signature: int) -> list[Piece]:
    """What a vector of a signature is made of; fields that are neighbours in memory are joined."""
    store = data._store
    pieces: list[tuple[int, np.ndarray]] = []
    first, end = 0, -1
    for name in signature_fields(signature):
        array = store.arrays[name]
        if not array.size:
            continue
        start = array.ctypes.data
        if pieces and start == end:
            count = len(pieces[-1][1]) + array.size
            before = pieces[-1][1].ctypes.data - store.arena.ctypes.data
            pieces[-1] = pieces[-1][0], np.ndarray((count,), np.float64, store.arena, before)
        else:
            pieces.append((first, array.reshape(-1)))
        # arrays of another owner are not joined
        inside = name not in store.given
        end = start + array.nbytes if inside else -1
        first += array.size
    return [(slice(at, at + len(view)), view) for at, view in pieces]


def read_pieces(data: Data, signature: int, vector: np.ndarray) -> None:
    """Write the fields of a signature into a vector of the right length.  As `mj_getState`."""
    for at, view in data._pieces(signature):
        vector[at] = view


def write_pieces(data: Data, signature: int, vector: np.ndarray) -> None:
    """Set the fields of a signature from a vector.  As `mj_setState`.

    StateError, and nothing is changed, if the vector has integers that are none.
    """
    pieces = data._pieces(signature)
    model = data.model
    if model.nhistory or model.neq:
        _check_integers(data, signature, vector)
    for at, view in pieces:
        view[:] = vector[at]
    # what is cached of sleeping trees belongs to the old state
    data._store.arrays["tree_kept"].fill(0)


def _check_integers(data: Data, signature: int, vector: np.ndarray) -> None:
    """Raise StateError if fields with integers would get others than they may have."""
    names = signature_fields(signature)
    if not set(names) & set(CHECKED_FIELDS):
        return
    whole = current_state(data).vector
    sizes = {name: data._store.arrays[name].size for name in STATE_FIELD_NAMES}
    ends = dict(zip(sizes, np.cumsum(list(sizes.values())).tolist(), strict=True))
    first = 0
    for name in names:
        whole[ends[name] - sizes[name] : ends[name]] = vector[first : first + sizes[name]]
        first += sizes[name]
    check_integer_entries(data.model, whole)
