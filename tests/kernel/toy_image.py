"""Two units for images: one calls the other, a function of C, and a kernel of its own."""

from __future__ import annotations

import ctypes
import math

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Call, Linker

FACTOR = 2.0
SIZES = StructLayout("ToyImageSizes", [("n", "size", (), True)], constant=True)
ROWS = [("x", "real", (), False), ("status", "int", (), True), ("status_index", "int", (), True)]
DESK = StructLayout("ToyImageDesk", ROWS, constant=False)
NUMBERS = np.random.default_rng(0).normal(size=50)


@kernel
def damped(x):
    """A kernel that is compiled into a unit."""
    return x * math.exp(-x * x) + x / 3.0


@kernel(unit=True)
def scale(m, d):
    """A unit by itself."""
    for i in range(m.n):
        d.x[i] = d.x[i] * FACTOR + 0.1


@kernel(entry=True)
def run(m, d, count: int):
    """What Python calls."""
    for _ in range(count):
        scale(m, d)
        for i in range(m.n):
            d.x[i] = damped(d.x[i])
    return 0


def new_linker() -> Linker:
    made = Linker(SIZES, DESK)
    made.home = f"{__name__}:new_linker"
    return made


def result(linker: Linker) -> bytes:
    """What some steps make of the same numbers."""
    x, status = NUMBERS.copy(), np.zeros(2, np.int32)
    m = SIZES.block({"n": len(x)})
    first = status.ctypes.data
    d = DESK.block({"x": x.ctypes.data, "status": first, "status_index": first + 4})
    call = Call(m.ctypes.data, d.ctypes.data, 3)
    assert linker.function(run)(ctypes.addressof(call)) == 0
    assert status.tolist() == [0, 0]
    return x.tobytes()
