"""Loops over independent elements: eight at a time, with the bits of one after another."""

from __future__ import annotations

import ctypes
import importlib.util
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cortenforge.errors import SubsetError
from cortenforge.kernel import any_lane, eights, in_lane, kernel, select
from cortenforge.kernel.cpu.compile import Compiler
from cortenforge.kernel.cpu.targets import host
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.layout import LANES, WORLDS_WORD
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.kernel.load.run import run_on
from cortenforge.math.vector import norm
from cortenforge.model.access.store import aligned_bytes
from tests.kernel import toy_eights
from tests.kernel.toy_eights import DATA, MODEL, pull, relax, twist

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

BOTH = {"m": MODEL, "d": DATA}
N = 24
LANE_DATA = DATA.in_lanes("EightsLanes", lambda entry: entry.home == "lanes")


def in_line(array: np.ndarray) -> np.ndarray:
    """A copy where vectors can be: at the start of a cache line."""
    made = aligned_bytes(array.nbytes).view(array.dtype)[: array.size].reshape(array.shape)
    made[...] = array
    return made


@cache
def model() -> dict:
    rng = np.random.default_rng(0)
    arrays = {
        "scale": np.array([0.3]),
        "point": rng.permutation(3 * N).reshape(N, 3).astype(np.int32),
        "weight": rng.uniform(0.5, 2.0, 3 * N),
        "rest": rng.normal(size=(N, 4)),
        "kind": rng.integers(1, 3, 3 * N).astype(np.uint8),
        "age": rng.normal(size=N).astype(np.float32),
        "axis": rng.normal(size=(N, 3)),
        "frame": rng.normal(size=(3 * N, 9)),
    }
    return {"n": N, **arrays}


def data(seed: int) -> dict:
    rng = np.random.default_rng(seed)
    shapes = {"load": 3 * N, "place": (3 * N, 3), "turn": (3 * N, 4), "axes": (N, 9)}
    shapes |= {"x": 3 * N, "pair": (N, 2), "push": 3}
    made = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    made["count"] = rng.integers(-9, 9, 3 * N).astype(np.int32)
    made["status"] = np.zeros(1, np.int32)
    return made


@pytest.fixture(scope="module")
def one_by_one(tmp_path_factory):
    """The same kernels with ordinary loops."""
    text = Path(toy_eights.__file__).read_text().replace("in eights(", "in range(")
    file = tmp_path_factory.mktemp("toy") / "toy_ranges.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("toy_ranges", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def linker() -> Linker:
    return Linker(MODEL, DATA)


def assert_same_bits(a: dict, b: dict) -> None:
    for name in a:
        assert a[name].tobytes() == b[name].tobytes(), name


@pytest.mark.parametrize("one", [pull, twist, relax], ids=str)
def test_in_the_subset(one):
    """The checker allows all of it."""
    check(one, BOTH)


@pytest.mark.parametrize("seed", range(3))
def test_eight_have_the_bits_of_one_after_another(seed, one_by_one):
    """Compiled with either loop, and as plain Python, fused as compiled code is."""
    wide, plain, narrow = data(seed), data(seed), data(seed)
    run_on(relax, linker, model(), wide, small=False)
    run_on(relax, linker, model(), plain, small=True)
    run_on(one_by_one.relax, linker, model(), narrow, small=False)
    assert_same_bits(wide, narrow)
    assert_same_bits(wide, plain)
    before = data(seed)
    assert all(
        (wide[name] != before[name]).any() for name in wide if name not in ("status", "push")
    )


def test_debuggers_see_an_ordinary_loop():
    """As a Python function it does the same, but for products that are not fused."""
    wide, plain = data(1), data(1)
    run_on(relax, linker, model(), wide, small=False)
    relax(PlainStruct(MODEL, model()), PlainStruct(DATA, plain))
    for name in wide:
        np.testing.assert_allclose(wide[name], plain[name], rtol=1e-12, atol=1e-13, err_msg=name)


def run_together(worlds: list[dict]) -> None:
    """Run the stages for eight worlds in lockstep; each has its own memory for what is not in
    lanes."""
    inner = LANE_DATA.of_one
    shared = {
        name: in_line(np.stack([w[name].reshape(-1) for w in worlds], axis=1))
        for name in LANE_DATA.entries
    }
    block = np.zeros(LANE_DATA.words, np.int64)
    blocks = np.zeros((LANES, inner.words), np.int64)
    for name, entry in inner.entries.items():
        for lane, own in enumerate(worlds):
            array = shared.get(name)
            blocks[lane, entry.word] = (
                own[name].ctypes.data
                if array is None
                else array.ctypes.data + lane * array.itemsize
            )
    for name, array in shared.items():
        block[LANE_DATA.entries[name].word] = array.ctypes.data
    block[WORLDS_WORD] = blocks.ctypes.data
    m = MODEL.block(
        {name: given if name == "n" else given.ctypes.data for name, given in model().items()}
    )
    function = Linker(MODEL, LANE_DATA).function(relax)
    function(ctypes.c_int64(m.ctypes.data), ctypes.c_int64(block.ctypes.data))
    for lane, own in enumerate(worlds):
        for name, array in shared.items():
            own[name].reshape(-1)[:] = array[:, lane]


def test_worlds_in_lockstep_have_the_bits_of_one():
    """A stage of one world does eight elements at once among other worlds, too: with memory of its
    own, and with numbers that stand eight apart."""
    worlds = [data(seed) for seed in range(LANES)]
    run_together(worlds)
    for seed, own in enumerate(worlds):
        alone = data(seed)
        run_on(relax, linker, model(), alone, small=False)
        assert_same_bits(alone, own)


def test_elements_are_in_lanes():
    """It is not only allowed but done: roots and products are those of vectors."""
    text = str(Compiler(MODEL, DATA).modules(relax, [host()])[0])
    assert f"@llvm.sqrt.v{LANES}f64" in text and f"@llvm.fma.v{LANES}f64" in text
    assert "@llvm.sqrt.f64" not in text


@pytest.mark.parametrize("lanes", ["4", "16"])
def test_other_processors_do_the_same(lanes, tmp_path):
    """With half as many lanes, and where there are more than eight and elements go one by one."""
    script = (
        "import sys, pickle\n"
        "from tests.kernel.test_eights import *\n"
        "made = data(5)\n"
        "run_on(relax, linker, model(), made, small=False)\n"
        "pickle.dump(made, open(sys.argv[1], 'wb'))\n"
    )
    file = tmp_path / "made"
    environment = {**os.environ, "CORTENFORGE_LANES": lanes}
    subprocess.run([sys.executable, "-c", script, str(file)], env=environment, check=True)
    here = data(5)
    run_on(relax, linker, model(), here, small=False)
    assert_same_bits(here, np.load(file, allow_pickle=True))


def test_effects_are_found_in_such_loops():
    """What is written there is written by the kernel."""
    assert effects_of(pull).written_fields("d") == {"place", "count", "load"}
    assert {"point", "weight", "kind"} <= effects_of(pull).read_fields("m")


# what is refused


@kernel(lanes=True)
def element(d, i: int):
    """Takes an integer that lanes share."""
    return d.x[i]


@kernel(lanes=True)
def stores(d, x):
    """Writes a field."""
    d.x[0] = x


@kernel
def branches(x):
    """Is not lane-safe."""
    return x if x > 0.0 else -x


def sums_up(m, d):
    total = 0.0
    for k in eights(0, m.n):
        total += d.x[k]
    d.x[0] = total


def uses_the_last(m, d):
    for k in eights(0, m.n):
        y = d.x[k]
        d.x[k] = 2.0 * y
    d.x[0] = y


def uses_the_one_before(m, d):
    for k in eights(0, m.n):
        if m.n > 8:
            y = d.x[k]
        d.x[k] = y


def uses_another_loop(m, d):
    for k in eights(0, m.n):
        y = d.x[k]
        d.x[k] = -y
    for k in eights(0, m.n):
        d.x[k] = y


def uses_a_parameter(m, d, y):
    for k in eights(0, m.n):
        d.x[k] = y
        y = d.x[k]


def uses_the_last_inside(m, d):
    y = 1.0
    for i in range(3):
        d.x[i] = y
        for k in eights(0, m.n):
            y = d.x[k]
            d.x[k] = -y


def leaves(m, d):
    for k in eights(0, m.n):
        if m.n > 8:
            break
        d.x[k] = 0.0


def skips(m, d):
    for k in eights(0, m.n):
        if m.n > 8:
            continue
        d.x[k] = 0.0


def returns(m, d):
    for k in eights(0, m.n):
        d.x[k] = 0.0
        return


def branches_on_elements(m, d):
    for k in eights(0, m.n):
        if d.x[k] > 0.0:
            d.x[k] = 0.0


def loops_on_elements(m, d):
    for k in eights(0, m.n):
        y = d.x[k]
        while y > 1.0:
            y = y * 0.5
        d.x[k] = y


def chooses_on_elements(m, d):
    for k in eights(0, m.n):
        d.x[k] = 1.0 if d.x[k] > 0.0 else 0.0


def counts_to_elements(m, d):
    for k in eights(0, m.n):
        for j in range(d.count[k]):
            d.x[k] = 1.0 * j


def guards_an_index(m, d):
    for k in eights(0, m.n):
        j = d.count[k]
        d.x[k] = select(j >= 0 and d.x[j] > 0.0, 1.0, 0.0)


def nested(m, d):
    for k in eights(0, m.n):
        for j in eights(0, m.n):
            d.x[k + j] = 0.0


def writes_one_place(m, d):
    for k in eights(0, m.n):
        d.x[0] = d.x[k]


def writes_a_number(m, d):
    for k in eights(0, m.n):
        d.status = d.count[k]


def calls_what_branches(m, d):
    for k in eights(0, m.n):
        d.x[k] = branches(d.x[k])


def calls_what_stores(m, d):
    for k in eights(0, m.n):
        stores(d, d.x[k])


def gives_an_index(m, d):
    for k in eights(0, m.n):
        d.x[k] = element(d, k)


def asks_for_worlds(m, d):
    for k in eights(0, m.n):
        d.x[k] = in_lane(d.x[k], 0)


def has_a_step(m, d):
    for k in eights(0, m.n, 2):
        d.x[k] = 0.0


def is_no_loop(m, d):
    numbers = eights(0, m.n)
    for k in range(numbers):
        d.x[k] = 0.0


REFUSED = [
    (sums_up, "'total' comes from another iteration"),
    (uses_the_last, "'y' comes from another iteration"),
    (uses_the_last_inside, "'y' comes from another iteration"),
    (uses_the_one_before, "'y' comes from another iteration"),
    (uses_another_loop, "'y' comes from another iteration"),
    (uses_a_parameter, "'y' comes from another iteration"),
    (leaves, "none can be left or skipped"),
    (skips, "none can be left or skipped"),
    (returns, "none can be left or skipped"),
    (branches_on_elements, "`d.x[k] > 0.0` differs between iterations; use select"),
    (loops_on_elements, "`y > 1.0` differs between iterations; use select"),
    (chooses_on_elements, "`d.x[k] > 0.0` differs between iterations; use select"),
    (counts_to_elements, "`d.count[k]` differs between iterations; use select"),
    (guards_an_index, "`d.x[j]` is read whatever stands before it"),
    (nested, "not nested"),
    (writes_one_place, "each iteration would write `d.x[0]`"),
    (writes_a_number, "each iteration would write `d.status`"),
    (calls_what_branches, "branches is not lane-safe"),
    (calls_what_stores, "stores writes"),
    (gives_an_index, "element takes an integer that all lanes share"),
    (asks_for_worlds, "in_lane has no meaning"),
    (has_a_step, "for name in eights(first, last)"),
    (is_no_loop, "for name in eights(first, last)"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_refusal_names_file_line_and_rule(function, message):
    """What could make iterations depend on each other is refused where it stands."""
    with pytest.raises(SubsetError) as caught:
        check(Kernel(function, lanes=False, unit=False, entry=False), BOTH)
    error, first = caught.value, function.__code__.co_firstlineno
    assert message in str(error)
    assert (error.file, error.rule) == (__file__, "eights")
    assert first < error.line <= first + 6


def zeroes(m, d):
    for k in eights(0, m.n):
        d.x[k] = norm(d.place[k]) + math.sqrt(2.0)
        for j in range(2):
            if j == 1:
                break
            d.pair[k, j] = 0.0
        while any_lane(d.x[k] > 1.0):
            d.x[k] = d.x[k] * 0.5


def test_lane_safe_kernels_have_no_such_loops():
    """They have eight worlds already; loops inside that all elements share may be left."""
    check(Kernel(zeroes, lanes=False, unit=False, entry=False), BOTH)
    with pytest.raises(SubsetError, match="only stages of one"):
        check(Kernel(zeroes, lanes=True, unit=False, entry=False), BOTH)
