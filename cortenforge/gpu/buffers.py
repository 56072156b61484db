"""Device memory of a batch: model buffers that all worlds share, and Data buffers by chunks.

An adapter limits the size of one binding, often to 128 MiB. So the worlds of a batch are split
into chunks, each with two storage buffers of its own; shaders are dispatched for one chunk after
another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import BatchTooLarge
from cortenforge.gpu.context import GpuSimContext
from cortenforge.kernel.wgsl import WORKGROUP, BufferLayout, Place
from cortenforge.model.internals import store_of

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: f32 and i32 are both four bytes
BYTES = 4
#: kernels count elements in i32
MOST_ELEMENTS = 2**31 - 1
#: chunks of a batch: each takes a few dispatches a step of its own
MOST_CHUNKS = 64


def largest_binding(context: GpuSimContext) -> int:
    """Bytes that one buffer can have."""
    limits = context.limits
    return min(
        limits["max-storage-buffer-binding-size"],
        limits["max-buffer-size"],
        BYTES * MOST_ELEMENTS,
    )


def chunk_size(context: GpuSimContext, layout: BufferLayout, n: int) -> int:
    """Worlds of one chunk; raises BatchTooLarge if a batch does not fit the adapter's limits."""
    elements = max(layout.lengths["d", True], layout.lengths["d", False], 1)
    limit = largest_binding(context)
    largest = min(
        limit // (BYTES * elements),
        WORKGROUP * context.limits["max-compute-workgroups-per-dimension"],
    )
    if n > MOST_CHUNKS * largest:
        required = BYTES * elements * n
        raise BatchTooLarge(n, required, MOST_CHUNKS * limit, MOST_CHUNKS * largest)
    if n <= largest:
        return max(n, 1)
    # a workgroup that is not full wastes threads
    whole = largest // WORKGROUP * WORKGROUP
    return whole or largest


@dataclass(frozen=True)
class Chunk:
    """Worlds whose Data share two buffers.

    first, n: the worlds.  data: buffers of reals (True) and of integers (False).
    uniform: their number.  group: what shaders bind.
    """

    first: int
    n: int
    data: Mapping[bool, Any]
    uniform: Any
    group: Any

    @property
    def worlds(self) -> slice:
        """The rows of its worlds."""
        return slice(self.first, self.first + self.n)


class GpuBuffers:
    """The fields of `n` worlds on the device."""

    def __init__(
        self, context: GpuSimContext, layout: BufferLayout, model: Model, fresh: Data, n: int
    ) -> None:
        size = chunk_size(context, layout, n)
        self.context, self.layout, self.n = context, layout, n
        usage = context.wgpu.BufferUsage
        self._both = usage.STORAGE | usage.COPY_DST | usage.COPY_SRC
        with context.working():
            self.model = {
                real: self._buffer(layout.lengths["m", real], self._both) for real in (True, False)
            }
            self.chunks = [self._chunk(first, min(size, n - first)) for first in range(0, n, size)]
        #: the model's numbers as the device has them
        self._sent: dict[bool, bytes] = {}
        self.write_model(model)
        self._write_columns(store_of(fresh).arrays)

    def _chunk(self, first: int, n: int) -> Chunk:
        context, usage = self.context, self.context.wgpu.BufferUsage
        data = {
            real: self._buffer(self.layout.lengths["d", real] * n, self._both)
            for real in (True, False)
        }
        uniform = self._buffer(4, usage.UNIFORM | usage.COPY_DST | usage.COPY_SRC)
        context.queue.write_buffer(uniform, 0, np.array([n, 0, 0, 0], np.int32))
        group = context.device.create_bind_group(
            layout=context.group_layout,
            entries=[
                {"binding": i, "resource": {"buffer": b, "offset": 0, "size": b.size}}
                for i, b in enumerate([*data.values(), *self.model.values(), uniform])
            ],
        )
        return Chunk(first, n, data, uniform, group)

    @property
    def bytes_per_world(self) -> int:
        """Device memory that one more world takes."""
        return BYTES * (self.layout.lengths["d", True] + self.layout.lengths["d", False])

    def _buffer(self, elements: int, usage: int) -> Any:
        # a buffer cannot be empty
        return self.context.device.create_buffer(size=max(1, elements) * BYTES, usage=usage)

    def write_model(self, model: Model) -> None:
        """Bring the model's numbers to the device, if they are not there already."""
        for real, buffer in self.model.items():
            packed = self._packed("m", real, store_of(model).arrays)
            # compared as bits, since a nan is not equal to itself
            if self._sent.get(real) != packed.tobytes():
                self._write(buffer, 0, packed)
                self._sent[real] = packed.tobytes()

    def _write_columns(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Give every world the same numbers."""
        for real in (True, False):
            column = self._packed("d", real, arrays)
            for chunk in self.chunks:
                self._write(chunk.data[real], 0, np.repeat(column, chunk.n))

    def _packed(self, struct: str, real: bool, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """All fields of a struct that share a buffer, one after the other."""
        packed = np.zeros(self.layout.lengths[struct, real], np.float32 if real else np.int32)
        for name, place in self.layout.places[struct].items():
            if place.is_real == real and not (place.own or place.shared):
                part = packed[place.offset : place.offset + place.count]
                numbers = _single(arrays[name].reshape(-1), real)
                # a device may have another capacity than a new Data
                part[: numbers.size] = numbers[: place.count]
        return packed

    def _write(self, buffer: Any, offset: int, numbers: np.ndarray) -> None:
        if numbers.size:
            with self.context.working():
                self.context.queue.write_buffer(buffer, offset * BYTES, numbers)

    def take_fields(self, other: GpuBuffers) -> None:
        """Copy every field that another device memory of the same worlds has, too."""
        for name, place in self.layout.places["d"].items():
            before = other.layout.places["d"].get(name)
            if before is None or place.shared or before.shared:
                continue
            for low in (False, True)[: 1 + (place.is_precise and before.is_precise)]:
                numbers = other._numbers(before, low=low)[:, : place.count]
                self._set_numbers(place, numbers, low=low)

    def upload_parameter(self, name: str, values: np.ndarray) -> None:
        """Write a field of the model of which each world has its own, if a shader uses it."""
        place = self.layout.places["m"].get(name)
        if place is not None and place.own:
            self._set_numbers(place, _single(values.reshape(self.n, place.count), real=True))

    def upload(self, name: str, values: np.ndarray) -> None:
        """Write a field of all worlds, given as `(n, ...)`."""
        place = self.layout.places["d"][name]
        rows = _single(values.reshape(self.n, place.count), place.is_real)
        self._set_numbers(place, rows)

    def download(self, name: str) -> np.ndarray:
        """Read a field of all worlds, as `(n, count)` float64 or int32."""
        place: Place = self.layout.places["d"][name]
        found = self._numbers(place)
        return np.ascontiguousarray(found, np.float64 if place.is_real else np.int32)

    def counters(self, first: int, count: int) -> np.ndarray:
        """Some counters of a debug build, `(count, n)`."""
        found = np.zeros((count, self.n), np.int32)
        for chunk in self.chunks:
            start = (self.layout.counters_at + first) * chunk.n * BYTES
            numbers = self.context.read(chunk.data[False], start, count * chunk.n * BYTES)
            found[:, chunk.worlds] = np.frombuffer(numbers, np.int32).reshape(count, chunk.n)
        return found

    def _set_numbers(self, place: Place, rows: np.ndarray, *, low: bool = False) -> None:
        """Write the first numbers of a field of all worlds; low: their second parts."""
        offset = place.low if low else place.offset
        for chunk in self.chunks:
            columns = np.ascontiguousarray(rows[chunk.worlds].T)
            self._write(chunk.data[place.is_real], offset * chunk.n, columns)

    def _numbers(self, place: Place, *, low: bool = False) -> np.ndarray:
        """The numbers of a field of all worlds, `(n, count)`; low: their second parts."""
        dtype = np.float32 if place.is_real else np.int32
        offset = place.low if low else place.offset
        found = np.zeros((self.n, place.count), dtype)
        for chunk in self.chunks if place.count else ():
            numbers = self.context.read(
                chunk.data[place.is_real],
                offset * chunk.n * BYTES,
                place.count * chunk.n * BYTES,
            )
            found[chunk.worlds] = np.frombuffer(numbers, dtype).reshape(place.count, chunk.n).T
        return found


def _single(values: np.ndarray, real: bool) -> np.ndarray:
    """Numbers as the device holds them; what is too large for f32 becomes infinite."""
    if values.dtype == np.int64:
        # a word is two integers, the lower one first
        return np.ascontiguousarray(values).view(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        return values.astype(np.float32 if real else np.int32)
