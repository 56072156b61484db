"""Groups of worlds over threads.

Threads are Python's own: compiled code runs without the interpreter's lock. Each takes the next
few groups when it is done with its last ones, so that a slow thread delays no other; which thread
steps a world does not change its bits.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Any, TypeVar

from cortenforge.batch.memory import LaneMemory
from cortenforge.errors import ArgumentError
from cortenforge.kernel.load.link import Call
from cortenforge.model.calls.guard import CALLBACK_WORLDS, free_after_fork, register_fork_handler
from cortenforge.model.calls.threads import ThreadPool, deferred_signals

#: pieces a thread takes its share in: enough to even out, few enough to cost nothing
PIECES_PER_THREAD = 16


F = TypeVar("F", bound=Callable[..., Any])


#: calls of batches that this one is a part of, each with how many callbacks were around it
WITHIN: ContextVar[tuple[tuple[object, int], ...]] = ContextVar("WITHIN", default=())


class BatchThreads(ThreadPool):
    """Threads that work for one batch, and the lock that lets one call after another in."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.lock: Any = threading.RLock()
        #: the call that holds it
        self.current: object = None
        register_fork_handler(self)

    def enter(self) -> Any:
        """The lock, to be held for the time of a call."""
        return self.lock

    def after_fork(self) -> None:
        """Free the lock, if a thread held it that the forked process does not have."""
        if not self.lock._is_owned():
            self.current = None
        free_after_fork(self.lock)


def signals_deferred(*, apart: bool) -> AbstractContextManager[Any]:
    """apart: a call has several parts, between which no handler of a signal may raise.

    What is one compiled call is whole anyway.
    """
    return deferred_signals() if apart else nullcontext()


def locked(method: F) -> F:
    """Serialise calls of a batch's methods, whichever threads they come from.

    Calls that are part of another one go through, also those of threads that help with it; but
    for those of a callback, in the midst of a step.
    """

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        crew, within, depth = self._crew, WITHIN.get(), len(CALLBACK_WORLDS.get())
        for around, callbacks in within:
            if around is crew.current:
                if depth > callbacks:
                    raise ArgumentError(
                        f"a callback cannot call {method.__name__} of the batch that is being "
                        "stepped: its worlds are in the middle of a step; the Data of the "
                        "callback can be read"
                    )
                return method(self, *args, **kwargs)
        with crew.enter():
            # with a new name for each call, nothing is taken for a part of one that was broken off
            one = object()
            before = WITHIN.set((*within, (one, depth)))
            try:
                crew.current = one
                return method(self, *args, **kwargs)
            finally:
                crew.current = None
                WITHIN.reset(before)

    return call  # type: ignore[return-value]


def resume_with_more_room(
    own: LaneMemory, function: Callable[..., int], address: Any, stopped: int
) -> None:
    """Make room where a world found too little, and go on with its group, until all is done."""
    while stopped:
        own.make_room()
        own.count("first_group", stopped - 1)
        own.count("resumed", 1)
        own.count("first_step", int(own.stopped_at[0]))
        stopped = function(address)


def run_whole(own: LaneMemory, function: Callable[..., int], address: Any) -> bool:
    """Run an entry over the given groups; returns whether memory had to grow.

    A handler of a signal may raise when the entry comes back: it has given its answer by then, and
    what it asks for is done first.
    """
    answer: list[int] = []
    try:
        # map calls the entry and extend takes its answer without an instruction in between
        answer.extend(map(function, (address,)))
    finally:
        if answer and answer[0]:
            with deferred_signals():
                resume_with_more_room(own, function, address, answer[0])
    return bool(answer[0])


def run_groups(
    crew: BatchThreads,
    function: Callable[..., int],
    memory: list[tuple[int, LaneMemory]],
    groups: int,
    count: int,
) -> None:
    """Run an entry over all groups; memory: for each thread, the model's block and its lanes."""
    # a thread by itself takes all groups in one call
    size = (
        max(1, groups // (len(memory) * PIECES_PER_THREAD)) if len(memory) > 1 else max(1, groups)
    )
    starts = itertools.count(0, size)

    def work(m: int, own: LaneMemory) -> None:
        call = Call(m, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        # itertools.count hands out each start once, whichever thread asks
        while (start := next(starts)) < groups:
            own.count("first_group", start)
            own.count("last_group", min(start + size, groups))
            own.count("resumed", 0)
            run_whole(own, function, address)

    if len(memory) == 1:
        work(*memory[0])
    else:
        crew.each([functools.partial(work, m, own) for m, own in memory[: max(1, groups)]])
