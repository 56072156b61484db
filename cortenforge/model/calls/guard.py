"""Thread guards: one thread at a time in a Data or Renderer, none in a model that changes.

Compiled code runs without the interpreter's lock, on memory that Python may move. So a Data has a
guard: its methods refuse a second thread while a call of the first is under way, and let the first
one in again (a method calls others). And a model has a gate: calls that read it are counted by
thread, and whoever changes it waits until they are over, and holds others back.
"""

from __future__ import annotations

import functools
import inspect
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from cortenforge.errors import ModelError, ThreadError

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

F = TypeVar("F", bound=Callable[..., Any])

#: worlds for which Python functions are being called, in this thread or on its behalf
CALLBACK_WORLDS: ContextVar[tuple[Data, ...]] = ContextVar("CALLING", default=())
#: seconds that a change waits for a callback in another thread, which may wait for the change
CHANGE_TIMEOUT = 20.0
#: seconds between polls of the calls under way
POLL_INTERVAL = 1e-4


#: objects with locks: threads that held them do not survive a fork
_fork_handlers: WeakSet[Any] = WeakSet()


def register_fork_handler(owner: Any) -> None:
    """Register an object whose `after_fork` is called in a forked process."""
    _fork_handlers.add(owner)


def free_after_fork(lock: Any) -> None:
    """Reset a lock in a forked process, unless the surviving thread holds it."""
    if not lock._is_owned():
        lock._at_fork_reinit()


def _reset_locks_after_fork() -> None:
    for owner in list(_fork_handlers):
        owner.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_locks_after_fork)


class Gate:
    """Readers-writer gate of a model: calls that read it, and the thread that changes it."""

    def __init__(self) -> None:
        #: calls under way, by thread
        self.inside: dict[int, int] = {}
        #: threads that are in a Python callback
        self.calling: set[int] = set()
        #: the thread that changes the model
        self.writer: int | None = None
        #: threads that wait to change it: they do not read meanwhile
        self._waiting: set[int] = set()
        #: threads that work for the one that changes it
        self._helping: set[int] = set()
        self._turn: Any = threading.RLock()
        register_fork_handler(self)

    def wait(self, me: int, count: int) -> None:
        """Wait until no other thread changes the model, unless that one waits for us."""
        while not count and self.writer not in (None, me) and me not in self._helping:
            self.inside.pop(me, None)
            with self._turn:
                pass
            self.inside[me] = 1

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A call that reads the model."""
        me = get_ident()
        count = self.inside.get(me, 0)
        try:
            self.inside[me] = count + 1
            if self.writer is not None:
                self.wait(me, count)
            yield
        finally:
            self._set(me, count)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Not a reader for the block, in which other threads read for this one."""
        me = get_ident()
        count = self.inside.get(me, 0)
        try:
            self.inside.pop(me, None)
            yield
        finally:
            self._set(me, count)

    @contextmanager
    def helping(self) -> Iterator[None]:
        """Read the model for the thread that changes it."""
        me = get_ident()
        self._helping.add(me)
        try:
            yield
        finally:
            self._helping.discard(me)

    def _set(self, me: int, count: int) -> None:
        if count:
            self.inside[me] = count
        else:
            self.inside.pop(me, None)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the model, when no other thread reads it."""
        for data in CALLBACK_WORLDS.get():
            if data.model._gate is self:
                raise ModelError(
                    "a callback cannot change the model of the step that it is called from: "
                    "change it between steps"
                )
        me = get_ident()
        if me in self._helping:
            raise ModelError("the model cannot be changed while its constants are being computed")
        self._waiting.add(me)
        try:
            with self._turn:
                before = self.writer
                try:
                    self.writer = me
                    self._waiting.discard(me)
                    self._wait_for_readers(me)
                    yield
                finally:
                    self.writer = before
        finally:
            self._waiting.discard(me)

    def _wait_for_readers(self, me: int) -> None:
        start = time.monotonic()
        while others := self._readers() - self._waiting - self._helping - {me}:
            if others <= self.calling and time.monotonic() - start > CHANGE_TIMEOUT:
                raise ThreadError(
                    f"the model cannot be changed: for {CHANGE_TIMEOUT:g} s, another thread has "
                    "been in a callback of a step of it"
                )
            time.sleep(POLL_INTERVAL)

    def _readers(self) -> set[int]:
        """Threads with a call under way; entries of finished ones are removed."""
        for thread in list(self.inside):
            if not self.inside.get(thread, 1):
                self.inside.pop(thread, None)
        return set(self.inside)

    def after_fork(self) -> None:
        """Keep only this thread: no other survives a fork."""
        me = get_ident()
        for thread in set(self.inside) - {me}:
            del self.inside[thread]
        for threads in (self.calling, self._waiting, self._helping):
            threads &= {me}
        if self.writer != me:
            self.writer = None
        free_after_fork(self._turn)


class Guard:
    """Lets one thread at a time into an object of a model."""

    __slots__ = ("__weakref__", "gate", "inside", "lock", "turns", "what")

    def __init__(self, model: Model, what: str, lock: Any = None) -> None:
        """
        what: the kind of object, for messages.
        lock: an RLock that is shared with another object.
        """
        self.what = what
        self.move_to(model)
        self.lock: Any = lock or threading.RLock()
        #: for calls that wait instead of being refused
        self.turns: Any = threading.RLock()
        register_fork_handler(self)

    def move_to(self, model: Model) -> None:
        """Guard an object of this model from the next call on."""
        self.gate = model._gate
        self.inside = model._gate.inside

    def refusal(self) -> ThreadError:
        """The error for a second thread."""
        return ThreadError(
            f"another thread is in a call of this {self.what}, which serves one at a time: give "
            "each thread its own, or hold a lock around calls"
        )

    def after_fork(self) -> None:
        """Reset locks in a forked process."""
        free_after_fork(self.lock)
        free_after_fork(self.turns)


def exclusive(method: F) -> F:
    """Decorator: a method of an object with a `_guard` refuses a second thread."""
    if takes_only_self(method):
        return exclusive_without_arguments(method)

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        guard = self._guard
        lock = guard.lock
        # a signal's handler may raise behind any call: whoever owns the lock then gives it back
        try:
            if lock.acquire(False):
                inside, me = guard.inside, get_ident()
                count = inside.get(me, 0)
                try:
                    inside[me] = count + 1
                    if guard.gate.writer is not None:
                        guard.gate.wait(me, count)
                    return method(self, *args, **kwargs)
                finally:
                    # a zero stays: to delete it would let the dictionary allocate now and then
                    inside[me] = count
        finally:
            if lock._is_owned():
                lock.release()
        raise guard.refusal()

    return call  # type: ignore[return-value]


def exclusive_without_arguments(method: F) -> F:
    """The same for methods without arguments: to pass on none costs a third of a small call."""

    @functools.wraps(method)
    def call(self: Any) -> Any:
        guard = self._guard
        lock = guard.lock
        try:
            if lock.acquire(False):
                inside, me = guard.inside, get_ident()
                count = inside.get(me, 0)
                try:
                    inside[me] = count + 1
                    if guard.gate.writer is not None:
                        guard.gate.wait(me, count)
                    return method(self)
                finally:
                    inside[me] = count
        finally:
            if lock._is_owned():
                lock.release()
        raise guard.refusal()

    return call  # type: ignore[return-value]


def takes_only_self(method: Callable[..., Any]) -> bool:
    """Whether a method has no parameter but its object."""
    code = getattr(inspect.unwrap(method), "__code__", None)
    if code is None or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return False
    return bool(code.co_argcount == 1 and not code.co_kwonlyargcount)


@exclusive
def call_exclusively(owner: Any, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function under the guard of an object."""
    return function(*args)


def refuse_in_callbacks(method: F) -> F:
    """Decorator: a method of a Data is refused while a callback of that Data runs."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._caller.refuse(method.__name__)
        return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]


def serialized(method: F) -> F:
    """Decorator: concurrent calls of such methods of an object wait for each other."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._guard.turns:
            return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]


def guard_public_methods(
    kind: type, *, refused: set[str], in_turn: set[str], skipped: set[str]
) -> None:
    """Give every public method and property of a class the guard.

    refused: methods that cannot be called from a callback.
    in_turn: methods that do not change the object: concurrent calls wait.
    skipped: methods that only make views.
    """
    for name in dict.fromkeys(name for base in kind.__mro__ for name in vars(base)):
        found = getattr(kind, name) if not name.startswith("_") and name not in skipped else None
        if isinstance(found, property) and found.fget is not None:
            setattr(kind, name, property(exclusive(found.fget), doc=found.__doc__))
        elif isinstance(found, type(guard_public_methods)):
            method = exclusive(refuse_in_callbacks(found) if name in refused else found)
            setattr(kind, name, serialized(method) if name in in_turn else method)
