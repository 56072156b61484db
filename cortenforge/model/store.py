"""Memory of a Model or a Data: one aligned arena, NumPy views into it, and a block for kernels.

This is the only place that makes blocks. A block holds addresses, and an address does not keep its
array alive, so the arena lives exactly as long as the object that owns the block.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cortenforge.errors import ShapeError
from cortenforge.fields import Field
from cortenforge.kernel.language.layout import StructLayout

#: a cache line; also what the widest vector loads want
ALIGNMENT = 64


def _rounded(count: int) -> int:
    return -(-count // ALIGNMENT) * ALIGNMENT


class Store:
    """Arrays for the rows of a field table."""

    def __init__(
        self,
        fields: Iterable[Field],
        layout: StructLayout,
        sizes: Mapping[str, int],
        given: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """`given` arrays, which must be contiguous, are used in place of own memory."""
        rows = [(field, field.shape_for(sizes)) for field in fields]
        starts, total = [], 0
        for field, shape in rows:
            starts.append(total)
            total += _rounded(max(1, math.prod(shape)) * field.dtype.itemsize)
        raw = np.zeros(total + ALIGNMENT, np.uint8)
        skip = -raw.ctypes.data % ALIGNMENT
        self.arena = raw[skip : skip + total]
        self.arrays: dict[str, np.ndarray] = {}
        addresses: dict[str, int] = {}
        first = self.arena.ctypes.data
        for (field, shape), start in zip(rows, starts, strict=True):
            self.arrays[field.name] = np.ndarray(shape, field.dtype, self.arena, start)
            addresses[field.name] = first + start
        for name, array in (given or {}).items():
            self.arrays[name], addresses[name] = array, array.ctypes.data
        self.block = _make_block(layout, sizes, addresses)
        self.address: int = self.block.ctypes.data

    def assign(self, name: str, value: Any) -> None:
        """Copy a value into a field; shape and type must fit, nothing is broadcast but a number."""
        target = self.arrays[name]
        converted = _as_type(name, value, target.dtype)
        if converted.shape != target.shape and converted.ndim != 0:
            raise ShapeError(
                f"{name}: expected an array of shape {target.shape}, got {converted.shape}"
            )
        target[...] = converted


def _make_block(
    layout: StructLayout, sizes: Mapping[str, int], addresses: Mapping[str, int]
) -> np.ndarray:
    block = np.zeros(len(layout.entries), np.int64)
    for name, entry in layout.entries.items():
        block[entry.word] = sizes[name] if entry.kind == "size" else addresses[name]
    return block


def _as_type(name: str, value: Any, dtype: np.dtype) -> np.ndarray:
    """The value as an array of a type, if no information is lost beyond rounding."""
    source = np.asarray(value)
    if source.dtype == dtype:
        return source
    wanted = "biuf" if dtype.kind == "f" else "biu"
    if source.dtype.kind not in wanted:
        raise ShapeError(f"{name}: expected numbers of type {dtype}, got {value!r}"[:300])
    converted = source.astype(dtype)
    if dtype.kind != "f" and not np.array_equal(converted, source):
        raise ShapeError(f"{name}: expected numbers of type {dtype}, got {value!r}"[:300])
    return converted


class Scalar:
    """A class attribute that reads and writes a single-number field."""

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner._store.arrays[self.name].item()

    def __set__(self, owner: Any, value: Any) -> None:
        owner._store.assign(self.name, value)


class Fields:
    """Base of Model and Data: every field is an attribute.

    Reading an array field gives a view that can be written in place; assigning to a field copies
    into it. Attributes that are not fields or methods cannot be made by assignment, so that a
    misspelt field name is an error and not a silent nothing.
    """

    _store: Store

    def _adopt(self, store: Store) -> None:
        """Make the store's arrays this object's attributes."""
        own = self.__dict__
        own["_store"] = store
        own.update({name: array for name, array in store.arrays.items() if array.ndim})

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._store.arrays:
            self._store.assign(name, value)
        else:
            raise AttributeError(f"{type(self).__name__} has no field {name!r} to assign")


def scalar_attributes(fields: Iterable[Field]) -> dict[str, Scalar]:
    """Class attributes for the single-number fields of a table."""
    return {f.name: Scalar(f.name, f.doc) for f in fields if f.shape == ()}
