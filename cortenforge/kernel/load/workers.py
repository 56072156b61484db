"""Units are compiled in processes that end, several at once.

What Numba and LLVM keep of a unit, some ten megabytes, they keep for the life of a process. So
units are compiled by workers: fresh interpreters that are given the names of units, answer with
linked code, and end when they have grown or have nothing to do. (Forking would copy a process
with threads, and Python's own process pools run the user's script again.) What workers cannot do,
such as units of a program's own linker, is compiled here.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING

from cortenforge.kernel.cpu.linked_code import LinkedCode, read_linked_code
from cortenforge.kernel.cpu.symbols import function_name
from cortenforge.kernel.language.decorator import Kernel, body_of
from cortenforge.kernel.load.cache import NOT_KEPT
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.kernel.load.folder import cache_folder, prepare, warn_once
from cortenforge.kernel.load.progress import CompileProgress

if TYPE_CHECKING:
    from cortenforge.kernel.load.link import Linker

#: a worker takes about as long to start as a small unit takes to compile
SMALLEST_SHARE = 3
WORKER = "cortenforge.kernel.load.worker"
#: a worker that is asked nothing for this long ends; it is not asked again shortly before
IDLE_SECONDS = 30.0
SAFE_TO_ASK = 0.8 * IDLE_SECONDS
#: what is started may not be a Python that answers
START_SECONDS = 60.0


def compile_units(cold: list[Kernel], linker: Linker, *, progress: bool) -> dict[str, LinkedCode]:
    """Compile units in workers, and here what is left; their code by unit name."""
    with CompileProgress({unit.name: code_size(unit) for unit in cold}, shown=progress) as bar:
        shift = CompilationQueue(linker, cold, bar)
        if linker.home and _knows_its_interpreter():
            shift.work(min(usable_cores(), -(-len(cold) // SMALLEST_SHARE)))
        # what a worker could not do, or died of
        for unit in cold:
            if unit.name not in shift.made:
                bar.doing(unit.name)
                shift.made[unit.name] = linker.compile_here(unit)
                bar.done(unit.name)
    return shift.made


def _knows_its_interpreter() -> bool:
    """Whether a fresh Python can be started: a program packed into one file is none."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def code_size(unit: Kernel) -> int:
    """How much there is to compile, which says roughly how long it takes."""
    return sum(len(part.code.co_code) for part in body_of(unit))


class Worker:
    """A process that compiles units, one at a time."""

    def __init__(self) -> None:
        self.surroundings = _surroundings()
        environment = {**os.environ, "CORTENFORGE_CACHE": str(cache_folder().resolve())}
        environment["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
        self.process = subprocess.Popen(
            [sys.executable, "-m", WORKER, str(IDLE_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        _alive.add(self)
        self.asked = time.monotonic()
        #: whether it ends by itself after its last answer
        self.ends = False
        self._await_readiness()

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """To it and from it."""
        assert self.process.stdin is not None and self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def _await_readiness(self) -> None:
        patience = threading.Timer(START_SECONDS, self.process.kill)
        patience.daemon = True
        patience.start()
        try:
            self._expect(self.pipes[1].readline() == b"ready\n")
        finally:
            patience.cancel()

    def _expect(self, right: bool) -> None:
        if not right:
            self.close()
            raise BrokenPipeError(
                "a process that compiles kernels ended, or gave an unexpected answer"
            )

    def compile(self, unit: Kernel, linker: Linker) -> LinkedCode | None:
        """A unit's code; None if it cannot be compiled there. OSError: the worker died."""
        key = linker.key(unit)
        given, answers = self.pipes
        given.write(f"{linker.home} {unit.name} {key}\n".encode())
        given.flush()
        heading = answers.readline().decode(errors="replace").split()
        self._expect(len(heading) == 3 and heading[0] == key and heading[1].isdecimal())
        code = answers.read(int(heading[1]))
        self._expect(len(code) == int(heading[1]))
        self.asked, self.ends = time.monotonic(), heading[2] == "last"
        return read_linked_code(code, function_name(unit))

    def can_be_asked(self) -> bool:
        """Whether it is there, stays for a while, and would find what a new one finds."""
        stays = not self.ends and time.monotonic() - self.asked < SAFE_TO_ASK
        return stays and self.process.poll() is None and self.surroundings == _surroundings()

    def close(self) -> None:
        """End it, whatever it is doing: what is in the cache is always whole."""
        _alive.discard(self)
        self.process.kill()
        self.process.wait()
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()


def _surroundings() -> tuple[str, ...]:
    """Where a worker keeps units and finds modules."""
    return (str(cache_folder()), *sys.path)


#: all workers of this process, and those that wait for units; whoever takes one has it alone
_alive: set[Worker] = set()
_idle: SimpleQueue[Worker] = SimpleQueue()


def worker_ids() -> list[int]:
    """Processes that compile for this one, at work or waiting."""
    return [worker.process.pid for worker in list(_alive)]


def _take_worker() -> Worker:
    while True:
        try:
            worker = _idle.get_nowait()
        except Empty:
            return Worker()
        if worker.can_be_asked():
            return worker
        worker.close()


def _give_back(worker: Worker) -> None:
    if worker.can_be_asked():
        _idle.put(worker)
    else:
        worker.close()


@atexit.register
def end_workers() -> None:
    """End all workers of this process, those that are at work, too."""
    for worker in list(_alive):
        worker.close()


def _leave_workers_to_parent() -> None:
    """In a forked child: the workers are its parent's."""
    global _idle
    for worker in _alive:
        worker.process.returncode = 0
    _alive.clear()
    _idle = SimpleQueue()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_workers_to_parent)


class CompilationQueue:
    """Units that are given to workers, and what these make of them."""

    def __init__(self, linker: Linker, units: list[Kernel], bar: CompileProgress) -> None:
        self.linker, self.bar = linker, bar
        self.made: dict[str, LinkedCode] = {}
        self.queue: SimpleQueue[Kernel] = SimpleQueue()
        # the largest first, so that none is left alone at the end
        for unit in sorted(units, key=code_size, reverse=True):
            self.queue.put(unit)
        self.over = False

    def work(self, count: int) -> None:
        """Let some workers do all they can, each fed by a thread that waits for its answers."""
        problem = prepare(cache_folder())
        if problem:
            warn_once(NOT_KEPT.format(problem))
        feeders: list[threading.Thread] = []
        try:
            # a process that is about to end starts no threads any more
            with contextlib.suppress(RuntimeError):
                for _ in range(count):
                    feeder = threading.Thread(target=self._feed, daemon=True)
                    feeder.start()
                    feeders.append(feeder)
            for feeder in feeders:
                feeder.join()
        finally:
            # after Ctrl-C, what workers are at goes into the cache, and they start nothing new
            self.over = True

    def _feed(self) -> None:
        """Give one worker units; one that has grown is replaced, one that dies is not."""
        with contextlib.suppress(OSError):
            worker = _take_worker()
            while unit := self._next():
                self.bar.doing(unit.name)
                if not worker.can_be_asked():
                    worker.close()
                    worker = _take_worker()
                code = worker.compile(unit, self.linker)
                if code is not None:
                    self.made[unit.name] = code
                    self.bar.done(unit.name)
            _give_back(worker)

    def _next(self) -> Kernel | None:
        try:
            return None if self.over else self.queue.get_nowait()
        except Empty:
            return None
