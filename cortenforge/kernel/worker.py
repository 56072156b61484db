"""`python -m cortenforge.kernel.worker`: compiles units named on standard input, into the cache."""

from __future__ import annotations

import sys


def main() -> None:
    """Answer each unit name with itself once the unit is compiled; an error ends the worker."""
    from ..step.program import linker
    from .decorator import units

    by_name = {unit.name: unit for unit in units()}
    print("ready", flush=True)
    for line in sys.stdin:
        linker().compile_here(by_name[line.strip()])
        print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
