"""Arrays of Model fields from objects, in the type and width of the field table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from cortenforge.fields import MODEL_FIELDS

Object = TypeVar("Object")
Arrays = dict[str, np.ndarray]

MODEL_FIELDS_BY_NAME = {field.name: field for field in MODEL_FIELDS}


def arrays_of_objects(
    objects: Iterable[Object], values: Mapping[str, Callable[[Object], Any]]
) -> Arrays:
    """Arrays by name of the field, with one number or row for each object."""
    found = list(objects)
    return {name: field_array(name, map(value, found)) for name, value in values.items()}


def field_array(name: str, values: Iterable[Any]) -> np.ndarray:
    """The array of one field from its numbers or rows."""
    return np.array(list(values), MODEL_FIELDS_BY_NAME[name].dtype).reshape(-1, *_row_shape(name))


def concatenated_field(name: str, parts: Iterable[Any]) -> np.ndarray:
    """The array of one field, concatenated from parts."""
    row, dtype = _row_shape(name), MODEL_FIELDS_BY_NAME[name].dtype
    whole = [np.zeros((0, *row), dtype), *(np.reshape(part, (-1, *row)) for part in parts)]
    return np.concatenate(whole).astype(dtype, copy=False)


def block_addresses(counts: Sequence[int] | np.ndarray, *, optional: bool = False) -> np.ndarray:
    """Addresses of consecutive blocks of given lengths; `optional`: -1 for empty ones."""
    count = np.array(counts, np.int64)
    first = np.cumsum(count) - count
    return np.where(optional & (count == 0), -1, first).astype(np.int32)


def no_references(name: str, count: int) -> np.ndarray:
    """An array of -1: no object refers to anything."""
    return np.full(count, -1, MODEL_FIELDS_BY_NAME[name].dtype)


def row_width(name: str) -> int:
    """How many numbers an object has in an array."""
    return int(np.prod(_row_shape(name)))


def _row_shape(name: str) -> tuple[int, ...]:
    """The shape of what one object has in an array."""
    return tuple(int(extent) for extent in MODEL_FIELDS_BY_NAME[name].shape[1:])
