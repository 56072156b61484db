"""Types of every unit in every layout: one world, worlds in lockstep, those that differ in their
model, and one world among others.

`python -m conformance.units` takes two minutes and makes no code; `cortenforge warmup` compiles.
"""

from __future__ import annotations

import sys
import time

from cortenforge.errors import CompilationError
from cortenforge.kernel import Kernel
from cortenforge.kernel.cpu.compile import Compiler
from cortenforge.kernel.load.link import Linker
from cortenforge.warmup import every_linker


def mistyped(linker: Linker, units: list[Kernel]) -> list[CompilationError]:
    """Units of a linker whose types do not fit together: what Numba says of each."""
    compiler = Compiler(*linker.structs, types_only=True)
    found = []
    for unit in units:
        try:
            compiler.check_types(unit)
        except CompilationError as error:
            found.append(error)
    return found


def main() -> int:
    """Type everything, and list what fails; how many units that is."""
    count = 0
    for linker, units in every_linker():
        start = time.process_time()
        wrong = mistyped(linker, units)
        layout = " and ".join(struct.name for struct in linker.structs)
        print(f"{layout}: {len(units)} units, {time.process_time() - start:.1f} s", flush=True)
        for error in wrong:
            print(error)
        count += len(wrong)
    print(f"{count} units do not fit their layout" if count else "all units fit their layouts")
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main())
