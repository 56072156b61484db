"""Kernels run on arrays: compiled and as plain Python they give the same bits."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from functools import cache

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import smooth_model
from cortenforge.errors import ShapeError
from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel import (
    Kernel,
    all_kernels,
    inertia,
    kernel,
    mat3,
    quat,
    select,
    spatial,
    vec3,
)
from cortenforge.kernel.language.decorator import body_of
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.plain_code import Lists, PlainCode
from cortenforge.kernel.load import run
from cortenforge.kernel.load.link import Linker
from cortenforge.kernel.load.run import fields_in_text, run_on
from cortenforge.step.engine import ENGINE
from cortenforge.step.forward import forward_inertia, forward_kinematics

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

#: kernels of the engine, whatever other tests define
KERNELS = [one for one in all_kernels() if one.name.startswith(("step.", "math."))]
SIZES = StructLayout(
    "RunSizes", [("n", "size", (), True), ("scale", "real", (), True)], constant=True
)
DESK = StructLayout(
    "RunDesk",
    [
        ("number", "real", (), False),
        ("pair", "real", (2,), False),
        ("count", "int", (), False),
        ("point", "vec3", (), False),
        ("turn", "quat", (), False),
        ("axes", "mat3", (), False),
        ("body", "inertia", (), False),
        ("motion", "spatial", (), False),
        ("total", "real", (), True),
    ],
    constant=False,
)


@kernel(unit=True)
def exercise_arithmetic(m, d):
    """Every operation on numbers, components and values."""
    x = d.number
    for i in range(m.n):
        d.count[i] = 3 * i + d.count[i]
        d.count[i] -= 2 * i
        d.pair[i, 0] = x[i] / x[m.n - 1 - i]
        d.pair[i, 1] -= x[i] * x[i]
        d.pair[i, 1] /= m.scale
        d.point[i, 2] = d.point[i, 0] * x[i] - d.point[i, 1]
        d.point[i] = d.point[i] + d.axes[i] @ d.point[i] * x[i]
        d.point[i] = 0.5 * d.point[i] - vec3(x[i], -x[i], 1.0)
        product = d.turn[i] * d.turn[m.n - 1 - i]
        d.turn[i] = product + d.turn[i] * x[i]
        d.motion[i] = select(x[i] > 0.0, d.motion[i], -d.motion[i])
        d.body[i] = d.body[i] - 2.0 * d.body[i]
        x[i] = math.sqrt(x[i]) - math.log(x[i]) * max(x[i], 0.25)
    d.total = m.scale * m.n + d.total - math.exp(d.total) * 3.0


@kernel(entry=True)
def count_up(m, d, count: int):
    """An entry, which returns a number."""
    return 10 * m.n + count


@cache
def desk_linker() -> Linker:
    """What loads the kernels of this file."""
    return Linker(SIZES, DESK)


def desk(seed: int) -> dict[str, np.ndarray]:
    """Random numbers, some of them zero, negative or infinite."""
    chance = np.random.default_rng(seed)
    shapes = {"number": 6, "pair": (6, 2), "point": (6, 3), "turn": (6, 4), "axes": (6, 9)}
    shapes |= {"body": (6, 10), "motion": (6, 6), "total": 1}
    made = {name: chance.normal(size=shape) for name, shape in shapes.items()}
    made["number"][:3] = [0.0, -0.0, math.inf]
    made["count"] = chance.integers(-9, 9, 6).astype(np.int32)
    return made


@pytest.mark.parametrize("seed", range(10))
def test_arithmetic_is_that_of_compiled_code(seed: int) -> None:
    """Fused products, division by zero, roots of negative numbers: the same bits, nan for nan."""
    model = {"n": 6, "scale": np.array([0.3])}
    one, two = desk(seed), desk(seed)
    run_on(exercise_arithmetic, desk_linker, model, one, small=True)
    run_on(exercise_arithmetic, desk_linker, model, two, small=False)
    for name, array in one.items():
        np.testing.assert_array_equal(array, two[name], err_msg=name)
        np.testing.assert_array_equal(
            np.signbit(array[array == 0]), np.signbit(two[name][array == 0])
        )


def test_entries_return_their_number() -> None:
    """Both ways give what the kernel returns."""
    for small in (True, False):
        assert run_on(count_up, desk_linker, {"n": 4}, {}, small=small) == 41


@pytest.mark.parametrize("small", [True, False])
def test_arrays_that_are_missing_or_wrong(small: bool) -> None:
    """A field that a kernel uses and nobody gave is named; compiled code never sees it."""
    given = desk(0)
    del given["turn"]
    with pytest.raises((ShapeError, AttributeError), match="turn"):
        run_on(exercise_arithmetic, desk_linker, {"n": 6, "scale": np.ones(1)}, given, small=small)
    if not small:
        wrong = desk(0) | {"count": np.zeros(6)}
        with pytest.raises(ShapeError, match="count: expected a C-contiguous int32 array"):
            run_on(
                exercise_arithmetic, desk_linker, {"n": 6, "scale": np.ones(1)}, wrong, small=small
            )


def moved(seed: int) -> tuple[cf.Model, cf.Data]:
    """A random model in a random position."""
    model = cf.Model.from_mjcf(smooth_model(seed))
    data = model.make_data()
    data.qpos[:] = np.random.default_rng(seed).normal(size=model.nq)
    return model, data


@pytest.mark.parametrize("seed", range(40))
def test_positions_and_inertias_have_the_bits_of_compiled_code(seed: int) -> None:
    """Every field that the position stages write, in random positions of random models."""
    model, data = moved(seed)
    arrays = {**model._store.arrays, **model._store.sizes, **model._store.capacities}
    twin = data.copy()._store.arrays
    run_on(
        (forward_kinematics, forward_inertia),
        lambda: ENGINE.linker,
        arrays,
        data._store.arrays,
        small=True,
    )
    run_on((forward_kinematics, forward_inertia), lambda: ENGINE.linker, arrays, twin, small=False)
    for name, array in data._store.arrays.items():
        assert array.tobytes() == twin[name].tobytes(), name


@pytest.mark.parametrize("seed", range(5))
def test_without_fused_products_it_is_the_source_as_it_stands(seed: int) -> None:
    """Where compiled code does not fuse, neither does this: bits of the plain functions."""
    model, data = moved(seed)
    arrays = {**model._store.arrays, **model._store.sizes, **model._store.capacities}
    code, twin = PlainCode(fused=False), data.copy()._store.arrays
    lists = Lists(DATA_LAYOUT, data._store.arrays, code.classes)
    rooms = {**twin, **data._store.capacities}
    plain = PlainStruct(MODEL_LAYOUT, arrays), PlainStruct(DATA_LAYOUT, rooms)
    for unit in (forward_kinematics, forward_inertia):
        code.function(unit)(Lists(MODEL_LAYOUT, arrays, code.classes), lists)
        unit(*plain)
    lists.write_back()
    for name, array in data._store.arrays.items():
        np.testing.assert_array_equal(array, twin[name], err_msg=name)


@pytest.mark.parametrize("module", sorted({one.name.split(":")[0] for one in KERNELS}))
def test_every_field_of_a_kernel_is_known(module: str) -> None:
    """No field that a kernel reads or writes is left out of what compiled code is given."""
    for one in KERNELS:
        if one.name.split(":")[0] == module:
            effects, known = effects_of(one), fields_in_text(one)
            for struct, fields in zip("md", known, strict=True):
                used = effects.read_fields(struct) | effects.written_fields(struct)
                assert used - {""} <= fields, one.name


def test_debuggers_find_the_source() -> None:
    """Plain functions say the file and the lines of the kernels they come from."""
    code = PlainCode(fused=True)
    for part in [*body_of(forward_kinematics), *body_of(forward_inertia)]:
        assert isinstance(part, Kernel)
        made = code.function(part).__code__
        lines, first = inspect.getsourcelines(part.function)
        assert made.co_filename == part.code.co_filename
        assert {line for _, _, line in made.co_lines() if line} <= {
            *range(first, first + len(lines))
        }


def test_values_of_all_kinds_are_known() -> None:
    """The classes of plain code have the names and components of the kernel language."""
    classes = PlainCode(fused=True).classes
    for kind in (vec3, quat, mat3, spatial, inertia):
        parts = [float(i) for i in range(len(kind.names))]
        made = classes[kind.__name__](*parts)
        assert [getattr(made, name) for name in kind.names] == parts


def test_small_work_is_loaded_after_a_few_runs(monkeypatch) -> None:
    """As plain Python at first, and as long as nothing is compiled; then by loaded code."""
    monkeypatch.undo()
    taken: list[str] = []
    for name in ("_run_plainly", "_run_compiled"):
        original = getattr(run, name)
        monkeypatch.setattr(
            run, name, lambda *a, n=name, o=original, **k: taken.append(n) or o(*a, **k)
        )
    monkeypatch.setattr(run, "_plain_runs", Counter())
    fresh, other = Linker(SIZES, DESK), Linker(SIZES, DESK)
    many = 2 * run.PLAIN_RUNS + 2

    def run_small(linker: Linker) -> None:
        assert run_on(count_up, lambda: linker, {"n": 4}, {}, small=True) == 41

    monkeypatch.setattr(fresh, "is_ready", lambda unit: False)
    for _ in range(many):
        run_small(fresh)
    assert taken == ["_run_plainly"] * many
    run_on(count_up, lambda: fresh, {"n": 4}, {}, small=False)
    run_small(fresh)
    assert taken[many:] == ["_run_compiled"] * 2
    # compiled, and not loaded by this one
    taken.clear()
    for _ in range(many):
        run_small(other)
    assert taken[:2] == ["_run_plainly"] * 2 and taken[-2:] == ["_run_compiled"] * 2
