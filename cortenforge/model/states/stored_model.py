"""A Model as a description, which JSON can hold, and the bytes of its memory.

Fields of meshes, which are most of it, can be left out where they are stored elsewhere. For files
that only this version of the package reads (`model_cache`). Nothing in them is executed; what does
not describe a model raises ValueError.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cortenforge.errors import ModelError, ShapeError
from cortenforge.fields import MODEL_CAPACITIES, MODEL_FIELDS, Field
from cortenforge.model.access.store import ArenaPlan, front_word_count
from cortenforge.model.access.visual import Visual
from cortenforge.model.changes.hulls import HULL_FIELDS, hull_arrays
from cortenforge.model.changes.static_geoms import PLACEMENT_FIELDS
from cortenforge.model.changes.watch import WATCHED_FIELDS, check_integers
from cortenforge.model.model import Model, new_model_store
from cortenforge.model.states.pickling import field_fingerprint, packed_bytes, unpack_bytes

#: fields with a capacity, which have memory of their own
GROWING = tuple(f for f in MODEL_FIELDS if set(f.shape) & set(MODEL_CAPACITIES))
#: all dimensions of fields that have a name
DIMENSIONS = frozenset(n for field in MODEL_FIELDS for n in field.shape if isinstance(n, str))
#: the key of visual settings that are arrays, by their element type
ARRAY = "array"

Description = dict[str, Any]


@functools.cache
def _fields() -> str:
    """Fingerprint of the fields of this version."""
    return field_fingerprint(MODEL_FIELDS)


def storable(model: Model) -> bool:
    """Whether a model consists of numbers and names: deformables and callbacks are objects."""
    functions = model.callbacks._functions().values()
    return not (model._softs or model._differing or any(one is not None for one in functions))


def described_model(
    model: Model, apart: Iterable[str] = ()
) -> tuple[Description, list[bytes | memoryview]]:
    """(description, memory in parts) of a model; memory is not copied.

    apart: fields of meshes that are left out; so are those of hulls, which follow from them.
    """
    store = model._store
    apart = _with_hulls(apart)
    parts = [store.arena[start:end].data for start, end in _kept_ranges(store.plan.fixed, apart)]
    description = {
        "fields": _fields(),
        "all_sizes": _integers(store.sizes),
        "capacities": _integers(store.capacities),
        "sizes": _integers(model.sizes),
        "arena": len(store.arena),
        "names": model.names,
        "vis": _plain_settings(model.vis.settings()),
        "hash": model.hash,
    }
    return description, [*parts, packed_bytes(store, GROWING)]


def restored_model(
    described: Any, memory: memoryview, apart: dict[str, np.ndarray] | None = None
) -> Model:
    """The model of a description and its memory, which is copied; ValueError for anything else.

    apart: the fields of meshes that were left out; those of hulls are added to it.
    """
    given = {} if apart is None else apart
    try:
        left_out = _with_hulls(given)
        _check_description(described, len(memory), left_out)
        store = new_model_store(described["all_sizes"], described["capacities"])
        start = 0
        for first, last in _kept_ranges(store.plan.fixed, left_out):
            end = start + last - first
            store.arena[first:last] = np.frombuffer(memory[start:end], np.uint8)
            start = end
        unpack_bytes(store, GROWING, memory[start:])
        for name, array in given.items():
            store.assign(name, array)
        if left_out > given.keys():
            for name, array in hull_arrays(store.arrays).items():
                store.assign(name, array)
                given[name] = array.astype(store.arrays[name].dtype, copy=False)
        names = {kind: list(listed) for kind, listed in described["names"].items()}
        vis = Visual(_settings(described["vis"]))
        model = Model.__new__(Model)
        model._take_up(store, described["sizes"], names, vis, ())
        model.__dict__["hash"] = described["hash"]
        check_integers(model)
    except (LookupError, TypeError, AttributeError, ShapeError, ModelError) as error:
        raise ValueError(f"not a stored model: {error}") from error
    return model


def _with_hulls(apart: Iterable[str]) -> frozenset[str]:
    found = frozenset(apart)
    return found | set(HULL_FIELDS) if found else found


def _kept_ranges(plan: ArenaPlan, apart: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Ranges of an arena, (first, end) bytes, without some fields."""
    gaps = sorted((plan.places[name][2], plan.nbytes_of(name)) for name in apart)
    first = 0
    for start, count in gaps:
        yield first, start
        first = start + count
    yield first, plan.nbytes


def _integers(sizes: Mapping[str, int]) -> dict[str, int]:
    return {name: int(size) for name, size in sizes.items()}


def _plain_settings(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        group: {
            name: {ARRAY: value.dtype.str, "values": value.tolist()}
            if isinstance(value, np.ndarray)
            else value
            for name, value in settings.items()
        }
        for group, settings in groups.items()
    }


def _settings(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        group: {
            name: np.array(value["values"], value[ARRAY]) if isinstance(value, dict) else value
            for name, value in settings.items()
        }
        for group, settings in groups.items()
    }


def _check_description(described: Any, count: int, apart: frozenset[str]) -> None:
    """Raise ValueError if a description does not fit the fields, or a number of bytes."""
    if described["fields"] != _fields():
        raise ValueError("other fields")
    sizes = {**described["all_sizes"], **described["capacities"]}
    numbers = (*sizes.values(), *described["sizes"].values(), described["arena"])
    if not all(type(number) is int for number in numbers):
        raise ValueError("sizes are no integers")
    if described["capacities"].keys() != set(MODEL_CAPACITIES):
        raise ValueError("other capacities")
    if any(not 0 <= sizes[name] < 2**31 for name in DIMENSIONS):
        raise ValueError("sizes out of range")
    front = {
        "nwatched": front_word_count(WATCHED_FIELDS, sizes),
        "nfront": front_word_count((*WATCHED_FIELDS, *PLACEMENT_FIELDS), sizes),
    }
    if any(sizes[name] != size for name, size in front.items()):
        raise ValueError("other watched fields")
    without = [field for field in MODEL_FIELDS if field.name in apart]
    known = described["arena"] - _byte_count(without, sizes) + _byte_count(GROWING, sizes)
    if known != count:
        raise ValueError("memory of other sizes")
    for kind, names in described["names"].items():
        if not isinstance(names, list) or not all(isinstance(one, str) for one in [kind, *names]):
            raise ValueError("names are no texts")
    if not isinstance(described["hash"], str):
        raise ValueError("the hash is no text")


def _byte_count(fields: Iterable[Field], sizes: Mapping[str, int]) -> int:
    return sum(field.count_for(sizes) * field.dtype.itemsize for field in fields)
