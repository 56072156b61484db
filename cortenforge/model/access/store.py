"""Memory of a Model or a Data: one aligned arena, NumPy views into it, and a block for kernels.

This is the only place that makes blocks. A block holds addresses, and an address does not keep its
array alive, so the arena lives exactly as long as the object that owns the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError, ShapeError, UnknownAttribute
from cortenforge.fields import Field
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.suggest import Hinting, declared_names, unknown_attribute

#: a cache line; also what the widest vector loads want
ALIGNMENT = 64


#: arrays at the front are aligned to words
WORD_BYTES = 8


def _round_up(count: int, unit: int) -> int:
    return -(-count // unit) * unit


def aligned_bytes(count: int) -> np.ndarray:
    """Zeroed bytes, aligned to a cache line."""
    raw = np.zeros(count + ALIGNMENT, np.uint8)
    skip = -raw.ctypes.data % ALIGNMENT
    return raw[skip : skip + count]


def front_word_count(fields: Iterable[Field], sizes: Mapping[str, int]) -> int:
    """How many words fields take at the front of the arena."""
    return sum(
        _round_up(field.count_for(sizes) * field.dtype.itemsize, WORD_BYTES) // WORD_BYTES
        for field in fields
    )


class GrowingArrays:
    """Arrays whose length is a capacity: a number that may grow between calls."""

    def __init__(
        self, fields: Iterable[Field], sizes: Mapping[str, int], capacities: Mapping[str, int]
    ) -> None:
        self.fields, self.capacities = list(fields), dict(capacities)
        self._sizes = sizes
        self.arrays = {field.name: self._made(field) for field in self.fields}

    def grow(self, name: str, wanted: int) -> None:
        """Grow a capacity to at least `wanted`, and by at least half.

        Contents are copied. Arrays that were taken before are no longer used.
        """
        room = self.capacities[name]
        self.capacities[name] = max(wanted, room + room // 2)
        for field in self.fields:
            if name in field.shape:
                before, array = self.arrays[field.name], self._made(field)
                array[tuple(slice(0, n) for n in before.shape)] = before
                self.arrays[field.name] = array

    def resize(self, name: str, count: int) -> None:
        """Allocate new arrays for exactly `count`; contents are lost."""
        self.capacities[name] = count
        self.arrays |= {f.name: self._made(f) for f in self.fields if name in f.shape}

    def _made(self, field: Field) -> np.ndarray:
        sizes = {**self._sizes, **self.capacities}
        memory = aligned_bytes(max(1, field.count_for(sizes)) * field.dtype.itemsize)
        return np.ndarray(field.shape_for(sizes), field.dtype, memory)


class Store:
    """Arrays for the rows of a field table.

    Fields `in_front` stand together at the beginning, so that a field marked as their alias can
    see them as one. Fields whose shape has a capacity stand apart, and can grow.
    """

    def __init__(
        self,
        fields: Iterable[Field],
        layout: StructLayout,
        sizes: Mapping[str, int],
        *,
        in_front: Callable[[Field], int],
        given: Mapping[str, np.ndarray] | None = None,
        capacities: Mapping[str, int] | None = None,
        arena: np.ndarray | None = None,
    ) -> None:
        """Memory for the fields.

        in_front: 0 for fields not at the front; others are sorted by this number.
        given:    arrays, which must be contiguous, that are used in place of own memory.
        arena:    a copy of the memory of another store, of the same fields and sizes, to use.
        """
        self.layout, self.sizes = layout, dict(sizes)
        rows = list(fields)
        self._closed = frozenset(field.name for field in rows if not field.writable)
        #: fields that only the engine uses
        self.hidden = frozenset(field.name for field in rows if not field.listed)
        self.growing = GrowingArrays(
            (f for f in rows if set(f.shape) & set(capacities or {})), sizes, capacities or {}
        )
        apart = {f.name for f in self.growing.fields}
        fixed = [f for f in rows if f.name not in apart and "alias" not in f.marks]
        self.arrays: dict[str, np.ndarray] = {}
        front = sorted(filter(in_front, fixed), key=in_front)
        self._allocate(front, [f for f in fixed if not in_front(f)], arena)
        for field in (f for f in rows if "alias" in f.marks):
            shape = field.shape_for(self.sizes)
            self.arrays[field.name] = np.ndarray(shape, field.dtype, self.arena)
        self.arrays |= {**self.growing.arrays, **(given or {})}
        # the order of the table, which is that of state vectors and of listings
        self.arrays = {field.name: self.arrays[field.name] for field in rows}
        self.block = np.zeros(layout.words, np.int64)
        self.address: int = self.block.ctypes.data
        self._fill_block()

    def _allocate(self, front: list[Field], rest: list[Field], arena: np.ndarray | None) -> None:
        """One arena for everything whose size is known."""
        places: list[tuple[Field, int]] = []
        total = 0
        for unit, fields in ((WORD_BYTES, front), (ALIGNMENT, rest)):
            total = _round_up(total, ALIGNMENT)
            for field in fields:
                places.append((field, total))
                count = field.count_for(self.sizes)
                # an empty field has an address, too
                count = count if unit == WORD_BYTES else max(1, count)
                total += _round_up(count * field.dtype.itemsize, unit)
        total = max(total, ALIGNMENT)
        self.arena = aligned_bytes(total) if arena is None else arena
        if len(self.arena) != total:
            raise ShapeError(f"expected {total} bytes of memory, got {len(self.arena)}")
        for field, start in places:
            shape = field.shape_for(self.sizes)
            self.arrays[field.name] = np.ndarray(shape, field.dtype, self.arena, start)

    def grow(self, name: str, wanted: int) -> None:
        """Grow a capacity to at least `wanted`; see `Growing.grow`."""
        self.growing.grow(name, wanted)
        self.arrays |= self.growing.arrays
        self._fill_block({*self.growing.arrays, *self.capacities})

    def resize(self, name: str, count: int) -> None:
        """Allocate the arrays of a capacity for exactly `count`; contents are lost."""
        self.growing.resize(name, count)
        self.arrays |= self.growing.arrays
        self._fill_block({*self.growing.arrays, *self.capacities})

    @property
    def capacities(self) -> dict[str, int]:
        """Capacities by name."""
        return self.growing.capacities

    def _fill_block(self, changed: Iterable[str] | None = None) -> None:
        """Set the words of all entries, or of those that changed."""
        sizes, entries = {**self.sizes, **self.capacities}, self.layout.entries
        for name in entries if changed is None else entries.keys() & changed:
            entry = entries[name]
            is_size = entry.kind == "size"
            self.block[entry.word] = sizes[name] if is_size else self.address_of(name)

    def address_of(self, name: str) -> int:
        """Address of a field's memory."""
        return int(self.arrays[name].ctypes.data)

    def shown(self, name: str) -> np.ndarray:
        """A field as users see it: read-only if they may not write it."""
        array = self.arrays[name]
        if name in self._closed:
            array = array.view()
            array.flags.writeable = False
        return array

    def is_closed(self, name: str) -> bool:
        """Whether users may only read a field."""
        return name in self._closed

    def assign(self, name: str, value: Any) -> None:
        """Copy a value into a field; shape and type must fit, nothing is broadcast but a number."""
        target = self.arrays[name]
        converted = _as_type(name, value, target.dtype)
        if converted.shape != target.shape and converted.ndim != 0:
            raise ShapeError(
                f"{name}: expected an array of shape {target.shape}, got {converted.shape}"
            )
        target[...] = converted


def _as_type(name: str, value: Any, dtype: np.dtype) -> np.ndarray:
    """The value as an array of a type, if no information is lost beyond rounding."""
    try:
        source = np.asarray(value)
    except ValueError:
        raise ShapeError(f"{name}: expected an array, got rows of different lengths") from None
    if source.dtype == dtype:
        return source
    wanted = "biuf" if dtype.kind == "f" else "biu"
    if source.dtype.kind not in wanted:
        raise ShapeError(f"{name}: expected numbers of type {dtype}, got {value!r}"[:300])
    converted = source.astype(dtype)
    if dtype.kind != "f" and not np.array_equal(converted, source):
        raise ShapeError(f"{name}: expected numbers of type {dtype}, got {value!r}"[:300])
    return converted


class ScalarAttribute:
    """A class attribute that reads and writes a single-number field."""

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner._store.arrays[self.name].item()

    def __set__(self, owner: Any, value: Any) -> None:
        owner._store.assign(self.name, value)


class ListedAttribute:
    """A class attribute that reads the used rows of a field, as many as a counter field says."""

    def __init__(self, name: str, count: str, doc: str) -> None:
        self.name, self.count, self.__doc__ = name, count, doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        store = owner._store
        return store.shown(self.name)[: store.arrays[self.count].item()]

    def __set__(self, owner: Any, value: Any) -> None:
        owner._store.assign(self.name, value)


class FieldAttributes(metaclass=Hinting):
    """Base of Model and Data: every field is an attribute.

    Reading an array field gives a view that can be written in place; assigning to a field copies
    into it. Integers that are used as indices are read-only. Attributes that are not fields or
    methods cannot be created by assignment, so that a misspelt field name is an error.
    """

    _store: Store
    #: why users may not write a field, and what to do instead, for messages
    _closed_because: str

    def _adopt(self, store: Store) -> None:
        """Make the store's arrays this object's attributes."""
        self.__dict__["_store"] = store
        self._adopt_arrays()

    def _adopt_arrays(self) -> None:
        """Set the arrays as attributes of the object."""
        store = self._store
        self.__dict__.update({n: store.shown(n) for n, array in store.arrays.items() if array.ndim})

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Value of a scalar field of a field table other than the default one."""
            store = self.__dict__.get("_store")
            if store is None or name not in store.arrays:
                raise self._unknown(name)
            return store.arrays[name].item()

        def __setattr__(self, name: str, value: Any) -> None:
            self._assign(name, value)

    def _assign(self, name: str, value: Any) -> None:
        """Copy a value into a field, or refuse it."""
        if name in self._store.arrays:
            if self._store.is_closed(name):
                raise ArgumentError(f"{name} is read-only: {self._closed_because}")
            self._store.assign(name, value)
        elif name in declared_names(type(self)) or name in self.__dict__:
            raise UnknownAttribute(f"{type(self).__name__}.{name} cannot be assigned to")
        else:
            raise self._unknown(name)

    def __dir__(self) -> list[str]:
        """Names for users; fields that only the engine uses are left out, but can be read."""
        store = self.__dict__.get("_store")
        hidden = store.hidden if store is not None else frozenset()
        return sorted(name for name in object.__dir__(self) if name not in hidden)

    def _unknown(self, name: str) -> UnknownAttribute:
        """The error for an unknown attribute, with suggestions."""
        # names with an underscore are looked up by copy and pickle
        known = () if name.startswith("_") else dir(self)
        public = {one for one in known if not one.startswith("_")}
        return unknown_attribute(type(self).__name__, name, public)


def scalar_attributes(fields: Iterable[Field]) -> dict[str, ScalarAttribute]:
    """Class attributes for the single-number fields of a table."""
    return {f.name: ScalarAttribute(f.name, f.doc) for f in fields if f.shape == ()}


def listed_attributes(
    fields: Iterable[Field], counts: Mapping[str, str]
) -> dict[str, ListedAttribute]:
    """Class attributes for fields with a capacity; counts: capacity -> field with the used rows."""
    return {
        f.name: ListedAttribute(f.name, counts[str(f.shape[0])], f.doc)
        for f in fields
        if f.shape and f.shape[0] in counts
    }
