"""The subset checker accepts every kernel of the engine and names what it refuses."""

from __future__ import annotations

import math

import pytest

import cortenforge.compile.mesh.mesh_distance
import cortenforge.compile.mesh.obj_kernels
import cortenforge.compile.mesh.polygon_kernels
import cortenforge.compile.mesh.surface_kernels
import cortenforge.compile.mesh.weld_kernels
import cortenforge.compile.pack.bvh_kernels
import cortenforge.step.engine  # noqa: F401 - registers every kernel
from cortenforge.errors import SubsetError
from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel import all_kernels, any_lane, select, vec3
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.subset import check

STRUCTS = {"m": MODEL_LAYOUT, "d": DATA_LAYOUT}
ENGINE = [k for k in all_kernels() if k.function.__module__.startswith("cortenforge.")]


@pytest.mark.parametrize("module", sorted({k.function.__module__ for k in ENGINE}))
def test_engine_kernel_is_in_the_subset(module):
    """000.1-AC4: every kernel passes, and says in a docstring what it answers."""
    for k in ENGINE:
        if k.function.__module__ == module:
            check(k, STRUCTS)
            assert k.function.__doc__, f"{k.name} has no docstring"


def make(function, **flags):
    flags = {"lanes": False, "unit": False, "entry": False, **flags}
    return Kernel(function, **flags)


def with_default(m, d=1):
    return m.nv


def wrong_unit(m, x):
    x[0] = 1.0


def uses_try(m, d):
    try:
        d.qpos[0] = 1.0
    finally:
        d.qpos[1] = 1.0


def uses_with(m, d):
    with d:
        d.qpos[0] = 1.0


def loops_over_list(m, d):
    for i in (1, 2):
        d.qpos[i] = 0.0


def lonely_expression(m, d):
    d.qpos[0]


def slices(m, d):
    d.qpos[0:2] = 0.0


def three_indices(m, d):
    return d.xmat[0, 1, 2]


def comprehension(m, d):
    return sum([d.qpos[i] for i in range(3)])


def text(m, d):
    return "text"


def unknown_name(m, d):
    return ENGINE


def numpy_like_call(m, d):
    return math.gamma(d.qpos[0])


def unknown_call(m, d):
    return print(d.qpos[0])


def keyword(m, d):
    return vec3(x=1.0, y=2.0, z=3.0)


def changes_type(m, d):
    a = 1
    a = 0.5
    return a


def changes_type_by_field(m, d):
    a = m.body_parentid[1]
    a = d.qpos[0]
    return a


def changes_loop_index(m, d):
    for i in range(3):
        i = 0.5
        d.qpos[0] = i


def branches_on_data(m, d):
    if d.qpos[0] > 0.0:
        d.qpos[0] = 0.0


def loops_on_data(m, d):
    x = d.qpos[0]
    while x > 0.0:
        x = x - 1.0


def indexes_by_data(m, d):
    i = d.status
    d.qpos[i] = 0.0


def chooses_on_data(m, d):
    d.qpos[0] = 1.0 if d.qvel[0] > 0.0 else 2.0


BAD = [
    (with_default, {}, "parameters"),
    (wrong_unit, {"unit": True}, "parameters"),
    (uses_try, {}, "statements"),
    (uses_with, {}, "statements"),
    (loops_over_list, {}, "statements"),
    (lonely_expression, {}, "statements"),
    (slices, {}, "expressions"),
    (three_indices, {}, "expressions"),
    (comprehension, {}, "calls"),
    (text, {}, "expressions"),
    (unknown_name, {}, "names"),
    (numpy_like_call, {}, "calls"),
    (unknown_call, {}, "calls"),
    (keyword, {}, "calls"),
    (changes_type, {}, "one type"),
    (changes_type_by_field, {}, "one type"),
    (changes_loop_index, {}, "one type"),
    (branches_on_data, {"lanes": True}, "lanes"),
    (loops_on_data, {"lanes": True}, "lanes"),
    (indexes_by_data, {"lanes": True}, "lanes"),
    (chooses_on_data, {"lanes": True}, "lanes"),
]


@pytest.mark.parametrize(
    ("function", "flags", "rule"), BAD, ids=lambda v: getattr(v, "__name__", "")
)
def test_refusal_names_file_line_and_rule(function, flags, rule):
    """Each broken rule gives an error with the file, a line inside the function, and the rule."""
    with pytest.raises(SubsetError) as caught:
        check(make(function, **flags), STRUCTS)
    error = caught.value
    first = function.__code__.co_firstlineno
    assert error.rule == rule
    assert error.file == __file__
    assert first <= error.line <= first + 8
    assert f"{__file__}:{error.line}" in str(error)


def masked_loop(m, d):
    x = d.qpos[0]
    while any_lane(x > 0.0):
        x = select(x > 0.0, x - 1.0, x)
    d.qpos[0] = x


def branches_on_model(m, d):
    for j in range(m.njnt):
        if m.jnt_type[j] == 3:
            d.qvel[m.jnt_dofadr[j]] = 0.0


@pytest.mark.parametrize("function", [masked_loop, branches_on_model])
def test_lane_safe_control_flow_is_accepted(function):
    """Loops over masks and branches on the model are what lane-safe kernels are made of."""
    check(make(function, lanes=True), STRUCTS)


def test_recursion_is_refused():
    """A kernel may not call itself, directly or through others."""
    a = make(branches_on_model)
    a.calls = lambda: [a]  # type: ignore[method-assign]
    with pytest.raises(SubsetError, match="recursion"):
        check(a, STRUCTS)
