"""Threads that share the work of one call, and signals that are deferred until it ends.

Python's signal handlers run in the main thread, between any two of its instructions, and may raise.
Where several threads work on parts of one call, that would leave threads running or a part
unfinished: so handlers are called when all parts are done.
"""

from __future__ import annotations

# `signal` makes enumerations of all that it gives, which takes twenty times as long
import _signal  # type: ignore[import-not-found]
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

_SIGNALS = sorted(int(number) for number in signal.valid_signals())
#: whether handlers are deferred already; used by the main thread only
_signals_deferred = False


class ThreadPool:
    """A pool of threads for one object; a forked process makes its own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._process = -1
        self._pool: ThreadPoolExecutor | None = None

    def _ready(self) -> ThreadPoolExecutor | None:
        """Threads do not survive a fork."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        return self._pool

    def each(self, jobs: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run jobs concurrently; the calling thread runs the first.

        (A thread that wakes others and then sleeps may leave them one core.)
        Raises what the first of them raised, when all are done.
        """
        pool = self._ready()
        if pool is None or len(jobs) < 2:
            return [job() for job in jobs]
        with deferred_signals():
            others = _submit_jobs(pool, jobs[1:])
            try:
                first = jobs[0]()
                # a process that is ending starts no threads any more
                rest = [job() for job in jobs[1 + len(others) :]]
            finally:
                wait(others)
            return [first, *(other.result() for other in others), *rest]


def _submit_jobs(pool: ThreadPoolExecutor, jobs: Sequence[Callable[[], Any]]) -> list[Future[Any]]:
    """Submit jobs until no thread can be started; returns their futures."""
    made: list[Future[Any]] = []
    for job in jobs:
        try:
            made.append(pool.submit(copy_context().run, job))
        except RuntimeError:
            break
    return made


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer signal handlers to the end of the block, so that no world is left in mid-step."""
    global _signals_deferred
    if _signals_deferred or threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[int] = []

    def note(number: int, frame: Any) -> None:
        if number not in noted:
            noted.append(number)

    found = {number: _signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in found.items() if callable(handler)}
    try:
        _signals_deferred = True
        _set_handlers(dict.fromkeys(before, note))
        yield
    finally:
        _signals_deferred = False
        raised = [*_set_handlers(before), *_raise_signals(noted)]
        if raised:
            raise raised[0]


def _set_handlers(handlers: dict[int, Any]) -> list[BaseException]:
    """Set all handlers; returns exceptions that handlers raise meanwhile."""
    raised: list[BaseException] = []
    while True:
        try:
            for number, handler in handlers.items():
                _signal.signal(number, handler)
        except BaseException as error:  # of a handler: setting them once more does no harm
            raised.append(error)
        else:
            return raised


def _raise_signals(numbers: list[int]) -> list[BaseException]:
    """Raise deferred signals; returns exceptions of their handlers."""
    raised: list[BaseException] = []
    for number in numbers:
        try:
            signal.raise_signal(number)
        except BaseException as error:  # what it is, is the handler's affair
            raised.append(error)
    return raised
