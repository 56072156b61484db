"""Every kernel of the engine becomes WGSL that a driver accepts; what cannot is named."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from cortenforge.enums import Integrator
from cortenforge.errors import ShaderCompilation, SubsetError
from cortenforge.fields import INPUT_FIELDS, STATE_FIELDS
from cortenforge.gpu import GpuBatchSim
from cortenforge.gpu.program import FUSED_LOOPS, KEPT, Translation
from cortenforge.kernel import Tolerance, all_kernels, kernel, select, vec3
from cortenforge.kernel.language.decorator import Kernel, units
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.wgsl import Module, translate
from cortenforge.kernel.wgsl.layout import BufferLayout
from cortenforge.kernel.wgsl.names import LARGEST, SMALLEST, real_literal
from cortenforge.kernel.wgsl.realmath import SINGLE
from cortenforge.kernel.wgsl.source import Binding
from cortenforge.step.engine import ENGINE
from cortenforge.step.pipeline import begin_call
from tests.gpu.constrained import SCHEDULED, constrained
from tests.gpu.scenes import scene
from tests.kernel.toy_eights import DATA, MODEL, relax

BOTH = {"m": Binding("m"), "d": Binding("d")}


@kernel
def without_a_sentence(number):
    return number


@pytest.fixture(scope="module")
def layout():
    # so that fields of constraints and of implicit steps have a place, too
    model = scene("humanoid_floating", Integrator.DISCRETE)
    model._store.assign("constraining", 1)
    return Translation(model, ENGINE, {}).declared


def unit_text(unit: Kernel, layout) -> str:
    module = Module(layout)
    module.function(unit, BOTH, dict.fromkeys(parameters(unit)[2:], "int"))
    return module.text(layout)


#: kernels that may have loops over a fixed number that are not written out
LONG_LOOPS = (
    "step.collision.", "step.solve.", "step.constraint.", "step.sensing.",
    "step.soft.rigid_coupling:",
)  # fmt: skip
#: entries run one world on the CPU; on a device the host does what they do
ON_DEVICE = [unit for unit in units() if not unit.entry]
#: of one world on the CPU
ELSEWHERE = ("step.run:", "step.lengthrange:", "step.flags:")


@pytest.mark.parametrize("unit", ON_DEVICE, ids=lambda unit: unit.name)
def test_engine_unit_translates_and_validates(unit, layout, gpu):
    """Every unit, with everything that it calls."""
    gpu.validate(unit.name, unit_text(unit, layout))


def test_every_engine_kernel_is_reached_by_a_unit(layout):
    """So the test above leaves out no kernel of the step, but those with a form of their own."""
    text = "\n".join(unit_text(unit, layout) for unit in [*ON_DEVICE, begin_call])
    missing = [
        k.name
        for k in all_kernels()
        if k.name.startswith("step.")
        and not k.name.startswith(ELSEWHERE)
        and k.name not in SINGLE
        and f"// {k.name}\n" not in text
    ]
    assert not missing


@pytest.mark.parametrize(
    "name", ["humanoid_floating", "joints", "fluid", "cameras", "nothing_moves"]
)
@pytest.mark.parametrize("integrator", [0, 1], ids=["euler", "rk4"])
def test_schedule_of_a_step_validates(name, integrator, gpu):
    """What is really dispatched: small shaders, each with its few loops."""
    model = scene(name)
    model.opt.integrator = integrator
    translation = Translation(model, ENGINE, {})
    made = translation.add(ENGINE.step)
    for shader, (label, text) in zip(
        made, translation.texts(made, translation.layout()), strict=True
    ):
        gpu.validate(label, text)
        # none is larger than a single kernel makes it
        assert shader.loops <= max(FUSED_LOOPS, 40), label
    assert len(made) <= 40


@pytest.mark.parametrize("name", SCHEDULED)
def test_schedule_of_a_constrained_step_validates(name, gpu):
    """Contacts of every family, every kind of row, both cones, the three solvers."""
    model = constrained(name)
    translation = Translation(model, ENGINE, {})
    made = translation.add(ENGINE.step)
    for label, text in translation.texts(made, translation.layout()):
        gpu.validate(label, text)
    assert len(made) <= 70 if name == "integrator RK4" else len(made) <= 40


def test_only_what_a_model_has_is_translated():
    """Of tables and of branches on types: a shader holds the families and joints of its model."""
    texts = {}
    for name in ("plane-sphere", "box-box", "equalities"):
        translation = Translation(constrained(name), ENGINE, {})
        made = translation.add(ENGINE.step)
        shaders = translation.texts(made, translation.layout())
        texts[name] = "\n".join(text for _, text in shaders)
    assert "fn plane_sphere" in texts["plane-sphere"]
    for absent in ("fn box_box", "fn convex_convex", "fn set_weld_jacobian", "fn add_limit_rows"):
        assert absent not in texts["plane-sphere"]
    assert "fn box_box" in texts["box-box"] and "fn plane_sphere" not in texts["box-box"]
    assert "fn set_weld_jacobian" in texts["equalities"]
    # a thread has one world: what goes through the worlds of a group is no loop
    assert "while (waiting" not in texts["plane-sphere"]


def test_only_fields_that_are_used_have_a_place():
    """Memory of a world is what its shaders read or write, with state and inputs."""
    translation = Translation(constrained("plane-sphere"), ENGINE, {})
    shaders = translation.add(ENGINE.step)
    used = {name for shader in shaders for _, name in shader.module.fields}
    places = translation.layout().places["d"]
    assert {"qpos", "ctrl", "status", "contact_dist"} <= places.keys()
    assert not {"polytope_vert", "cfrc_ext", "qDeriv", "ten_J"} & places.keys()
    free = {field.name for field in (*STATE_FIELDS, *INPUT_FIELDS)} | KEPT | {"state"}
    assert places.keys() - free <= used


def test_text_is_the_same_every_time(layout):
    """Translation does not depend on the order of sets or the process."""
    (forward,) = [unit for unit in units() if unit.name == "step.pipeline:evaluate_forward"]
    assert translate(forward, layout) == translate(forward, layout)


def test_text_can_be_read(layout):
    """Each function stands below its kernel's name and sentence, under that name.

    Sizes are the model's numbers, and a loop that runs three times is written out, if it is short.
    """
    (forward,) = [unit for unit in units() if unit.name == "step.pipeline:evaluate_forward"]
    text = translate(forward, layout)
    # kernels of other tests, in the same process, may have no sentence
    engine = [k for k in all_kernels() if k.function.__module__.startswith("cortenforge.")]
    sentences = {k.name: k.function.__doc__.splitlines()[0] for k in engine}
    assert without_a_sentence in all_kernels() and without_a_sentence not in engine
    headed = re.findall(r"^// ([\w.]+:(\w+))\n// (.*)\nfn (\w+)\(", text, re.MULTILINE)
    assert len(headed) > 40
    for name, own, sentence, function in headed:
        assert sentence == sentences[name]
        # WGSL reserves some names; a kernel that works on fields given to it says which, and one
        # that is given numbers of two kinds is there twice
        assert re.fullmatch(rf"{own}_?\d*(__\w+)?", function)
    # what has no heading is no kernel: reading and writing of fields, operators, the entry point
    helpers = set(re.findall(r"^fn (\w+)", text, re.MULTILINE)) - {row[3] for row in headed}
    assert not helpers & {name.rpartition(":")[2] for name in sentences}

    model = scene("humanoid_floating")
    sizes = re.findall(r"^const (n\w+): i32 = (\d+);$", text, re.MULTILINE)
    assert len(sizes) >= 8
    store = model._store
    known = {**store.sizes, **store.capacities, **ENGINE.first_capacities}
    assert {name: int(number) for name, number in sizes} == {name: known[name] for name, _ in sizes}

    (euler,) = [unit for unit in units() if unit.name == "step.integrate.euler:euler"]
    both = text + translate(euler, layout)
    # pairs of shapes and solvers have longer loops, some that are left halfway, and some that call
    # kernels with loops
    parts = re.split(r"^// (?=[\w.]+:\w+$)", both, flags=re.MULTILINE)
    text_of_others = "".join(part for part in parts if not part.startswith(LONG_LOOPS))
    assert not re.findall(r"for \(var (\w+): i32 = -?\d+; \1 [<>] -?\d+;", text_of_others)
    written_out = translate(euler, layout).split("fn integrate_joints")[1].split("\n}")[0]
    assert [written_out.count(f"let k: i32 = {k};") for k in range(4)] == [1, 1, 1, 0]


def test_functions_are_made_once_a_binding(layout):
    """The same kernel for other fields is another function, and never the same one twice."""
    (step,) = [unit for unit in units() if unit.name == "step.integrate.euler:euler"]
    text = translate(step, layout)
    names = re.findall(r"^fn (\w+)\(", text, re.MULTILINE)
    assert len(names) == len(set(names))
    assert text.count("\nfn ldl_solve_run__") >= 1


def test_independent_elements_are_an_ordinary_loop(gpu):
    """Each thread has a world, and its elements one after another."""
    counts = {name: 144 for struct in (MODEL, DATA) for name in struct.entries}
    del counts["n"]
    text = unit_text(relax, BufferLayout(MODEL, DATA, counts, {"n": 16}))
    assert len(re.findall(r"for \(var k: i32 = \w+; k < last; k\+\+\) \{", text)) == 4
    gpu.validate("eights", text)


# what is refused


def makes_a_real_of_an_int(m, d):
    """A name that changes its type."""
    x = 1
    x = d.qpos[0]
    d.qpos[1] = x


def uses_floor_division(m, d):
    """An operator that WGSL does not have."""
    d.steps_done = m.nv // 2


def adds_what_does_not_add(m, d):
    """A vector and a quaternion."""
    d.xpos[0] = d.xpos[0] + d.xquat[0]


def uses_counter_after_loop(m, d):
    """A loop's counter outside of the loop."""
    for i in range(m.nv):
        d.qvel[i] = 0.0
    d.steps_done = i


def writes_the_model(m, d):
    """The model is shared."""
    m.qpos0[0] = 1.0


def has_infinity(m, d):
    """A constant that no literal can say."""
    d.qpos[0] = INFINITY


@kernel
def stores(d, i: int, value):
    """A kernel that writes, and returns what it wrote."""
    d.qvel[i] = value
    return 2.0 * value


def chooses_inside(m, d):
    """A choice of calls within a larger expression."""
    d.qvel[0] = 1.0 + (stores(d, 0, 1.0) if d.qpos[0] > 0.0 else 0.0)


INFINITY = math.inf


def make(function) -> Kernel:
    return Kernel(function, lanes=False, unit=False, entry=False)


@pytest.mark.parametrize(
    ("function", "rule"),
    [
        (makes_a_real_of_an_int, "one type"),
        (uses_floor_division, "expressions"),
        (adds_what_does_not_add, "expressions"),
        (uses_counter_after_loop, "statements"),
        (writes_the_model, "statements"),
        (has_infinity, "constants"),
        (chooses_inside, "effects"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_refusal_names_file_line_and_rule(function, rule, layout):
    """A kernel that has no form in WGSL is a SubsetError."""
    with pytest.raises(SubsetError) as caught:
        translate(make(function), layout)
    assert caught.value.rule == rule
    assert caught.value.file.endswith("test_translation.py")
    first = function.__code__.co_firstlineno
    assert first < caught.value.line <= first + 6


def test_driver_errors_name_the_line(gpu):
    """What the driver refuses becomes ShaderCompilation with the line of WGSL."""
    with pytest.raises(ShaderCompilation) as caught:
        gpu.validate("broken", "fn f() -> i32 {\n  return 1.5;\n}\n")
    assert caught.value.line == 2
    assert "return 1.5;" in str(caught.value)


# numbers


def test_constants_stay_in_the_range_of_f32():
    """MuJoCo's 1e-15 is a normal f32; what is not is moved to the nearest one that is."""
    assert real_literal(1e-15) == "1e-15"
    assert float(real_literal(1e-300)) == SMALLEST
    assert float(real_literal(-1e-300)) == -SMALLEST
    assert float(real_literal(1e300)) == LARGEST
    assert real_literal(3.0) == "3.0"


CLOSE = Tolerance(1e-14, single=1e-6)


def ends_when_close(m, d):
    """A threshold of the target's precision."""
    d.qpos[0] = 1.0 if d.qpos[1] < CLOSE else 0.0


def test_thresholds_are_those_of_the_precision(layout):
    """1e-14 in float64, of which the kernel knows; 1e-6 in the shader."""
    assert CLOSE == 1e-14
    assert "const CLOSE: f32 = 1e-06;" in translate(make(ends_when_close), layout)


TINY = 1e-300


def divides_by_at_least_tiny(m, d):
    """A guarded division."""
    d.qpos[0] = 1.0 / max(d.qpos[0], TINY)


def test_moved_constants_are_said(layout):
    """The shader shows the constant of the source where it had to be moved."""
    assert "// 1e-300 in the source" in translate(make(divides_by_at_least_tiny), layout)


# kernels that compute one function over the worlds of a batch, to look at what a driver makes of it


def evaluates(m, d):
    """Functions of the number in qpos[0]."""
    x = d.qpos[0]
    d.qvel[0] = math.sin(x)
    d.qvel[1] = math.cos(x)
    d.qvel[2] = math.atan2(x, 2.0)
    d.qvel[3] = math.acos(max(-1.0, min(1.0, 0.1 * x)))
    d.qvel[4] = math.asin(max(-1.0, min(1.0, 0.1 * x)))
    d.qvel[5] = select(x > 0.0, 1.0, 2.0) + (0.0 if not x <= 1e10 else 10.0)


def run_once(gpu, function, qpos: np.ndarray) -> np.ndarray:
    """qvel after a kernel ran on worlds with these qpos."""
    batch = GpuBatchSim(scene("humanoid_floating"), len(qpos))
    batch.qpos[:, : qpos.shape[1]] = qpos
    batch._send()
    text = translate(make(function), batch._buffers.layout)
    (chunk,) = batch._buffers.chunks
    batch._program.submit_pipelines([*gpu.pipelines([("test", text)])], chunk)
    return batch._buffers.download("qvel")


def test_a_debug_build_counts(gpu):
    """Turns of loops, numbers read and written: of a chain of pendulums, known by hand."""
    batch = GpuBatchSim(scene("triple_pendulum"), 3)
    before = batch.get_states()
    counts = batch.count_shaders()
    np.testing.assert_array_equal(batch.get_states(), before)
    assert [one.name for one in counts] == [s.name for s in batch._program.step_shaders]
    first = counts[0]
    assert first.name == "store_state"
    # the state is copied and checked: a turn, a load and a store of each of its numbers at least
    nstate = batch.model.nstate
    assert nstate <= first.turns == first.most_turns <= 4 * nstate
    assert first.data_bytes >= 4 * 2 * nstate
    assert all(one.data_bytes > 0 for one in counts)


def test_functions_of_reals_are_precise(gpu):
    """Within two units in the last place, wherever a driver's own may be far off."""
    x = np.linspace(-30, 30, 1000).astype(np.float32).astype(np.float64)
    found = run_once(gpu, evaluates, x[:, None])
    clipped = np.clip(0.1 * x, -1, 1)
    expected = [np.sin(x), np.cos(x), np.arctan2(x, 2.0), np.arccos(clipped), np.arcsin(clipped)]
    for column, value in enumerate(expected):
        assert np.abs(found[:, column] - value).max() < 5e-7


def chooses(m, d):
    """One of two calls that write; a condition that is asked only if another one holds."""
    d.qvel[4] = stores(d, 0, 1.0) if d.qpos[0] > 0.0 else stores(d, 1, 3.0)
    held = stores(d, 2, 5.0) if d.qpos[0] > 1.0 else d.qvel[0]
    if d.qpos[0] > 0.0 and stores(d, 3, 7.0) > 0.0:
        d.qvel[5] = held


def test_only_the_call_that_is_chosen_is_made(gpu):
    """Both would write: where limits and contacts are mixed, J would be wrong."""
    found = run_once(gpu, chooses, np.array([[-1.0], [0.5], [2.0]]))
    assert found[:, :6].tolist() == [[0, 3, 0, 0, 6, 0], [1, 0, 0, 7, 2, 1], [1, 0, 5, 7, 2, 10]]


def sees_nan(m, d):
    """Comparisons that are true for nan in Python."""
    x = d.qpos[0]
    d.qvel[0] = 1.0 if not x <= 1e10 else 0.0
    d.qvel[1] = 1.0 if x != 0.0 else 0.0
    d.qvel[2] = max(0.0, x)
    d.qvel[3] = max(x, 0.0)
    d.qvel[4] = 1.0 if not (x > 0.0 and x < 1e10) else 0.0
    d.qvel[5] = 1.0 if x == x else 0.0


def test_nan_is_seen(gpu):
    """As in Python, whatever the driver assumes."""
    found = run_once(gpu, sees_nan, np.array([[np.nan], [2.0], [np.inf], [0.0]]))
    assert found[0, [0, 1, 4]].tolist() == [1, 1, 1]
    assert np.isnan(found[0, 2:4]).all()
    assert found[1, :5].tolist() == [0, 1, 2, 2, 0]
    assert found[2, [0, 1, 4]].tolist() == [1, 1, 1]
    assert found[3, :5].tolist() == [0, 0, 0, 0, 1]


def sums_precisely(m, d):
    """Sums and products whose large parts cancel."""
    big = vec3(d.qpos[0], d.qpos[1], d.qpos[2])
    d.M[0] = big.x
    for _ in range(2):
        d.M[0] += big.y
    d.M[0] -= big.x
    d.qvel[0] = d.M[0]
    d.M[1] = big.z
    d.M[1] *= d.M[1]
    d.M[1] -= big.z * big.z
    d.qvel[1] = d.M[1]


def test_precise_fields_keep_what_f32_rounds_away(gpu):
    """1e6 + 2e-3 - 1e6 is 2e-3, and a square keeps its low half."""
    z = np.float32(1.2345678)
    found = run_once(gpu, sums_precisely, np.array([[1e6, 1e-3, float(z)]]))
    assert found[0, 0] == 2 * np.float32(1e-3)
    rounded = float(z * z)
    assert abs(found[0, 1] - (float(z) ** 2 - rounded)) < 1e-12
