"""Pickles and copies of Model and Data: the bytes of their fields, one after another.

A pickle is for trusted places, such as workers of a program: loading one can run any code. For
files there are `save` and `load`, which only read numbers.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError, StateError
from cortenforge.fields import MODEL_FIELDS, Field
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.model.access.store import Store
from cortenforge.model.states.world_parameters import WorldModelBlock

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: packages that pickle functions by value, and not by name
VALUE_PICKLERS = ("cloudpickle", "ray.cloudpickle", "dill")
#: the copy of the watched fields at the last refresh; nearly always equal to them
WATCHED_COPY = "watched_seen"
PICKLED_MODEL_FIELDS = tuple(
    f for f in MODEL_FIELDS if "alias" not in f.marks and f.name != WATCHED_COPY
)


def pickled_data_fields(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Fields of a Data that are pickled: all but scratch and aliases."""
    return tuple(f for f in fields if f.role != "scratch" and "alias" not in f.marks)


def packed_bytes(store: Store, fields: Iterable[Field]) -> bytes:
    """The bytes of some fields, concatenated."""
    return b"".join(store.arrays[field.name].tobytes() for field in fields)


def unpack_bytes(store: Store, fields: Iterable[Field], packed: bytes | memoryview) -> None:
    """Restore fields from concatenated bytes."""
    start = 0
    for field in fields:
        array = store.arrays[field.name]
        if array.nbytes:
            found = np.frombuffer(packed, array.dtype, array.size, start)
            array[...] = found.reshape(array.shape)
        start += array.nbytes


def field_fingerprint(fields: tuple[Field, ...]) -> str:
    """A hash of a field table, which may differ between versions of this package."""
    return _fingerprint(fields)


@functools.cache
def _fingerprint(fields: tuple[Field, ...]) -> str:
    rows = ((field.name, field.kind, field.shape) for field in fields)
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()[:16]


def check_field_fingerprint(kind: str, found: str, fields: tuple[Field, ...]) -> None:
    """Raise StateError for a pickle with another field table."""
    if found != field_fingerprint(fields):
        raise StateError(
            f"this {kind} was pickled by another version of CortenForge, with other fields: "
            "pickles are for processes that run the same one; keep MJCF, and states by save"
        )


def model_state(model: Model) -> dict[str, Any]:
    """The pickled state of a model as it is now, with edits in place."""
    store = model._store
    changed = model.watched_seen.tobytes() != model.watched_now.tobytes()
    return {
        "fields": field_fingerprint(PICKLED_MODEL_FIELDS),
        "all_sizes": store.sizes,
        "capacities": store.capacities,
        "packed": packed_bytes(store, PICKLED_MODEL_FIELDS),
        WATCHED_COPY: model.watched_seen.copy() if changed else None,
        "sizes": model.sizes,
        "names": model.names,
        "vis": model.vis.settings(),
        "hash": model.hash,
        "softs": model._softs,
        "differing": model._differing,
        "callbacks": {k: f for k, f in model.callbacks._functions().items() if f is not None},
    }


def data_state(data: Data) -> dict[str, Any]:
    """The pickled state of a Data: model, visible fields, capacities, own parameters."""
    fields = pickled_data_fields(data._engine.fields)
    own = data._parameters
    return {
        "fields": field_fingerprint(fields),
        "model": data.model,
        "engine": data._engine,
        "capacities": data._store.capacities,
        "packed": packed_bytes(data._store, fields),
        "parameters": None if own is None else {n: a.copy() for n, a in own.arrays.items()},
    }


def restore_data(data: Data, state: dict[str, Any]) -> None:
    """Initialize a Data from its pickled state."""
    engine, own = state["engine"], state["parameters"]
    fields = pickled_data_fields(engine.fields)
    check_field_fingerprint("Data", state["fields"], fields)
    model = state["model"]
    data._begin(model, engine, None, None if own is None else WorldModelBlock(model, own))
    data._store.resize(state["capacities"])
    unpack_bytes(data._store, fields, state["packed"])


class Picklable:
    """Base of objects that can be pickled and copied, by `_state` and `__setstate__`."""

    def copy(self) -> Any:
        """Another one in the same state."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        raise NotImplementedError

    def __setstate__(self, state: dict[str, Any]) -> None:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return self._state()

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        twin = type(self).__new__(type(self))
        # before its state, which may lead back to it
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy(self._state(), memo))
        return twin


def check_picklable_callbacks(functions: dict[str, Callable[..., Any]]) -> None:
    """Raise for functions that pickle cannot find by name: lambdas and nested functions."""
    if any(package in sys.modules for package in VALUE_PICKLERS):
        return  # whoever pickles may be able to
    for name, function in functions.items():
        inner = function.func if isinstance(function, functools.partial) else function
        if isinstance(inner, (FunctionType, Kernel)) and not _is_importable(inner):
            raise ArgumentError(
                f"callbacks.{name}: {inner!r} cannot be pickled, since no module has it by name: "
                "define it at the top of a module, or clear it and set it again in the worker"
            )


def _is_importable(function: Any) -> bool:
    """Whether importing a function by its qualified name gives the function."""
    found: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is function
