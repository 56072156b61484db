"""Memory of a Model or a Data: one aligned arena, NumPy views into it, and a block for kernels.

This is the only place that makes blocks. A block holds addresses, and an address does not keep its
array alive, so the arena lives exactly as long as the object that owns the block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError, ShapeError, UnknownAttribute
from cortenforge.fields import Field
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.suggest import Hinting, declared_names, unknown_attribute

#: a cache line; also what the widest vector loads want
ALIGNMENT = 64


#: plans of growing arrays that are kept
MOST_PLANS = 16
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


class ArenaPlan:
    """Where fields stand in one block of memory, with their shapes and types."""

    def __init__(self, sizes: Mapping[str, int], *runs: tuple[int, Iterable[Field]]) -> None:
        """
        runs: (alignment, fields), one run behind another.
        """
        self.places: dict[str, tuple[tuple[int, ...], np.dtype, int]] = {}
        #: the first byte of each run
        self.starts: list[int] = []
        self._words: tuple[np.ndarray, np.ndarray] | None = None
        total = 0
        for unit, fields in runs:
            total = _round_up(total, ALIGNMENT)
            self.starts.append(total)
            for field in fields:
                self.places[field.name] = field.shape_for(sizes), field.dtype, total
                count = field.count_for(sizes)
                # an empty field has an address, too
                count = count if unit == WORD_BYTES else max(1, count)
                total += _round_up(count * field.dtype.itemsize, unit)
        self.nbytes = max(total, ALIGNMENT)

    def view(self, name: str, arena: np.ndarray) -> np.ndarray:
        """The array of a field in an arena."""
        shape, dtype, start = self.places[name]
        return np.ndarray(shape, dtype, arena, start)

    def nbytes_of(self, name: str) -> int:
        """Bytes of a field's array."""
        shape, dtype, _ = self.places[name]
        return math.prod(shape) * dtype.itemsize

    def words(self, layout: StructLayout) -> tuple[np.ndarray, np.ndarray]:
        """Words of a block for fields that kernels see, and the first byte of each; kept."""
        if self._words is None:
            known = [(name, place[2]) for name, place in self.places.items()]
            pairs = [(layout.entries[n].word, at) for n, at in known if n in layout.entries]
            words, starts = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
            self._words = words, starts
        return self._words


class FieldViews(dict[str, np.ndarray]):
    """Arrays of fields by name, each made when it is first asked for.

    A Data has some five hundred; to make them all would take longer than a program that needs a few
    of them. Iterations make the rest, in the order of the table.
    """

    def __init__(self, order: tuple[str, ...]) -> None:
        super().__init__()
        self._order = order
        self._homes: dict[str, tuple[ArenaPlan, np.ndarray]] = {}

    def place(self, plan: ArenaPlan, arena: np.ndarray) -> None:
        """Set the memory of the fields of a plan; views made before are no longer used."""
        self._homes.update(dict.fromkeys(plan.places, (plan, arena)))
        for name in plan.places:
            self.pop(name, None)

    def __missing__(self, name: str) -> np.ndarray:
        plan, arena = self._homes[name]
        made = self[name] = plan.view(name, arena)
        return made

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def keys(self) -> Any:
        return dict.fromkeys(self._order).keys()

    def values(self) -> Any:
        return {name: self[name] for name in self._order}.values()

    def items(self) -> Any:
        return {name: self[name] for name in self._order}.items()


class GrowingArrays:
    """Arrays whose length is a capacity: a number that may grow between calls.

    They stand in one arena, which is replaced by a larger one when a capacity grows.
    """

    def __init__(
        self,
        fields: Iterable[Field],
        sizes: Mapping[str, int],
        capacities: Mapping[str, int],
        plans: dict[tuple[int, ...], ArenaPlan] | None = None,
    ) -> None:
        """
        plans: of other arrays with the same fields and sizes, by capacities.
        """
        self.fields, self.capacities = list(fields), dict(capacities)
        self._sizes = sizes
        #: whether a capacity grows to what was asked for and no further
        self.exactly = False
        self._plans = {} if plans is None else plans
        self.arrays = FieldViews(tuple(field.name for field in self.fields))
        self._allocate()

    def _allocate(self) -> None:
        key = tuple(self.capacities.values())
        plan = self._plans.get(key)
        if plan is None:
            # capacities may become any numbers
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            sizes = {**self._sizes, **self.capacities}
            plan = self._plans[key] = ArenaPlan(sizes, (ALIGNMENT, self.fields))
        self.plan, self.arena = plan, aligned_bytes(plan.nbytes)
        self.arrays.place(plan, self.arena)

    def grow(self, name: str, wanted: int) -> None:
        """Grow a capacity to at least `wanted`, and by at least half.

        Contents are copied. Arrays that were taken before are no longer used.
        """
        room = self.capacities[name]
        least = 0 if self.exactly else room + room // 2
        self._reallocate({name: max(wanted, least)}, ())

    def resize(self, capacities: Mapping[str, int]) -> None:
        """Make room for exactly so many; contents of arrays of these capacities are lost."""
        self._reallocate(capacities, capacities)

    def _reallocate(self, capacities: Mapping[str, int], lost: Iterable[str]) -> None:
        before = dict(self.arrays)
        self.capacities |= capacities
        self._allocate()
        for field in self.fields:
            array = before[field.name]
            if array.size and not set(field.shape) & set(lost):
                self.arrays[field.name][tuple(slice(0, n) for n in array.shape)] = array


class StorePlan:
    """What all Data of a model have in common: which fields stand where, and what users may do."""

    def __init__(
        self,
        fields: Iterable[Field],
        layout: StructLayout,
        sizes: Mapping[str, int],
        *,
        in_front: Callable[[Field], int],
        survives_reset: Callable[[Field], bool] = lambda field: False,
        capacities: Iterable[str] = (),
    ) -> None:
        """
        in_front:       0 for fields not at the front; others are sorted by this number.
        survives_reset: whether `clear` leaves a field as it is.
        """
        self.layout, self.sizes = layout, dict(sizes)
        rows = list(fields)
        self.order = tuple(field.name for field in rows)
        self.closed = frozenset(field.name for field in rows if not field.writable)
        #: fields that only the engine uses
        self.hidden = frozenset(field.name for field in rows if not field.listed)
        names = set(capacities)
        self.growing = [field for field in rows if set(field.shape) & names]
        apart = {field.name for field in self.growing}
        fixed = [f for f in rows if f.name not in apart and "alias" not in f.marks]
        front = sorted(filter(in_front, fixed), key=in_front)
        behind = [field for field in fixed if not in_front(field)]
        cleared = [field for field in behind if not survives_reset(field)]
        left = [field for field in behind if survives_reset(field)]
        self.fixed = ArenaPlan(sizes, (WORD_BYTES, front), (ALIGNMENT, cleared), (ALIGNMENT, left))
        #: what `clear` writes at the beginning: zeros, but for what is set in `initial_values`
        self.initial = np.zeros(self.fixed.starts[-1], np.uint8)
        #: fields behind that
        self.left = frozenset(field.name for field in left)
        for field in (f for f in rows if "alias" in f.marks):
            self.fixed.places[field.name] = field.shape_for(sizes), field.dtype, 0
        #: plans of the growing arrays, by capacities
        self.grown: dict[tuple[int, ...], ArenaPlan] = {}
        entries = layout.entries.values()
        counted = [entry for entry in entries if entry.kind == "size"]
        self.size_words = {entry.name: entry.word for entry in counted}

    def initial_values(self, name: str) -> np.ndarray:
        """What `clear` writes into a field, to be set."""
        if name in self.fixed.places:
            return self.fixed.view(name, self.initial)
        return np.zeros((), np.uint8)


class Store:
    """Arrays for the rows of a field table.

    Fields in front stand together at the beginning, so that a field marked as their alias can see
    them as one. Fields whose shape has a capacity stand apart, and can grow.
    """

    def __init__(
        self,
        plan: StorePlan,
        *,
        given: Mapping[str, np.ndarray] | None = None,
        capacities: Mapping[str, int] | None = None,
        arena: np.ndarray | None = None,
    ) -> None:
        """
        given: arrays, which must be contiguous, that are used in place of own memory.
        arena: a copy of the memory of another store of an equal plan, to use.
        """
        self.plan, self.layout, self.sizes = plan, plan.layout, dict(plan.sizes)
        self._closed, self.hidden = plan.closed, plan.hidden
        self.arena = aligned_bytes(plan.fixed.nbytes) if arena is None else arena
        if len(self.arena) != plan.fixed.nbytes:
            raise ShapeError(f"expected {plan.fixed.nbytes} bytes of memory, got {len(self.arena)}")
        # NumPy takes three times as long to copy a few kilobytes
        self._cleared = self.arena[: len(plan.initial)].data
        self._initial = plan.initial.data
        self.growing = GrowingArrays(plan.growing, plan.sizes, capacities or {}, plan.grown)
        self.given = dict(given or {})
        self.arrays = FieldViews(plan.order)
        self.arrays.place(plan.fixed, self.arena)
        self.block = np.zeros(plan.layout.words, np.int64)
        self.address: int = self.block.ctypes.data
        self._point_at(plan.fixed, self.arena)
        self._fill_block()

    def _point_at(self, plan: ArenaPlan, arena: np.ndarray) -> None:
        """Write addresses of fields in an arena into the block."""
        words, starts = plan.words(self.layout)
        self.block[words] = starts + arena.ctypes.data

    def _fill_block(self) -> None:
        """Place growing and given arrays; write their addresses, and sizes, into the block."""
        self.arrays.place(self.growing.plan, self.growing.arena)
        self._point_at(self.growing.plan, self.growing.arena)
        for name, array in self.given.items():
            self.arrays[name] = array
            if name in self.layout.entries:
                self.block[self.layout.entries[name].word] = array.ctypes.data
        sizes = {**self.sizes, **self.capacities}
        for name, word in self.plan.size_words.items():
            self.block[word] = sizes[name]

    def clear(self) -> None:
        """Set fields to initial values, but not rows of growing lists and what survives a reset."""
        self._cleared[:] = self._initial
        for name, array in self.given.items():
            if name not in self.plan.left:
                array[...] = self.plan.initial_values(name)

    def copy_from(self, other: Store) -> None:
        """Copy every number of another store of the same plan; capacities become the same."""
        if self.capacities != other.capacities:
            self.resize(other.capacities)
        self.arena[:] = other.arena
        self.growing.arena[:] = other.growing.arena
        for name in {*self.given, *other.given}:
            self.arrays[name][...] = other.arrays[name]

    def grow(self, name: str, wanted: int) -> None:
        """Grow a capacity to at least `wanted`; see `GrowingArrays.grow`."""
        self.growing.grow(name, wanted)
        self._fill_block()

    def resize(self, capacities: Mapping[str, int]) -> None:
        """Make room for exactly so many of some capacities; their contents are lost."""
        changed = {n: count for n, count in capacities.items() if self.capacities[n] != count}
        if changed:
            self.growing.resize(changed)
            self._fill_block()

    @property
    def capacities(self) -> dict[str, int]:
        """Capacities by name."""
        return self.growing.capacities

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

    def _drop_growing(self) -> None:
        """Forget the attributes of arrays that have grown, or were replaced."""
        for name in self._store.growing.plan.places:
            self.__dict__.pop(name, None)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field: an array, which becomes an attribute, or a number."""
            store = self.__dict__.get("_store")
            if store is None or name not in store.arrays:
                raise self._unknown(name)
            array = store.arrays[name]
            if not array.ndim:
                return array.item()
            shown = self.__dict__[name] = store.shown(name)
            return shown

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
        if store is None:
            return sorted(object.__dir__(self))
        return sorted({*object.__dir__(self), *store.arrays} - store.hidden)

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
