"""`python -m tests.compile_units`: compile what most tests need, before their processes start.

`make test` runs it: compilers then have all cores, and share what units have in common. Units of
worlds with parameters of their own are left out; few tests need any, and those compile them.
"""

from __future__ import annotations

from cortenforge.batch.program import expanded_lanes
from cortenforge.warmup import Needed, every_linker, warmup


def needed_by_most() -> Needed:
    """Units of all linkers but that of worlds with parameters of their own."""
    left_out = expanded_lanes().home
    return [
        (linker, units)
        for linker, units in every_linker()
        if linker.home.removesuffix(".worlds") != left_out
    ]


if __name__ == "__main__":
    print(f"{warmup(needed_by_most())} kernels are compiled")
