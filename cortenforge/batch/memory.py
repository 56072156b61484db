"""Memory of a batch: a row of state and inputs a world, and lane memory a thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cortenforge.batch.program import MODEL_LANES, lane_layout
from cortenforge.fields import INPUT_FIELDS, MODEL_FIELDS, STATE_FIELDS, Field
from cortenforge.kernel.language.layout import LANES, LANES_OF, WORLDS_WORD, StructLayout
from cortenforge.model.access.store import ArenaPlan, GrowingArrays, aligned_bytes
from cortenforge.model.model import Model
from cortenforge.model.states.state import STATE_FIELD_NAMES
from cortenforge.step.engine import Engine
from cortenforge.step.statuses import FULL, OK

#: fields of a row, as they stand in memory: the state comes first
ROW_FIELDS: tuple[Field, ...] = (*STATE_FIELDS, *INPUT_FIELDS)
DIFFERING: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.differs)


class Rows:
    """State and inputs of every world, one row a world; the fields are views of columns."""

    def __init__(self, model: Model, n: int) -> None:
        self.columns: dict[str, slice] = {}
        start = 0
        for field in ROW_FIELDS:
            count = field.count_for(model._store.sizes)
            self.columns[field.name] = slice(start, start + count)
            start += count
        self.table = np.zeros((n, start))
        self.nstate = model.nstate
        self.views = {
            field.name: self.view(field, self.table, self.columns[field.name], model)
            for field in ROW_FIELDS
        }
        #: columns in the order of state vectors, which is MuJoCo's
        self.order = np.concatenate(
            [
                np.arange(self.columns[name].start, self.columns[name].stop)
                for name in STATE_FIELD_NAMES
            ]
        )

    def vectors(self) -> np.ndarray:
        """The state vectors of all worlds."""
        return self.table[:, self.order]

    def set_vectors(self, vectors: np.ndarray) -> None:
        """Take state vectors, one for each world or one for all."""
        self.table[:, self.order] = vectors

    def world(self, i: int) -> dict[str, np.ndarray]:
        """The fields of one world, as views."""
        own = {name: view[i : i + 1].reshape(view.shape[1:]) for name, view in self.views.items()}
        return own | {"state": self.table[i, : self.nstate]}

    @staticmethod
    def view(field: Field, table: np.ndarray, columns: slice, model: Model) -> np.ndarray:
        """Some columns of a table as an array (n, ...) of a field's shape."""
        return table[:, columns].reshape(len(table), *field.shape_for(model._store.sizes))


class Places:
    """Offsets of arrays from a base array, for kernels; arrays never move.

    An offset in numbers may not fit into 32 bits: it is a number of blocks of `BLOCK`, and the
    rest. The table has (block, rest, stride from a world to the next) for each array.
    """

    BLOCK = 2**30

    def __init__(self, base: np.ndarray, arrays: Iterable[np.ndarray]) -> None:
        self.base = base
        rows = [self._row(array) for array in arrays]
        self.table: np.ndarray = np.array(rows, np.int32).reshape(-1, 3)

    def _row(self, array: np.ndarray) -> tuple[int, int, int]:
        """(block, rest, stride) of an array; the stride is from a world to the next, in numbers."""
        distance, rest = divmod(array.ctypes.data - self.base.ctypes.data, array.itemsize)
        assert rest == 0
        return *divmod(distance, self.BLOCK), array.strides[0] // array.itemsize


class LaneMemory:
    """Data of eight worlds in lockstep, and the blocks by which kernels find it.

    Number k of lane l is at 8 k + l, and the rows' fields come first, in the rows' order: so
    taking a world in or out is one copy with a stride. Fields that live with their world have
    memory for each lane, which grows for itself; those of a group have both.
    """

    def __init__(
        self,
        model: Model,
        engine: Engine,
        layout: StructLayout | None = None,
        own: Mapping[str, int] | None = None,
    ) -> None:
        """
        layout: of the group, where it is not the engine's.
        own:    numbers behind the engine's fields, by name: fields of the layout, and others.
        """
        self.layout = layout or lane_layout(engine)
        self.engine = engine
        self.own = own or {}
        apart = [field for field in engine.fields if field.in_kernels and field.home != "lanes"]
        plans: dict[tuple[int, ...], ArenaPlan] = {}
        self.worlds = [
            GrowingArrays(apart, model._store.sizes, engine.first_capacities, plans)
            for _ in range(LANES)
        ]
        self.starts: dict[str, int] = {}
        #: a cache line a lane field at least, so that integers are aligned as vectors
        self._arrays = self._allocate(model)
        self.arena = self._arrays[ROW_FIELDS[0].name]
        self.block = np.zeros(self.layout.words, np.int64)
        self.address: int = self.block.ctypes.data
        assert self.layout.of_one is not None
        self._of_one = self.layout.of_one
        self.world_blocks = np.zeros((LANES, self._of_one.words), np.int64)
        self._fill_blocks()

    def _allocate(self, model: Model) -> dict[str, np.ndarray]:
        """Lane memory of every field, as numbers; reals in one arena."""
        in_rows = {field.name for field in ROW_FIELDS}
        rest = [f for f in self.engine.fields if f.name not in in_rows and "alias" not in f.marks]
        fields = [*ROW_FIELDS, *(f for f in rest if f.in_kernels and f.home != "world")]
        sizes = model._store.sizes
        total = 0
        for field in fields:
            if field.is_real:
                self.starts[field.name] = total
                total += field.count_for(sizes)
        for name, count in self.own.items():
            self.starts[name] = total
            total += count
        reals = aligned_bytes(max(1, total) * LANES * 8).view(np.float64)
        found = {name: reals[start * LANES :] for name, start in self.starts.items()}
        for field in fields:
            if not field.is_real:
                # integers of a group are one for all worlds
                count = max(1, field.count_for(sizes)) * (LANES if field.home == "lanes" else 1)
                found[field.name] = aligned_bytes(count * field.dtype.itemsize).view(field.dtype)
        return found | {"state": reals, "arena": reals}

    def _fill_blocks(self) -> None:
        for name, entry in self.layout.entries.items():
            if entry.access == LANES_OF or entry.home == "group":
                self.block[entry.word] = self._arrays[name].ctypes.data
        self.point("arena", self._arrays["arena"])
        self.stopped_at = np.zeros(1, np.int32)
        self.point("stopped_at", self.stopped_at)
        self.block[WORLDS_WORD] = self.world_blocks.ctypes.data
        own = self.worlds[0].arrays
        shared = [
            (entry.word, self._arrays[name].ctypes.data, self._arrays[name].itemsize)
            for name, entry in self._of_one.entries.items()
            if entry.kind != "size" and name not in own
        ]
        words, addresses, sizes = np.array(shared, np.int64).T
        self.world_blocks[:, words] = addresses + np.arange(LANES)[:, None] * sizes
        for lane in range(LANES):
            self._fill_world(lane)

    def _fill_world(self, lane: int) -> None:
        """Write where the memory of a world's own is, and how much, into the world's block."""
        own, block = self.worlds[lane], self.world_blocks[lane]
        words, starts = own.plan.words(self._of_one)
        block[words] = starts + own.arena.ctypes.data
        for name, capacity in own.capacities.items():
            block[self._of_one.entries[name].word] = capacity

    @property
    def nbytes(self) -> int:
        """Memory of the group, and of what lives with its worlds."""
        own = sum(world.arena.nbytes for world in self.worlds)
        integers = [
            array for name, array in self._arrays.items() if array.dtype != self.arena.dtype
        ]
        return own + self._arrays["arena"].nbytes + sum(array.nbytes for array in integers)

    def make_room(self) -> None:
        """Grow what worlds of the group need more of, so that their step can be taken again."""
        names = list(self.engine.capacities)
        for lane in np.flatnonzero(self.lanes("status") == FULL):
            wanted = int(self.lanes("status_value")[lane])
            self.worlds[lane].grow(names[self.lanes("status_index")[lane]], wanted)
            self._fill_world(int(lane))
            for name in ("status", "status_index", "status_value"):
                self.lanes(name)[lane] = OK

    def ensure_room(self, lane: int, capacities: Mapping[str, int]) -> None:
        """Grow capacities of one of the worlds that are smaller than these."""
        own = self.worlds[lane]
        for name, wanted in capacities.items():
            if own.capacities[name] < wanted:
                own.grow(name, wanted)
        self._fill_world(lane)

    def lanes(self, name: str) -> np.ndarray:
        """A field of one number, for the eight worlds that are in memory."""
        return self._arrays[name][:LANES]

    def count(self, name: str, value: int) -> None:
        """Set a number that a call reads."""
        self.block[self.layout.entries[name].word] = value

    def point(self, name: str, array: np.ndarray) -> None:
        """Set the address of one of the batch's arrays."""
        self.block[self.layout.entries[name].word] = array.ctypes.data


class ModelLanes:
    """The Model of eight worlds that may differ in its reals, and the blocks of each."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.starts: dict[str, int] = {}
        total = 0
        for field in DIFFERING:
            self.starts[field.name] = total
            total += field.count_for(model._store.sizes)
        self.arena = aligned_bytes(max(1, total) * LANES * 8).view(np.float64)
        self._seen = np.zeros(total)
        assert MODEL_LANES.of_one is not None
        self.block = np.zeros(MODEL_LANES.words, np.int64)
        self.address: int = self.block.ctypes.data
        self.world_blocks = np.zeros((LANES, MODEL_LANES.of_one.words), np.int64)
        self._version = -1
        self.refresh(force=True)

    @property
    def nbytes(self) -> int:
        """Memory of what may differ."""
        return self.arena.nbytes

    def _fill_blocks(self) -> None:
        """Set the address of every field: in lanes, or where the model has it now."""
        assert MODEL_LANES.of_one is not None
        store = self.model._store
        for block, entries in (
            (self.block, MODEL_LANES.entries),
            *((one, MODEL_LANES.of_one.entries) for one in self.world_blocks),
        ):
            for name, entry in entries.items():
                block[entry.word] = store.block[store.layout.entries[name].word]
        for name, start in self.starts.items():
            entry = MODEL_LANES.entries[name]
            self.block[entry.word] = self.arena.ctypes.data + 8 * start * LANES
            for lane in range(LANES):
                address = self.block[entry.word] + 8 * lane
                self.world_blocks[lane, entry.word] = address
        self.block[WORLDS_WORD] = self.world_blocks.ctypes.data

    def refresh(self, *, force: bool = False) -> None:
        """Take the model's values where worlds have none of their own."""
        if self._version != self.model.version:
            self._version = self.model.version
            self._fill_blocks()
        arrays: Mapping[str, Any] = self.model._store.arrays
        now = np.concatenate([np.zeros(0), *(arrays[f.name].reshape(-1) for f in DIFFERING)])
        if force or not np.array_equal(now, self._seen, equal_nan=True):
            self._seen = now
            self.arena[: len(now) * LANES].reshape(-1, LANES)[:] = now[:, None]
