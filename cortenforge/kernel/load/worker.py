"""`python -m cortenforge.kernel.load.worker HOME`: compiles units named on standard input.

HOME is `module:name.name` of the linker; a function on the way is called.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Answer each unit name with itself once the unit is compiled; an error ends the worker."""
    from cortenforge.kernel.language.decorator import all_kernels
    from cortenforge.kernel.load.link import linker_at

    linker = linker_at(sys.argv[1])
    by_name = {unit.name: unit for unit in all_kernels()}
    print("ready", flush=True)
    for line in sys.stdin:
        linker.compile_here(by_name[line.strip()])
        print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
