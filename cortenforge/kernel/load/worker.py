"""`python -m cortenforge.kernel.load.worker SECONDS`: compiles units named on standard input.

A request is a line `HOME UNIT KEY`: the import path of the unit's linker (`module:name.name`), the
unit's name, and its key in the cache. The reply is a line `KEY SIZE more`, followed by SIZE bytes
of linked code; SIZE is 0 if the unit could not be compiled. A worker that has used much memory
replies `last` instead of `more` and exits. It also exits after SECONDS without a request.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading

from cortenforge.kernel.language.decorator import all_kernels
from cortenforge.kernel.load.cache import claimed_for_making
from cortenforge.kernel.load.link import Linker, linker_at

#: A worker exits when it uses this many bytes, or has compiled this many units. Numba and LLVM take
#: 250 MB at the start and 10 MB for each unit. Code that units share is compiled once a worker, so
#: a worker should compile many units.
LARGEST = 600_000_000
MOST_UNITS = 100


def main() -> None:
    """Serve requests until the input ends, memory has grown, or none came for too long."""
    # Ctrl-C is handled by the parent; this process ends when the pipe is closed
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    idle_seconds, answers = float(sys.argv[1]), sys.stdout.buffer
    # output of imported modules must not mix with replies
    sys.stdout = sys.stderr
    answers.write(b"ready\n")
    answers.flush()
    for units in range(1, MOST_UNITS + 1):
        timer = threading.Timer(idle_seconds, os._exit, (0,))
        timer.daemon = True
        timer.start()
        request = sys.stdin.readline().split()
        timer.cancel()
        if len(request) != 3:
            break
        code = compiled_code(*request)
        last = units == MOST_UNITS or resident_memory() > LARGEST
        answers.write(f"{request[2]} {len(code)} {'last' if last else 'more'}\n".encode() + code)
        answers.flush()
        if last:
            break
    # skip the shutdown of Numba, which takes long
    os._exit(0)


def compiled_code(home: str, name: str, key: str) -> bytes:
    """Linked code of a unit; b"" if it is unknown here, has another key, or does not compile."""
    try:
        linker = linker_of(home)
        unit = next(one for one in all_kernels() if one.name == name)
        if linker.key(unit) != key:
            return b""
        with claimed_for_making(key):
            # another process may have compiled it in the meantime
            return (linker.kept(unit) or linker.compile_here(unit)).to_bytes()
    except Exception:
        # the parent then compiles it itself and raises the error
        return b""


#: cached, since a linker keeps its compiler and the functions compiled so far
linker_of: functools._lru_cache_wrapper[Linker] = functools.cache(linker_at)


def resident_memory() -> int:
    """Resident memory of this process in bytes; 0 where the system does not report it.

    Not the peak (`ru_maxrss`), which a child process inherits from its parent.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    main()
