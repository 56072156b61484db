"""Device memory of a batch: four storage buffers and a uniform."""

from __future__ import annotations

from collections.abc import Mapping
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


def check_size(context: GpuSimContext, layout: BufferLayout, n: int) -> None:
    """Raise BatchTooLarge if a batch does not fit the adapter's limits."""
    elements = max(layout.lengths["d", True], layout.lengths["d", False], 1)
    limits = context.limits
    limit = min(
        limits["max-storage-buffer-binding-size"],
        limits["max-buffer-size"],
        BYTES * MOST_ELEMENTS,
    )
    largest = min(
        limit // (BYTES * elements), WORKGROUP * limits["max-compute-workgroups-per-dimension"]
    )
    if n > largest:
        raise BatchTooLarge(n, BYTES * elements * n, limit, largest)


class GpuBuffers:
    """The fields of `n` worlds on the device."""

    def __init__(
        self, context: GpuSimContext, layout: BufferLayout, model: Model, fresh: Data, n: int
    ) -> None:
        check_size(context, layout, n)
        self.context, self.layout, self.n = context, layout, n
        usage = context.wgpu.BufferUsage
        both = usage.STORAGE | usage.COPY_DST | usage.COPY_SRC
        with context.working():
            self.data = {
                real: self._buffer(layout.lengths["d", real] * n, both) for real in (True, False)
            }
            self.model = {
                real: self._buffer(layout.lengths["m", real], both) for real in (True, False)
            }
            self.uniform = self._buffer(4, usage.UNIFORM | usage.COPY_DST)
            context.queue.write_buffer(self.uniform, 0, np.array([n, 0, 0, 0], np.int32))
            buffers = [*self.data.values(), *self.model.values(), self.uniform]
            self.group = context.device.create_bind_group(
                layout=context.group_layout,
                entries=[
                    {"binding": i, "resource": {"buffer": b, "offset": 0, "size": b.size}}
                    for i, b in enumerate(buffers)
                ],
            )
        #: the model's numbers as the device has them
        self._sent: dict[bool, bytes] = {}
        self.write_model(model)
        self._write_columns("d", store_of(fresh).arrays)

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

    def _write_columns(self, struct: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Give every world the same numbers."""
        for real, buffer in self.data.items():
            column = self._packed(struct, real, arrays)
            self._write(buffer, 0, np.repeat(column, self.n))

    def _packed(self, struct: str, real: bool, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """All fields of a struct that share a buffer, one after the other."""
        packed = np.zeros(self.layout.lengths[struct, real], np.float32 if real else np.int32)
        for name, place in self.layout.places[struct].items():
            if place.is_real == real:
                part = packed[place.offset : place.offset + place.count]
                # a device may have less room than a new Data
                part[:] = _single(arrays[name].reshape(-1), real)[: place.count]
        return packed

    def _write(self, buffer: Any, offset: int, numbers: np.ndarray) -> None:
        if numbers.size:
            with self.context.working():
                self.context.queue.write_buffer(buffer, offset * BYTES, numbers)

    def upload(self, name: str, values: np.ndarray) -> None:
        """Write a field of all worlds, given as `(n, ...)`."""
        place = self.layout.places["d"][name]
        rows = _single(values.reshape(self.n, place.count), place.is_real)
        self._write(self.data[place.is_real], place.offset * self.n, np.ascontiguousarray(rows.T))

    def download(self, name: str) -> np.ndarray:
        """Read a field of all worlds, as `(n, count)` float64 or int32."""
        place: Place = self.layout.places["d"][name]
        dtype = np.float32 if place.is_real else np.int32
        if not place.count * self.n:
            return np.zeros((self.n, place.count), np.float64 if place.is_real else np.int32)
        found = self.context.read(
            self.data[place.is_real],
            place.offset * self.n * BYTES,
            place.count * self.n * BYTES,
        )
        table = np.frombuffer(found, dtype).reshape(place.count, self.n).T
        return np.ascontiguousarray(table, np.float64 if place.is_real else np.int32)


def _single(values: np.ndarray, real: bool) -> np.ndarray:
    """Numbers as the device holds them; what is too large for f32 becomes infinite."""
    if values.dtype == np.int64:
        # a word is two integers, the lower one first
        return np.ascontiguousarray(values).view(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        return values.astype(np.float32 if real else np.int32)
