"""`python -m cortenforge.kernel.load.worker SECONDS`: compiles units named on standard input.

Each line is `HOME UNIT KEY`: where the unit's linker is, `module:name.name`, the unit's name, and
the name that its code has in the cache. The answer is a line `KEY SIZE more` and the linked code;
its size is 0 if it cannot be made here. A worker that has grown says `last` instead of `more` and
ends, as one does that is asked nothing for so many seconds.
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

#: A worker ends when it has this many bytes, or has made this many units, whatever comes first.
#: Numba and LLVM take 250 MB to begin with and keep some ten of every unit; but what units share
#: is compiled once in the life of a worker, so that should not be short.
LARGEST = 600_000_000
MOST_UNITS = 100


def main() -> None:
    """Answer until there is nothing more to do, or for too long nothing."""
    # Ctrl-C is for the program; whether it goes on is said by its end of the pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    idle_seconds, answers = float(sys.argv[1]), sys.stdout.buffer
    # whatever a kernel's module prints is no answer
    sys.stdout = sys.stderr
    answers.write(b"ready\n")
    answers.flush()
    for units in range(1, MOST_UNITS + 1):
        patience = threading.Timer(idle_seconds, os._exit, (0,))
        patience.daemon = True
        patience.start()
        asked = sys.stdin.readline().split()
        patience.cancel()
        if len(asked) != 3:
            break
        code = compiled(*asked)
        last = units == MOST_UNITS or memory() > LARGEST
        answers.write(f"{asked[2]} {len(code)} {'last' if last else 'more'}\n".encode() + code)
        answers.flush()
        if last:
            break
    # nothing of Numba's is worth tidying up
    os._exit(0)


def compiled(home: str, name: str, key: str) -> bytes:
    """A unit's code; b"" if the unit is not known here, is another one, or has an error."""
    try:
        linker = linker_of(home)
        unit = next(one for one in all_kernels() if one.name == name)
        if linker.key(unit) != key:
            return b""
        with claimed_for_making(key):
            # others may have compiled it meanwhile
            return (linker.kept(unit) or linker.compile_here(unit)).to_bytes()
    except Exception:
        # the program compiles it itself, and has the error where the user sees it
        return b""


#: made once, because a linker has a compiler, and that has what is compiled
linker_of: functools._lru_cache_wrapper[Linker] = functools.cache(linker_at)


def memory() -> int:
    """Bytes of memory that this process takes; 0 where the system does not say.

    The most it ever took, which the system knows as well, would be its parent's, too.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    main()
