"""Groups of worlds over threads.

Threads are Python's own: compiled code runs without the interpreter's lock. Each takes the next
few groups when it is done with its last ones, so that a slow thread holds nobody up; which thread
steps a world does not change its bits.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from cortenforge.batch.memory import LaneMemory
from cortenforge.kernel.load.link import Call

#: pieces a thread takes its share in: enough to even out, few enough to cost nothing
PIECES = 16


class Crew:
    """Threads that work for one batch, one call at a time; a forked process gets its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._process = -1

    def _ready(self) -> None:
        """Threads and locks do not survive a fork."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._lock = threading.Lock()
            self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def working(self, *, apart: bool) -> AbstractContextManager[Any]:
        """One call at a time; apart: it has several parts, between which no interrupt may come.

        What is one compiled call is whole anyway, and to hold an interrupt back takes 15 us.
        """
        self._ready()
        return self._whole() if apart else self._lock

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Alone, and without interrupts."""
        with self._lock, interrupts_wait():
            yield

    def each(self, jobs: list[Callable[[], Any]]) -> list[Any]:
        """Do jobs at the same time; the caller takes the first.

        (A thread that wakes others and then sleeps may leave them one core.)
        """
        others = [self._pool.submit(job) for job in jobs[1:]] if self._pool else []
        results = [job() for job in (jobs[:1] if self._pool else jobs)]
        return results + [other.result() for other in others]


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Ctrl-C takes effect behind the block, so that no world is left half way."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[tuple[int, Any]] = []
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda number, frame: noted.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
    if noted and callable(before):
        before(*noted[0])


def resume(own: LaneMemory, function: Callable[..., int], address: Any, stopped: int) -> None:
    """Make room where a world found too little, and go on with its group, until all is done."""
    while stopped:
        own.make_room()
        own.count("first_group", stopped - 1)
        own.count("resumed", 1)
        own.count("first_step", int(own.stopped_at[0]))
        stopped = function(address)


def run_groups(
    crew: Crew,
    function: Callable[..., int],
    memory: list[tuple[int, LaneMemory]],
    groups: int,
    count: int,
) -> None:
    """Run an entry over all groups; memory: for each thread, the model's block and its lanes."""
    # a thread by itself takes all groups in one call
    size = max(1, groups // (len(memory) * PIECES)) if len(memory) > 1 else max(1, groups)
    starts = itertools.count(0, size)

    def work(m: int, own: LaneMemory) -> None:
        call = Call(m, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        # itertools.count hands out each start once, whichever thread asks
        while (start := next(starts)) < groups:
            own.count("first_group", start)
            own.count("last_group", min(start + size, groups))
            own.count("resumed", 0)
            stopped = function(address)
            if stopped:
                with interrupts_wait():
                    resume(own, function, address, stopped)

    if len(memory) == 1:
        work(*memory[0])
    else:
        crew.each([functools.partial(work, m, own) for m, own in memory[: max(1, groups)]])
