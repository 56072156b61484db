"""Several units are compiled at once, each core in a process of its own.

Workers are fresh interpreters that are given unit names and leave what they compile in the cache.
(Forking would copy a process with threads, and Python's own process pools run the user's script
again.) Without a cache that can be written, everything is compiled here, one after another.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from cortenforge.kernel.language.decorator import Kernel, body_of
from cortenforge.kernel.load.folder import cache_folder, prepare
from cortenforge.kernel.load.progress import CompileProgress

if TYPE_CHECKING:
    from cortenforge.kernel.load.link import Linker

#: a worker takes about as long to start as a small unit takes to compile
SMALLEST_SHARE = 3
WORKER = "cortenforge.kernel.load.worker"


def compile_units(cold: list[Kernel], linker: Linker, *, progress: bool) -> dict[str, bytes]:
    """Compile units, here and in workers; their object files by unit name."""
    made: dict[str, bytes] = {}
    queue: SimpleQueue[Kernel] = SimpleQueue()
    for unit in sorted(cold, key=_size, reverse=True):
        queue.put(unit)
    shared = linker.home and _can_share()
    count = min(os.cpu_count() or 1, len(cold) // SMALLEST_SHARE) - 1 if shared else 0
    with CompileProgress(len(cold), shown=progress) as bar:
        helpers = [
            threading.Thread(target=_feed_worker, args=(queue, linker, made, bar), daemon=True)
            for _ in range(count)
        ]
        for helper in helpers:
            helper.start()
        _compile_here(queue, linker, made, bar)
        for helper in helpers:
            helper.join()
        # a worker that died leaves its unit undone
        for unit in cold:
            if unit.name not in made:
                made[unit.name] = linker.compile_here(unit)
                bar.done(unit.name)
    return made


def _size(unit: Kernel) -> int:
    """How much there is to compile, roughly: the longest goes first."""
    return sum(len(part.code.co_code) for part in body_of(unit))


def _can_share() -> bool:
    folder = cache_folder()
    return bool(sys.executable) and not prepare(folder) and os.access(folder, os.W_OK)


def _compile_here(
    queue: SimpleQueue[Kernel],
    linker: Linker,
    made: dict[str, bytes],
    bar: CompileProgress,
) -> None:
    while True:
        try:
            unit = queue.get_nowait()
        except Empty:
            return
        bar.doing(unit.name)
        made[unit.name] = linker.compile_here(unit)
        bar.done(unit.name)


def _feed_worker(
    queue: SimpleQueue[Kernel],
    linker: Linker,
    made: dict[str, bytes],
    bar: CompileProgress,
) -> None:
    """Give one worker units until there are no more; what it cannot do is left to this process."""
    # a worker that cannot start, or dies, breaks its pipes
    with contextlib.suppress(OSError), _worker(linker) as process:
        assert process.stdin is not None and process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            return
        while True:
            try:
                unit = queue.get_nowait()
            except Empty:
                return
            print(unit.name, file=process.stdin, flush=True)
            answer = process.stdout.readline().strip()
            compiled = linker.kept(unit)
            if answer != unit.name or compiled is None:
                return
            made[unit.name] = compiled
            bar.done(unit.name)


def _worker(linker: Linker) -> subprocess.Popen[str]:
    environment = {**os.environ, "CORTENFORGE_CACHE": str(cache_folder().resolve())}
    environment["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(
        [sys.executable, "-m", WORKER, linker.home],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
