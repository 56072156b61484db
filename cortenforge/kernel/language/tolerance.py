"""Constants that depend on the target: on its precision, or on the memory of a world."""

from __future__ import annotations


class Tolerance(float):
    """A constant of float64, and the one that takes its place in single precision.

    Where numbers are known to 1.2e-7 of their size, a loop that ends at 1e-14 would always end by
    its cap.
    """

    single: float

    def __new__(cls, double: float, *, single: float) -> Tolerance:
        made = super().__new__(cls, double)
        made.single = single
        return made


class CacheSize(int):
    """The number of entries of a cache, and how many it has on a GPU, whose worlds have less room.

    Results must not depend on what a cache remembers.
    """

    single: int

    def __new__(cls, entries: int, *, single: int) -> CacheSize:
        made = super().__new__(cls, entries)
        made.single = single
        return made
