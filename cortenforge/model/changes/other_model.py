"""Another model for a Data: one of the same structure, such as a copy with other masses.

Two models have the same structure if their sizes and their fixed fields are equal: integers that
cannot be changed after a model is loaded, such as types, parents and addresses. Then every array of
a Data has the same shape and the same meaning for both. Reals, options, and integers that users may
write, may differ.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.model.changes.watch import WATCHED_FIELDS

if TYPE_CHECKING:
    from cortenforge.model.model import Model

FIXED_FIELDS = tuple(field.name for field in WATCHED_FIELDS if field.fixed)
#: digests of structures: a model keeps its structure as long as it lives
_structures: WeakKeyDictionary[Model, bytes] = WeakKeyDictionary()


def check_same_structure(given: Model, model: Model) -> None:
    """Raise ArgumentError, with the first difference, if two models differ in structure."""
    if _structure(given) != _structure(model):
        found = _difference(given, model)
        raise ArgumentError(
            f"model: expected one of the same structure as this Data's, but {found}; make a Data "
            "of it (model.make_data())"
        )


def _structure(model: Model) -> bytes:
    """Digest of the structure of a model."""
    found = _structures.get(model)
    if found is None:
        store = model._store
        content = hashlib.sha256(repr(sorted(store.sizes.items())).encode())
        for name in FIXED_FIELDS:
            content.update(store.arrays[name].tobytes())
        found = _structures[model] = content.digest()
    return found


def _difference(given: Model, model: Model) -> str:
    """The first difference of two structures, in words."""
    theirs, own = given._store, model._store
    for size, count in own.sizes.items():
        if theirs.sizes[size] != count:
            return f"its {size} is {theirs.sizes[size]}, not {count}"
    for name in FIXED_FIELDS:
        here = np.argwhere(theirs.arrays[name] != own.arrays[name])
        if len(here):
            at = tuple(here[0].tolist())
            place = "".join(f"[{i}]" for i in at)
            return f"its {name}{place} is {theirs.arrays[name][at]}, not {own.arrays[name][at]}"
    raise AssertionError("equal structures have equal digests")
