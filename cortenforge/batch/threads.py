"""Groups of worlds over threads.

Threads are Python's own: compiled code runs without the interpreter's lock. Each takes the next
few groups when it is done with its last ones, so that a slow thread holds nobody up; which thread
steps a world does not change its bits.
"""

from __future__ import annotations

import ctypes
import itertools
from concurrent.futures import ThreadPoolExecutor

from cortenforge.batch.memory import LaneMemory
from cortenforge.batch.program import lane_linker
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Call
from cortenforge.model.model import Model

#: pieces a thread takes its share in: enough to even out, few enough to cost nothing
PIECES = 16


def run_chunks(
    model: Model,
    memory: list[LaneMemory],
    pool: ThreadPoolExecutor | None,
    entry: Kernel,
    groups: int,
    count: int,
) -> int:
    """Run an entry over all groups; the first status that is not 0, or 0."""
    function = lane_linker().function(entry)
    size = max(1, groups // (len(memory) * PIECES))
    starts = itertools.count(0, size)

    def work(own: LaneMemory) -> int:
        call = Call(model._store.address, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        # itertools.count hands out each start once, whichever thread asks
        while (start := next(starts)) < groups:
            own.count("first_group", start)
            own.count("last_group", min(start + size, groups))
            status = function(address)
            if status:
                return status
        return 0

    # the caller works, too: a thread that wakes others and then sleeps may leave them one core
    others = [pool.submit(work, own) for own in memory[1:groups]] if pool else []
    result = max(work(memory[0]), *(other.result() for other in others), 0)
    failure, lane_linker().failure = lane_linker().failure, None
    if failure is not None:
        raise failure
    return result
