"""What worlds in lockstep can say: integers, masks, bits, single lanes, stages of one world."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

from cortenforge.errors import CompilationError, SubsetError
from cortenforge.kernel import (
    Table,
    any_lane,
    bit,
    count_bits,
    in_lane,
    kernel,
    lane_bits,
    lowest_bit,
    select,
    vec3,
    without_lowest,
    world,
    zero_like,
)
from cortenforge.kernel.language.layout import LANES, WORLDS_WORD, StructLayout
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Call, Linker
from tests.forked import run_forked

N = 5
MODEL = StructLayout(
    "LanguageModel", [("n", "size", (), True), ("kind", "int", (), False)], constant=True
)
DATA = StructLayout(
    "LanguageData",
    [
        ("status", "int", (), True),
        ("count", "int", (), True),
        ("total", "real", (), True),
        ("point", "vec3", (), True),
        ("x", "real", (), False),
        ("k", "int", (), False),
        ("set", "word", (), False),
    ],
    constant=False,
)
LANE_DATA = DATA.in_lanes("LanguageLanes", lambda entry: True)


@kernel(lanes=True, unit=True)
def count_and_mask(m, d):
    """Integers and masks a lane."""
    d.count = 0
    d.total = zero_like(d.x[0])
    for i in range(m.n):
        high = d.x[i] > 0.25
        even = d.k[i] & 1 == 0
        chosen = (high and even) or d.k[i] == 7
        d.count += select(chosen, 1, 0)
        d.k[i] = select(not chosen, max(d.k[i] - 3, 0), d.k[i] * 2)
        if any_lane(chosen):
            d.total = select(chosen, d.total + d.k[i] * d.x[i], d.total)


@kernel(lanes=True, unit=True)
def halve_until_small(m, d):
    """A loop that depends on data, with masked updates."""
    d.count = 0
    waiting = abs(d.x[0]) > 0.001
    while any_lane(waiting):
        d.x[0] = select(waiting, d.x[0] * 0.5, d.x[0])
        d.count += select(waiting, 1, 0)
        waiting = abs(d.x[0]) > 0.001


@kernel(lanes=True, unit=True)
def clear_high(m, d):
    """Conditions that differ inside of one that does not: `and` jumps, and `or` may not."""
    for i in range(m.n):
        if m.kind[i] != 0 and any_lane(d.x[i] > 1.0 or d.k[i] > 30):
            d.x[i] = select(d.x[i] > 1.0 or d.k[i] > 30, 0.0, d.x[i])


@kernel(lanes=True, unit=True)
def look_up(m, d):
    """An index that an operand of the model keeps in range, among others that differ."""
    d.count = 0
    for i in range(m.n):
        k = m.kind[i]
        d.count += select(d.x[i] > 0.0 and k < m.n and d.x[k] > 0.25, 1, 0)
        d.count += select(k >= m.n or d.x[k] > 0.25 or d.x[i] > 0.5, 10, 0)


@kernel
def sort_world(m, d):
    """A stage of one world: it branches on data, and indexes by it."""
    for i in range(1, m.n):
        j = i
        while j > 0 and d.x[j - 1] > d.x[j]:
            kept = d.x[j]
            d.x[j] = d.x[j - 1]
            d.x[j - 1] = kept
            j -= 1
    d.point = vec3(d.x[0], d.x[m.n // 2], d.x[m.n - 1])


@kernel(lanes=True, unit=True)
def sort_all(m, d):
    """A lane-safe stage that calls one of one world."""
    d.total = d.x[0]
    sort_world(m, d)
    d.total = d.total + d.x[0]


@kernel
def note(d, value):
    """Append to one world."""
    d.k[d.count] = d.count
    d.x[d.count] = value
    d.count += 1


@kernel(lanes=True, unit=True)
def append_positive(m, d):
    """Compute on lanes, append to the worlds it concerns."""
    d.count = 0
    for i in range(m.n):
        value = d.x[i] * 2.0
        waiting = lane_bits(value > 0.0)
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            note(world(d, lane), in_lane(value, lane))


@kernel(unit=True)
def words(m, d):
    """Sets of bits beyond the thirty-second."""
    every = d.set[0] ^ d.set[0]
    for i in range(m.n):
        every = every | bit(d.k[i])
    d.set[1] = every
    d.count = count_bits(every)
    d.total = 0.0
    rest = every
    while rest != 0:
        d.total += lowest_bit(rest)
        rest = without_lowest(rest)
    d.set[2] = ~every


@kernel(unit=True)
def double(m, d, i: int):
    """One of a table."""
    d.x[i] = d.x[i] * 2.0


@kernel(unit=True)
def negate(m, d, i: int):
    """Another."""
    d.x[i] = -d.x[i]


CHANGES = Table([double, negate], needed=lambda m: {int(m.kind[i]) for i in range(m.n)})


@kernel(unit=True)
def change_all(m, d):
    """Calls units by number, with more than two structs."""
    for i in range(m.n):
        CHANGES(m.kind[i], m, d, i)


IN_LANES = [count_and_mask, halve_until_small, clear_high, look_up, sort_all, append_positive]
UNITS = [*IN_LANES, words, change_all]


def worlds(seed):
    """Numbers of several worlds."""
    rng = np.random.default_rng(seed)
    return [
        {
            "status": np.zeros((), np.int32),
            "count": np.zeros((), np.int32),
            "total": np.zeros(()),
            "point": np.zeros(3),
            "x": rng.normal(size=N),
            "k": rng.integers(0, 60, N).astype(np.int32),
            "set": np.array([-1, 0, 0], np.int64),
        }
        for _ in range(LANES)
    ]


KIND = np.array([0, 1, 1, 0, 1], np.int32)


def model_block():
    return MODEL.block({"n": N, "kind": KIND.ctypes.data})


def run_alone(unit, own, linker=None):
    """Run a unit on one world, compiled."""
    linker = linker or Linker(MODEL, DATA)
    block = np.zeros(DATA.words, np.int64)
    for name, entry in DATA.entries.items():
        block[entry.word] = own[name].ctypes.data
    m = model_block()
    linker.function(unit)(m.ctypes.data, block.ctypes.data)


def run_together(unit, all_worlds):
    """Run a unit on eight worlds in lockstep."""
    linker = Linker(MODEL, LANE_DATA)
    memory = {
        name: np.ascontiguousarray(np.stack([w[name].reshape(-1) for w in all_worlds], axis=1))
        for name in DATA.entries
    }
    # a vector starts at its own size
    aligned = {}
    for name, array in memory.items():
        raw = np.zeros(array.nbytes + 64, np.uint8)
        start = -raw.ctypes.data % 64
        aligned[name] = raw[start : start + array.nbytes].view(array.dtype)
        aligned[name][:] = array.reshape(-1)
    block = np.zeros(LANE_DATA.words, np.int64)
    inner = LANE_DATA.of_one
    blocks = np.zeros((LANES, inner.words), np.int64)
    for name, entry in LANE_DATA.entries.items():
        block[entry.word] = aligned[name].ctypes.data
        for lane in range(LANES):
            blocks[lane, entry.word] = aligned[name].ctypes.data + lane * aligned[name].itemsize
    block[WORLDS_WORD] = blocks.ctypes.data
    m = model_block()
    linker.function(unit)(m.ctypes.data, block.ctypes.data)
    for lane, own in enumerate(all_worlds):
        for name, array in own.items():
            array.reshape(-1)[:] = aligned[name].reshape(-1, LANES)[:, lane]


def assert_equal(a, b):
    for name in a:
        assert a[name].tobytes() == b[name].tobytes(), name


@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_in_the_subset(unit):
    """The checker allows all of it."""
    check(unit, {"m": MODEL, "d": DATA})


@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_plain_python_does_the_same(unit):
    """A kernel stepped through in a debugger gives what compiled code gives."""
    own, plain = worlds(1)[0], worlds(1)[0]
    run_alone(unit, own)
    unit(PlainStruct(MODEL, {"n": N, "kind": KIND}), PlainStruct(DATA, plain))
    for name in own:
        assert np.allclose(own[name], plain[name], rtol=1e-15), name


@pytest.mark.parametrize("unit", IN_LANES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_lanes_have_the_bits_of_one_world(unit, seed):
    """Each lane of eight has what a world alone has, bit by bit."""
    together, apart = worlds(seed), worlds(seed)
    run_together(unit, together)
    for a, b in zip(together, apart, strict=True):
        run_alone(unit, b)
        assert_equal(a, b)


def test_what_is_out_of_range_is_not_read(monkeypatch):
    """`and` and `or` skip what is behind an operand of the model, also where others differ."""
    own, far = worlds(0), KIND + np.int32(2**31 - 9) * (KIND == 1)
    run_together(look_up, own)
    monkeypatch.setattr(sys.modules[__name__], "KIND", far.astype(np.int32))
    # 16 GB away from the world's own memory
    run_forked(lambda: run_together(look_up, worlds(0)))


def test_a_failed_world_is_left_out():
    """A stage of one world does not run for worlds that have failed."""
    together = worlds(0)
    together[2]["status"][...] = 4
    before = together[2]["x"].copy()
    run_together(sort_all, together)
    assert np.array_equal(together[2]["x"], before)
    assert all(np.array_equal(np.sort(w["x"]), w["x"]) for w in together if w is not together[2])


def test_words_have_sixty_four_bits():
    """Bits are counted, found and taken away in all of a word."""
    own = worlds(3)[0]
    run_alone(words, own)
    expected = {int(k) for k in own["k"]}
    assert int(own["count"]) == len(expected)
    assert float(own["total"]) == sum(expected)
    assert int(own["set"][1]) == sum(1 << k for k in expected)
    assert int(own["set"][2]) == ~int(own["set"][1])


def test_a_table_loads_what_a_model_needs():
    """Units of a table that no model asks for are not loaded; calling one fails that world."""
    linker, own = Linker(MODEL, _with_reports()), worlds(0)[0]
    few = np.zeros(N, np.int32)
    plain = PlainStruct(MODEL, {"n": N, "kind": few})
    linker.function(change_all, plain)
    assert double.name in linker._addresses and negate.name not in linker._addresses
    own["status_index"] = np.zeros((), np.int32)
    layout = linker.structs[1]
    block = np.zeros(layout.words, np.int64)
    for name, entry in layout.entries.items():
        block[entry.word] = own[name].ctypes.data
    m = model_block()
    linker._callables[change_all.name](m.ctypes.data, block.ctypes.data)
    from cortenforge.kernel.load.link import NOT_LOADED, not_loaded

    assert int(own["status"]) == NOT_LOADED
    error = not_loaded(int(own["status_index"]))
    assert isinstance(error, CompilationError) and negate.name in str(error)


def _with_reports():
    rows = [(e.name, e.kind, e.trailing, e.is_scalar) for e in DATA.entries.values()]
    return StructLayout(
        "LanguageReports", [*rows, ("status_index", "int", (), True)], constant=False
    )


def test_results_of_one_world_cannot_be_used_in_lanes():
    """A kernel of one world runs for each in turn, so its result has no place in lockstep."""
    with pytest.raises(SubsetError, match="not lane-safe"):
        check(uses_result, {"m": MODEL, "d": DATA})


@kernel
def first_positive(m, d):
    """Returns something."""
    for i in range(m.n):
        if d.x[i] > 0.0:
            return i
    return -1


@kernel(lanes=True)
def uses_result(m, d):
    """Uses it."""
    d.count = first_positive(m, d)


def test_entries_take_counts():
    """An entry is called with one address."""
    linker, own = Linker(MODEL, DATA), worlds(0)[0]
    block = np.zeros(DATA.words, np.int64)
    for name, entry in DATA.entries.items():
        block[entry.word] = own[name].ctypes.data
    m = model_block()
    call = Call(m.ctypes.data, block.ctypes.data, 3)
    assert linker.function(add_count)(ctypes.addressof(call)) == 3 + N


@kernel(entry=True)
def add_count(m, d, count: int):
    """The count and a size."""
    return count + m.n
