"""Whether stepping takes memory: Python's and Numba's own counters around many steps."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass

from numba.core.runtime import _nrt_python, rtsys

import cortenforge as cf
from benchmarks.subjects import Subject

__all__ = ["Allocation", "allocations"]


#: taken in slices as many steps are, so that interrupts are heard, and counted in integers as large
FEW = 300


@dataclass(frozen=True)
class Allocation:
    """Memory taken while stepping, beyond what a call of a few steps takes."""

    subject: str
    steps: int
    python_growth: int  # bytes that stay after the steps
    python_peak: int  # bytes at the worst moment, beyond a call of a few steps
    numba_allocations: int

    @property
    def none(self) -> bool:
        return not (self.python_growth or self.python_peak or self.numba_allocations)


def allocations(subject: Subject, steps: int = 2000) -> Allocation:
    """Count what `data.step(steps)` allocates."""
    data = subject.load().make_data()
    data.step(3)
    _nrt_python.memsys_enable_stats()
    tracemalloc.start()
    try:
        _, call = _traced(data, FEW)
        before = rtsys.get_allocation_stats()
        growth, peak = _traced(data, steps)
        after = rtsys.get_allocation_stats()
    finally:
        tracemalloc.stop()
    taken = (after.alloc - before.alloc) + (after.mi_alloc - before.mi_alloc)
    return Allocation(subject.name, steps, growth, max(0, peak - call), taken)


def _traced(data: cf.Data, steps: int) -> tuple[int, int]:
    """Bytes that stay after a call, and at its peak; the second call, since the first warms up."""
    for _ in range(2):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        data.step(steps)
        after, peak = tracemalloc.get_traced_memory()
    return after - before, peak - before
