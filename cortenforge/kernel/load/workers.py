"""Worker processes that compile units in parallel.

Numba and LLVM keep about ten megabytes of each unit until their process exits. So units are
compiled by workers: new interpreters that receive the names of units, return linked code, and exit
when they use much memory or are idle. (Forking would copy a process with threads, and
`multiprocessing` would run the user's script again.) Units that a worker cannot compile, such as
those of a linker that a program made itself, are compiled in this process.
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

#: least number of units per worker: starting one takes as long as compiling a small unit
SMALLEST_SHARE = 3
WORKER = "cortenforge.kernel.load.worker"
#: an idle worker exits after this time; it gets no new units shortly before
IDLE_SECONDS = 30.0
SAFE_TO_ASK = 0.8 * IDLE_SECONDS
#: time for a worker to start: `sys.executable` may not be a working interpreter
START_SECONDS = 60.0


def compile_units(cold: list[Kernel], linker: Linker, *, progress: bool) -> dict[str, LinkedCode]:
    """Compile units in workers, and the remaining ones in this process: code by unit name."""
    with CompileProgress({unit.name: code_size(unit) for unit in cold}, shown=progress) as bar:
        queue = CompilationQueue(linker, cold, bar)
        if linker.home and _knows_its_interpreter():
            queue.run_workers(min(usable_cores(), -(-len(cold) // SMALLEST_SHARE)))
        # units that no worker could compile, or on which a worker died
        for unit in cold:
            if unit.name not in queue.made:
                bar.doing(unit.name)
                queue.made[unit.name] = linker.compile_here(unit)
                bar.done(unit.name)
    return queue.made


def _knows_its_interpreter() -> bool:
    """Whether `sys.executable` is a Python interpreter, and not a program frozen into one file."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def code_size(unit: Kernel) -> int:
    """Bytecode of a unit, approximately proportional to its compile time."""
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
        #: whether the worker exits after its last reply
        self.ends = False
        self._await_readiness()

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Pipes to and from the worker."""
        assert self.process.stdin is not None and self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def _await_readiness(self) -> None:
        timer = threading.Timer(START_SECONDS, self.process.kill)
        timer.daemon = True
        timer.start()
        try:
            self._expect(self.pipes[1].readline() == b"ready\n")
        finally:
            timer.cancel()

    def _expect(self, right: bool) -> None:
        if not right:
            self.close()
            raise BrokenPipeError(
                "a process that compiles kernels ended, or gave an unexpected answer"
            )

    def compile(self, unit: Kernel, linker: Linker) -> LinkedCode | None:
        """Linked code of a unit; None if the worker cannot compile it. OSError: the worker died."""
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
        """Whether it runs, does not exit soon, and has the present cache folder and sys.path."""
        stays = not self.ends and time.monotonic() - self.asked < SAFE_TO_ASK
        return stays and self.process.poll() is None and self.surroundings == _surroundings()

    def close(self) -> None:
        """Kill the worker; files of the cache are written atomically, so all stay complete."""
        _alive.discard(self)
        self.process.kill()
        self.process.wait()
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()


def _surroundings() -> tuple[str, ...]:
    """Cache folder and module search path that a new worker would get."""
    return (str(cache_folder()), *sys.path)


#: all workers of this process, and the idle ones among them
_alive: set[Worker] = set()
_idle: SimpleQueue[Worker] = SimpleQueue()


def worker_ids() -> list[int]:
    """Process ids of all workers, busy or idle."""
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
    """Kill all workers of this process, busy ones included."""
    for worker in list(_alive):
        worker.close()


def _leave_workers_to_parent() -> None:
    """Forget all workers in a forked child: they belong to the parent."""
    global _idle
    for worker in _alive:
        worker.process.returncode = 0
    _alive.clear()
    _idle = SimpleQueue()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_workers_to_parent)


class CompilationQueue:
    """Queue of units to be compiled, and the code that workers have returned."""

    def __init__(self, linker: Linker, units: list[Kernel], bar: CompileProgress) -> None:
        self.linker, self.bar = linker, bar
        self.made: dict[str, LinkedCode] = {}
        self.queue: SimpleQueue[Kernel] = SimpleQueue()
        # the largest first, so that none is left alone at the end
        for unit in sorted(units, key=code_size, reverse=True):
            self.queue.put(unit)
        self.over = False

    def run_workers(self, count: int) -> None:
        """Compile with `count` workers, each served by a thread of this process."""
        problem = prepare(cache_folder())
        if problem:
            warn_once(NOT_KEPT.format(problem))
        threads: list[threading.Thread] = []
        try:
            # at interpreter exit no thread can be started
            with contextlib.suppress(RuntimeError):
                for _ in range(count):
                    thread = threading.Thread(target=self._serve_worker, daemon=True)
                    thread.start()
                    threads.append(thread)
            for thread in threads:
                thread.join()
        finally:
            # after Ctrl-C workers finish their unit, which goes into the cache, and start no other
            self.over = True

    def _serve_worker(self) -> None:
        """Send units to one worker; it is replaced when it exits for memory, not when it dies."""
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
