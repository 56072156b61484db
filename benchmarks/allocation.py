"""Whether stepping takes memory: Python's and Numba's own counters around many steps.

`python -m benchmarks.allocation` counts in a process without other threads, whose objects Python's
counter would add: one line of JSON a subject.
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from numba.core.runtime import _nrt_python, rtsys

import cortenforge as cf
from benchmarks.subjects import Subject, subjects
from cortenforge.model.data import UNSLICED_STEPS

__all__ = ["Allocation", "allocations", "main"]


#: steps of a call. More would be taken in slices, whose lengths follow the clock: counting them
#: takes one or two objects more on a busy machine
STEPS_A_CALL = UNSLICED_STEPS


@dataclass(frozen=True)
class Allocation:
    """Memory taken while stepping, beyond what a call of one step takes."""

    subject: str
    steps: int
    python_growth: int  # bytes that stay after the steps
    python_peak: int  # bytes at the worst moment, beyond a call of one step
    numba_allocations: int

    @property
    def none(self) -> bool:
        return not (self.python_growth or self.python_peak or self.numba_allocations)


def allocations(subject: Subject, steps: int = 2000) -> Allocation:
    """Count what `data.step` allocates in at least so many steps."""
    data = subject.load().make_data()
    calls = -(-steps // STEPS_A_CALL)
    data.step(3)
    _nrt_python.memsys_enable_stats()
    tracemalloc.start()
    try:
        _, call = _traced(data, 1, 1)
        before = rtsys.get_allocation_stats()
        growth, peak = _traced(data, calls, STEPS_A_CALL)
        after = rtsys.get_allocation_stats()
    finally:
        tracemalloc.stop()
    taken = (after.alloc - before.alloc) + (after.mi_alloc - before.mi_alloc)
    return Allocation(subject.name, calls * STEPS_A_CALL, growth, max(0, peak - call), taken)


def _traced(data: cf.Data, calls: int, steps: int) -> tuple[int, int]:
    """Bytes that stay after some calls, and at their peak; of a second time, the first warms up."""
    for _ in range(2):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(calls):
            data.step(steps)
        after, peak = tracemalloc.get_traced_memory()
    return after - before, peak - before


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the steps of each subject take; exit status 1 where one takes any."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.allocation", description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    steps = parser.parse_args(arguments).steps
    taken = [allocations(subject, steps) for subject in subjects()]
    for one in taken:
        print(json.dumps(asdict(one)))
    return 0 if all(one.none for one in taken) else 1


if __name__ == "__main__":
    raise SystemExit(main())
