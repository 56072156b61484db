"""Fields of a group: reals in lanes, integers one for all worlds, and each world's own beside."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from cortenforge.errors import SubsetError
from cortenforge.kernel import kernel, zero_like
from cortenforge.kernel.language.layout import LANES, WORLDS_WORD, Entry, StructLayout
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.model.access.store import aligned_bytes

N = 4
MODEL = StructLayout("GroupModel", [("n", "size", (), True)], constant=True)
DATA = StructLayout(
    "GroupData",
    [
        Entry("status", "int", (), True, 1),
        Entry("sum", "real", (), True, 2),
        Entry("place", "int", (), False, 3, "group"),
        Entry("x", "real", (), False, 4, "group"),
    ],
    constant=False,
)


def in_line(array: np.ndarray) -> np.ndarray:
    """A copy where vectors can be: at the start of a cache line."""
    made = aligned_bytes(array.nbytes).view(array.dtype)[: array.size].reshape(array.shape)
    made[...] = array
    return made


def in_lanes(entry: Entry) -> bool:
    return entry.home == "lanes" or entry.kind == "real"


LANES_OF_ALL = DATA.in_lanes("GroupLanes", in_lanes)


@kernel
def add_own(m, d, x):
    """A stage of one world: on a field that it is given, and on its own of the same name."""
    for i in range(m.n):
        x[i] += d.x[i]
        d.x[i] = 0.0


@kernel(lanes=True, unit=True)
def sum_by_place(m, d):
    """Integers of a group say where things are."""
    add_own(m, d, d.x)
    d.sum = zero_like(d.sum)
    for i in range(m.n):
        k = d.place[i]
        if k >= 0:
            d.sum = d.sum + d.x[k]


def test_integers_of_a_group_may_decide():
    """Branches and places that depend on them are the same in every world."""
    check(sum_by_place, {"m": MODEL, "d": LANES_OF_ALL})
    apart = DATA.in_lanes("ApartLanes", lambda entry: True)
    apart.entries = {
        name: Entry(e.name, e.kind, e.trailing, e.is_scalar, e.word, access=e.access)
        for name, e in apart.entries.items()
    }
    with pytest.raises(SubsetError, match="may differ between worlds"):
        check(sum_by_place, {"m": MODEL, "d": apart})


def test_lanes_and_each_worlds_own():
    """A world works on its lane of a field that it is given, and on memory of its own."""
    function = Linker(MODEL, LANES_OF_ALL).function(sum_by_place)
    rng = np.random.default_rng(0)
    x, own = rng.normal(size=(N, LANES)), rng.normal(size=(LANES, N))
    place = np.array([2, -1, 0, 3], np.int32)
    status, total = np.zeros(LANES, np.int32), np.zeros(LANES)
    expected = (x + own.T)[[2, 0, 3]]
    arrays = {"status": status, "sum": total, "place": place, "x": x}
    arrays = {name: in_line(array) for name, array in arrays.items()}
    block = np.zeros(LANES_OF_ALL.words, np.int64)
    for name, array in arrays.items():
        block[LANES_OF_ALL.entries[name].word] = array.ctypes.data
    one = LANES_OF_ALL.of_one
    assert one is not None
    worlds = np.zeros((LANES, one.words), np.int64)
    for lane, row in enumerate(worlds):
        for name in ("status", "sum"):
            array = arrays[name]
            row[one.entries[name].word] = array.ctypes.data + lane * array.itemsize
        row[one.entries["x"].word] = own[lane].ctypes.data
    block[WORLDS_WORD] = worlds.ctypes.data
    model = MODEL.block({"n": N})
    function(ctypes.c_int64(model.ctypes.data), ctypes.c_int64(block.ctypes.data))
    total = arrays["sum"]
    np.testing.assert_array_equal(total, (expected[0] + expected[1]) + expected[2])
    assert not own.any()
