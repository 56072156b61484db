"""`python -m conformance.memory`: how much memory compiling takes, with an empty cache.

Exit status 1 if the program, or a process that compiles for it, takes more than a gigabyte for 300
units. It needs Linux, which says how much a process ever took, and some minutes.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from cortenforge.cli.screen import Screen
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Linker
from cortenforge.kernel.load.workers import worker_ids
from cortenforge.warmup import every_linker

__all__ = ["compile_some", "main", "watched"]

UNITS = 300
LARGEST = 1_000_000_000
#: seconds between two looks at the workers, which end without a word
INTERVAL = 0.1


def peak(process: int) -> int:
    """The most bytes that a process ever took; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as lines:
            found = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    except OSError:
        return 0
    return 1024 * int(found[0]) if found else 0


@contextmanager
def watched() -> Iterator[dict[int, int]]:
    """The most that this process and each of its workers take meanwhile, by their ids."""
    peaks: dict[int, int] = {}
    over = threading.Event()

    def look() -> None:
        while not over.wait(INTERVAL):
            for process in (os.getpid(), *worker_ids()):
                peaks[process] = max(peaks.get(process, 0), peak(process))

    watching = threading.Thread(target=look, daemon=True)
    watching.start()
    try:
        yield peaks
    finally:
        over.set()
        watching.join()


def compile_some(linkers: list[tuple[Linker, list[Kernel]]], most: int) -> int:
    """Load so many units; how many there were."""
    count = 0
    for linker, units in linkers:
        wanted = list(islice(units, most - count))
        linker.load(wanted, progress=False)
        count += len(wanted)
    return count


def main() -> int:
    """Compile, and say what it took."""
    console = Screen()
    with tempfile.TemporaryDirectory() as folder, watched() as peaks:
        os.environ["CORTENFORGE_CACHE"] = folder
        # those of single worlds first: they are the largest family that has no lanes
        linkers = sorted(every_linker(), key=lambda pair: pair[0].structs[1].name != "Data")
        count = compile_some(linkers, UNITS)
    program = peaks.pop(os.getpid())
    console.print(
        f"{count} units: {program / 1e6:,.0f} MB in the program, {len(peaks)} workers with up to "
        f"{max(peaks.values(), default=0) / 1e6:,.0f} MB"
    )
    return int(count < UNITS or max(program, *peaks.values()) > LARGEST)


if __name__ == "__main__":
    raise SystemExit(main())
