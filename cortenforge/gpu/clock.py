"""The time that a device takes for what is submitted, by timestamps that it writes itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.gpu.context import GpuSimContext

#: bytes of a timestamp
TIMESTAMP = 8


class DeviceClock:
    """Timestamps at the beginning and the end of the last submission that was given the clock."""

    def __init__(self, context: GpuSimContext) -> None:
        self._context = context
        device, usage = context.device, context.wgpu.BufferUsage
        self._queries = device.create_query_set(type="timestamp", count=2)
        size = 2 * TIMESTAMP
        self._resolved = device.create_buffer(
            size=size, usage=usage.QUERY_RESOLVE | usage.COPY_SRC | usage.COPY_DST
        )

    @property
    def of_pass(self) -> dict[str, Any]:
        """What a compute pass is given, so that it is timed."""
        return {
            "query_set": self._queries,
            "beginning_of_pass_write_index": 0,
            "end_of_pass_write_index": 1,
        }

    def resolve(self, encoder: Any) -> None:
        """Bring the timestamps to memory, behind a pass."""
        encoder.resolve_query_set(self._queries, 0, 2, self._resolved, 0)

    def seconds(self) -> float:
        """Time between both, once the submission is done."""
        numbers = self._context.read(self._resolved, 0, 2 * TIMESTAMP)
        first, last = np.frombuffer(numbers, np.uint64)
        # a device may count backwards across its cores; wgpu gives ticks, not nanoseconds
        ticks = max(0, int(last) - int(first))
        return 1e-9 * ticks * self._context.nanoseconds_a_tick()
