"""Arrays and tables that a batch fills at the end of every call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.batch.columns import Column, Fact, column_named, fact_of
from cortenforge.batch.counts import COUNTED
from cortenforge.errors import ArgumentError, ShapeError, UnknownAttribute
from cortenforge.fields import INPUT_FIELDS, STATE_FIELDS, Field, bindable
from cortenforge.model import Data, Model
from cortenforge.step.engine import Engine
from cortenforge.suggest import did_you_mean

REAL = np.dtype(np.float64)
#: fields that no step computes, and the index in lockstep.ON_REQUEST of the kernel that does
REQUESTS = {
    **dict.fromkeys(("cacc", "cfrc_int", "cfrc_ext"), 0),
    **dict.fromkeys(("subtree_linvel", "subtree_angmom"), 1),
}
#: where lane memory begins to be copied from, how many numbers, and the array that they go to
Run = tuple[int, int, np.ndarray]


@dataclass
class Table:
    """An array of the user's, `(n, width)`, and what its columns are.

    staging: where the numbers are written to: the array itself if they can be, or a copy of it.
    """

    given: np.ndarray
    target: np.ndarray
    staging: np.ndarray
    columns: tuple[Column, ...]

    def deliver(self, worlds: Any) -> None:
        """Bring the numbers of some worlds into the array."""
        if self.staging is not self.target:
            self.target[worlds] = self.staging[worlds]

    def fill(self, worlds: Any, value: float) -> None:
        """Write one number into the rows of some worlds."""
        self.staging[worlds] = value
        self.deliver(worlds)


class BoundFields:
    """What a batch fills: arrays of whole fields by name, and tables of columns.

    own: shapes of fields that only this batch has.
    """

    def __init__(
        self, model: Model, engine: Engine, n: int, own: Mapping[str, tuple[int, ...]]
    ) -> None:
        self._model, self._n = model, n
        self.arrays: dict[str, np.ndarray] = {}
        self.tables: list[Table] = []
        self._fields = bindable_fields(engine)
        sizes = model._store.sizes
        every = (*STATE_FIELDS, *INPUT_FIELDS, *self._fields.values())
        self.shapes = {field.name: field.shape_for(sizes) for field in every} | dict(own)

    def add(self, engine: Engine, names: tuple[str, ...], ready: Iterable[str]) -> None:
        """Make arrays of fields; those that are there already stay."""
        for name in names:
            if not isinstance(name, str) or name not in {*self._fields, *ready}:
                if isinstance(name, str) and name.partition("[")[0] in {*self.shapes, *COUNTED}:
                    raise ShapeError(f"{name!r} is a column: batch.bind({name!r}, into=table)")
                raise not_bindable(engine, name)
        for name in names:
            if name not in self.arrays and name not in ready:
                self.arrays[name] = np.zeros((self._n, *self.shapes[name]))

    def add_table(self, names: tuple[str, ...], into: Any) -> None:
        """Let columns side by side be written into an array; one bound before is bound anew."""
        if not names:
            raise ArgumentError("bind(into=...): name the columns")
        columns = tuple(column_named(name, self._model, self.shapes) for name in names)
        target = _as_table(into, self._n, sum(column.width for column in columns))
        direct = target.dtype == REAL and target.flags.aligned
        direct = direct and (target.shape[1] < 2 or target.strides[1] == target.itemsize)
        direct = direct and target.strides[0] % target.itemsize == 0
        staging = target if direct else np.zeros(target.shape)
        self.remove_table(into)
        self.tables.append(Table(into, target, staging, columns))

    def remove_table(self, given: Any) -> bool:
        """No longer write into an array; whether it was written into."""
        kept = [table for table in self.tables if not _is_same(table.given, given)]
        removed = len(kept) < len(self.tables)
        self.tables = kept
        return removed

    @property
    def requested(self) -> tuple[int, ...]:
        """Which of lockstep.ON_REQUEST are needed."""
        names = {*self.arrays, *(column.name for table in self.tables for column in table.columns)}
        return tuple(sorted({REQUESTS[name] for name in names if name in REQUESTS}))

    @property
    def facts(self) -> list[Fact]:
        """All facts of the tables, each once."""
        columns = (column for table in self.tables for column in table.columns)
        return list(dict.fromkeys(fact for column in columns for fact in column.facts))

    @property
    def nbytes_per_world(self) -> int:
        """Memory of the batch's own that a world takes."""
        staged = (t.staging for t in self.tables if t.staging is not t.target)
        return sum(array[:1].nbytes for array in (*self.arrays.values(), *staged))

    def runs(self, starts: Mapping[str, int], facts_start: int) -> Iterator[Run]:
        """What is copied where, at the end of a call; whole arrays come first."""
        for name, array in self.arrays.items():
            yield starts[name], math.prod(self.shapes[name]), array
        order = {fact: k for k, fact in enumerate(self.facts)}
        for table in self.tables:
            at = 0
            for column in table.columns:
                places = starts.get(column.name, 0) + column.numbers
                if column.facts:
                    places = np.array([facts_start + order[fact] for fact in column.facts])
                for run in np.split(places, np.flatnonzero(np.diff(places) != 1) + 1):
                    if len(run):
                        yield int(run[0]), len(run), table.staging[:, at : at + len(run)]
                        at += len(run)

    def copy_from(self, data: Data, world: int) -> None:
        """Take what is bound from a world that was evaluated by itself."""
        for name, array in self.arrays.items():
            array[world] = getattr(data, name)
        for table in self.tables:
            parts = [
                [fact_of(data, fact) for fact in column.facts]
                or np.ravel(getattr(data, column.name))[column.numbers]
                for column in table.columns
            ]
            table.staging[world] = np.concatenate(parts)

    def fill(self, worlds: Any, value: float) -> None:
        """Write one number into all that is bound, for some worlds."""
        for array in self.arrays.values():
            array[worlds] = value
        for table in self.tables:
            table.fill(worlds, value)

    def deliver(self, worlds: Any) -> None:
        """Bring what was computed for some worlds into arrays of other types."""
        for table in self.tables:
            table.deliver(worlds)


def _as_table(into: Any, n: int, width: int) -> np.ndarray:
    """An array as a table of so many columns, which shares its memory."""
    if not isinstance(into, np.ndarray) or into.dtype not in (np.float32, np.float64):
        what = getattr(into, "dtype", None) or type(into).__name__
        raise ShapeError(f"into: expected an array of float32 or float64, got {what}"[:300])
    if not into.flags.writeable:
        raise ShapeError("into: the array is read-only")
    table = into.reshape(n, -1) if into.ndim > 2 and into.shape[0] == n else into
    if table.shape != (n, width) or (table.size and not np.may_share_memory(table, into)):
        raise ShapeError(
            f"into: the columns need an array of shape ({n}, {width}), got {into.shape}"
        )
    return table


def _is_same(one: np.ndarray, other: Any) -> bool:
    """Whether two arrays are the same numbers in the same places."""
    if one is other:
        return True
    return isinstance(other, np.ndarray) and (
        one.__array_interface__["data"] == other.__array_interface__["data"]
        and (one.shape, one.strides, one.dtype) == (other.shape, other.strides, other.dtype)
    )


def bindable_fields(engine: Engine) -> dict[str, Field]:
    """Fields that become arrays once they are bound."""
    return {field.name: field for field in bindable(engine.fields)}


def unbound(engine: Engine, name: str) -> UnknownAttribute:
    """The error for a field of Data that is no array of the batch."""
    if name in bindable_fields(engine):
        return UnknownAttribute(f"{name} is not bound: call batch.bind({name!r}) first")
    return UnknownAttribute(_of_one_world(name))


def not_bindable(engine: Engine, name: Any) -> ShapeError:
    """The error for what cannot become an array of the batch."""
    if isinstance(name, str) and name in engine.by_name:
        return ShapeError(_of_one_world(name))
    hint = did_you_mean(name, bindable_fields(engine)) if isinstance(name, str) else None
    return ShapeError(f"{name!r} is not a field of Data"[:300] + (f"; {hint}" if hint else ""))


def _of_one_world(name: str) -> str:
    one = f"env = batch.env(i); env.forward(); env.{name}"
    return f"{name} is available for one world at a time: {one}"
