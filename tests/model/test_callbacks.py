"""Functions of the user's that a step calls, as kernels and as Python functions."""

from __future__ import annotations

import copy
import gc
import os
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.kernel import kernel
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.model.calls.linked_units import plain_model
from tests.model.callback_kernels import KERNELS, MODEL, branching, gain, push_back
from tests.step.stages import Pair, field, pair

COMPARED = (
    "qpos", "qvel", "qacc", "act", "act_dot", "ctrl", "qfrc_passive", "actuator_force",
    "qfrc_actuator", "sensordata",
)  # fmt: skip


def model_text(integrator: str = "Euler", flags: str = "") -> str:
    return MODEL.format(integrator=integrator, flags=flags)


def plain(name: str) -> Any:
    """A callback kernel as a Python function of a Model and a Data."""

    def called(model: cf.Model, data: cf.Data, *numbers: int) -> Any:
        arrays = {**data._store.arrays, **data._store.capacities}
        return KERNELS[name](plain_model(model), PlainStruct(data._engine.layout, arrays), *numbers)

    return called


def mujocos(name: str, model: cf.Model) -> Any:
    """The same kernel as MuJoCo calls it."""
    shapes = {f: np.asarray(a).shape for f, a in model.make_data()._store.arrays.items()}
    layout = model.make_data()._engine.layout

    def called(m: Any, d: Any, *numbers: Any) -> Any:
        arrays: dict[str, Any] = dict.fromkeys(layout.entries)
        for f in layout.entries:
            # lists of constraints have other lengths, and islands other places
            if hasattr(d, f) and f in shapes and np.size(getattr(d, f)) == np.prod(shapes[f]):
                arrays[f] = np.asarray(getattr(d, f)).reshape(shapes[f])
        return KERNELS[name](plain_model(model), PlainStruct(layout, arrays), *map(int, numbers))

    return called


@pytest.fixture
def both(request: Any) -> Any:
    """Both engines; MuJoCo has every callback until the test is over."""
    found = pair(model_text(*request.param))
    mujoco = mujoco_module()
    for name in KERNELS:
        getattr(mujoco, f"set_mjcb_{name}")(mujocos(name, found.model))
    yield found
    for name in KERNELS:
        getattr(mujoco, f"set_mjcb_{name}")(None)


KINDS = [
    ("Euler", ""),
    ("RK4", ""),
    ("RK4", 'actuation="disable"'),
    ("Euler", 'spring="disable" damper="disable"'),
    ("Euler", 'sensor="disable"'),
]


@pytest.mark.parametrize("compiled", [True, False], ids=["kernels", "python"])
@pytest.mark.parametrize("both", KINDS, indirect=True)
def test_numbers_are_mujocos(both: Pair, compiled: bool) -> None:
    """14-S1: all callbacks, number by number, in both integrators and with flags that matter."""
    for name, function in KERNELS.items():
        setattr(both.model.callbacks, name, function if compiled else plain(name))
    rng = np.random.default_rng(2)
    for _ in range(3):
        both.write(rng)
        both.forward()
        both.assert_equal(*map(field, COMPARED))
        for _ in range(20):
            both.step()
        both.assert_equal(*map(field, COMPARED))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_they_are_called_where_mujoco_calls_its_own(integrator):
    """The same calls, with the same arguments, at the same times."""
    mujoco, calls = mujoco_module(), {"ours": [], "theirs": []}
    found = pair(model_text(integrator))

    def noting(name, who):
        def called(model, data, *numbers):
            calls[who].append((name, *map(int, numbers), round(data.time, 9)))
            return 0.5 if name.startswith("act_") else None

        return called

    for name in KERNELS:
        setattr(found.model.callbacks, name, noting(name, "ours"))
        getattr(mujoco, f"set_mjcb_{name}")(noting(name, "theirs"))
    try:
        for _ in range(3):
            found.step()
        found.forward()
    finally:
        for name in KERNELS:
            getattr(mujoco, f"set_mjcb_{name}")(None)
    assert len(calls["ours"]) >= 4 * 9
    assert calls["ours"] == calls["theirs"]


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_without_callbacks_user_types_do_what_mujocos_do(integrator):
    """Gain one, bias and rates zero, readings zero."""
    found = pair(model_text(integrator))
    rng = np.random.default_rng(3)
    for _ in range(2):
        found.write(rng)
        found.forward()
        found.assert_equal(*map(field, COMPARED))
        found.step()
        found.assert_equal(*map(field, COMPARED))
    assert not found.model.supported()


def with_kernels(integrator: str = "Euler") -> cf.Model:
    model = cf.Model.from_mjcf(model_text(integrator))
    for name, function in KERNELS.items():
        setattr(model.callbacks, name, function)
    return model


def scattered(model: cf.Model, n: int, threads: int = 1) -> cf.BatchSim:
    batch, rng = cf.BatchSim(model, n, threads=threads), np.random.default_rng(5)
    for name in ("qpos", "qvel", "act", "ctrl"):
        array = getattr(batch, name)
        array[:] = 0.3 * rng.normal(size=array.shape)
    return batch


@pytest.mark.parametrize("expanded", [False, True])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_kernels_run_in_lanes_bit_by_bit(integrator, expanded):
    """9-AC1: eight worlds at once have the bits of single ones, callbacks included."""
    model = with_kernels(integrator)
    assert model.callbacks.in_lanes
    batch = scattered(model, 11)
    if expanded:
        batch.expand("body_mass")
    batch.bind("sensordata", "actuator_force", "qfrc_passive")
    start = batch.get_states()
    assert batch.step_all(30) == [None] * 11
    for i in range(11):
        data = model.make_data()
        data.set_state(start[i])
        data.step(30)
        assert np.array_equal(batch.get_states()[i], data.get_state().vector)
        for name in ("sensordata", "actuator_force", "qfrc_passive"):
            assert np.array_equal(getattr(batch, name)[i], getattr(data, name)), name


@pytest.mark.parametrize("threads", [1, 2])
def test_python_functions_in_a_batch_are_called_world_by_world(threads):
    """Worlds have the bits of single ones; a kernel that is not lane-safe goes the same way."""
    for function in (plain("control"), branching):
        model = cf.Model.from_mjcf(model_text())
        model.callbacks.control = function
        assert not model.callbacks.in_lanes
        batch = scattered(model, 9, threads)
        batch.bind("actuator_length")
        start = batch.get_states()
        assert batch.step_all(10) == [None] * 9
        batch.forward_all()
        for i in range(9):
            data = model.make_data()
            data.set_state(start[i])
            data.step(10)
            assert np.array_equal(batch.get_states()[i, :4], data.get_state().vector[:4])
            data.forward()
            assert np.array_equal(batch.actuator_length[i], data.actuator_length)


class OddError(Exception):
    """An exception that the engine knows nothing of."""


def odd(model: cf.Model, data: cf.Data, *numbers: int) -> float:
    """Writes what it may and what it may not, and raises."""
    data.ctrl[:] = 9
    data.qpos[:] = 9
    data.qvel[:] = np.nan
    raise OddError("for a reason")


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_exceptions_come_out_as_they_are(name, integrator):
    """Same object, with the traceback of the function; state and inputs are untouched."""
    model = cf.Model.from_mjcf(model_text(integrator))
    data = model.make_data()
    data.qpos[:], data.ctrl[:] = 0.1, 0.2
    data.step(3)
    setattr(model.callbacks, name, odd)
    before = data.digest()
    for call in (data.step, data.forward):
        with pytest.raises(OddError, match="for a reason") as caught:
            call()
        assert data.digest() == before
        assert "odd" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    # and all goes on as if nothing had been
    setattr(model.callbacks, name, None)
    data.step(2)
    other = model.make_data()
    other.qpos[:], other.ctrl[:] = 0.1, 0.2
    other.step(5)
    assert np.array_equal(data.get_state().vector, other.get_state().vector)


def test_an_exception_in_the_middle_of_many_steps():
    """Steps before it count, and inputs are those of the step that failed."""
    model = cf.Model.from_mjcf(model_text())
    data = model.make_data()

    def late(model, data):
        if data.time > 0.295:
            data.ctrl[:] = 5
            raise OddError
        data.ctrl[:] = data.time

    model.callbacks.control = late
    with pytest.raises(OddError):
        data.step(1000)
    assert data.time == pytest.approx(0.3) and data.steps_done == 30
    np.testing.assert_allclose(data.ctrl, 0.29)


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_in_a_batch(threads):
    """The exception of the first world comes out; that world is untouched, others go on."""
    model = cf.Model.from_mjcf(model_text())
    batch = scattered(model, 5, threads)
    start = batch.get_states()

    def picky(model, data):
        data.ctrl[0] = 3
        if np.array_equal(data.qpos, start[3, 1:3]):
            raise OddError("world 3")

    model.callbacks.control = picky
    with pytest.raises(OddError, match="world 3"):
        batch.step_all()
    after = batch.get_states()
    assert np.array_equal(after[3], start[3])
    assert (after[[0, 1, 2, 4], 0] > 0).all()


def test_an_interrupt_is_an_exception_like_others():
    model = cf.Model.from_mjcf(model_text())
    data = model.make_data()

    def interrupted(model, data):
        raise KeyboardInterrupt

    model.callbacks.passive = interrupted
    with pytest.raises(KeyboardInterrupt):
        data.step(100)
    assert data.time == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["act_dyn", "act_gain", "act_bias"])
def test_numbers_that_are_none(name, bad):
    """A typed error with the actuator's name, in one world and in each world of a batch."""
    model = cf.Model.from_mjcf(model_text())
    setattr(model.callbacks, name, lambda model, data, i: bad)
    data = model.make_data()
    before = data.digest()
    with pytest.raises(cf.InvalidCallback, match="'one'") as caught:
        data.step()
    assert data.digest() == before and caught.value.object_name == "one"
    batch = cf.BatchSim(model, 3)
    assert [type(error) for error in batch.step_all()] == [cf.InvalidCallback] * 3


@kernel(lanes=True)
def grows(m, d, i: int):
    """Not finite in worlds that move to the right."""
    return 1.0 / max(0.0, -d.qvel[0])


def test_numbers_that_are_none_in_some_lanes():
    model = cf.Model.from_mjcf(model_text())
    model.callbacks.act_gain = grows
    batch = cf.BatchSim(model, 8, threads=1)
    batch.qvel[:, 0] = [-1, 1, -1, -1, 1, -1, -1, -1]
    errors = batch.step_all()
    assert [e is None for e in errors] == [v < 0 for v in (-1, 1, -1, -1, 1, -1, -1, -1)]
    assert isinstance(errors[1], cf.InvalidCallback)


def test_readings_that_are_none():
    """A reading that is not finite is an error with the sensor's name."""
    model = cf.Model.from_mjcf(model_text())

    def wrong(model, data, stage):
        if stage == cf.enums.Stage.VEL:
            data.sensor("power").data[0] = np.nan

    model.callbacks.sensor = wrong
    with pytest.raises(cf.InvalidCallback, match="'power'"):
        model.make_data().step()
    model.callbacks.control = lambda model, data: np.copyto(data.ctrl, np.nan)
    model.callbacks.sensor = None
    with pytest.warns(cf.StepWarning, match="ctrl"):
        model.make_data().step()
    model.callbacks.control = None
    model.callbacks.passive = lambda model, data: np.copyto(data.qfrc_passive, np.nan)
    with pytest.raises(cf.InvalidAcceleration):
        model.make_data().step()


@pytest.mark.parametrize(
    ("name", "function", "error"),
    [
        ("control", lambda m, d: d.ctrl, cf.ArgumentError),
        ("control", lambda m, d: setattr(d, "ctrl", [1, 2, 3]), cf.ShapeError),
        ("control", lambda m, d: setattr(d, "ctrl", ["a", "b"]), cf.ShapeError),
        ("control", lambda m, d: setattr(d, "controls", 1), AttributeError),
        ("control", lambda m, d: d.ctrl.__setitem__(slice(None), np.ones(5)), ValueError),
        ("passive", lambda m, d: d.qfrc_passive.__setitem__(99, 1.0), IndexError),
        ("act_gain", lambda m, d, i: np.ones(2), cf.ArgumentError),
        ("act_gain", lambda m, d, i: None, cf.ArgumentError),
        ("act_bias", lambda m, d, i: "much", cf.ArgumentError),
        ("act_dyn", lambda m, d, i: 1j, cf.ArgumentError),
        ("control", lambda m, d: d.step(), cf.ArgumentError),
        ("sensor", lambda m, d, stage: d.forward(), cf.ArgumentError),
    ],
)
def test_wrong_results_are_errors(name, function, error):
    """What a callback writes out of shape or gives back wrongly is an error; nothing has moved."""
    model = cf.Model.from_mjcf(model_text())
    setattr(model.callbacks, name, function)
    data = model.make_data()
    before = data.digest()
    with pytest.raises(error):
        data.step()
    assert data.digest() == before


@kernel(lanes=True)
def branches_on_data(m, d):
    """Says that it is lane-safe, and is not."""
    if d.qpos[0] > 0.0:
        d.ctrl[0] = 1.0


@kernel(lanes=True)
def gives_nothing(m, d, i: int):
    """A gain that is none."""
    d.ctrl[0] = 1.0


@pytest.mark.parametrize(
    ("name", "function", "error"),
    [
        ("control", 7, cf.ArgumentError),
        ("control", lambda m: None, cf.ArgumentError),
        ("act_gain", lambda m, d: 1.0, cf.ArgumentError),
        ("control", gain, cf.ArgumentError),
        ("control", branches_on_data, cf.SubsetError),
        ("controls", push_back, AttributeError),
    ],
)
def test_what_cannot_be_called_is_refused(name, function, error):
    """At once, not in the first step."""
    model = cf.Model.from_mjcf(model_text())
    with pytest.raises(error):
        setattr(model.callbacks, name, function)
    assert model.called == 0
    model.make_data().step()


def test_a_kernel_of_the_wrong_type_does_not_compile():
    model = cf.Model.from_mjcf(model_text())
    model.callbacks.act_gain = gives_nothing
    with pytest.raises(cf.CompilationError):
        model.make_data().step()
    model.callbacks.clear()
    model.make_data().step()


def test_callbacks_belong_to_their_model():
    """Two models side by side, a copy of a Data, and functions that come and go."""
    one, two = (cf.Model.from_mjcf(model_text()) for _ in range(2))
    one.callbacks.control = push_back
    two.callbacks.control = lambda model, data: np.copyto(data.ctrl, 4.0)
    worlds = [model.make_data() for model in (one, two, one)]
    for _ in range(3):
        for data in worlds:
            data.step()
    assert np.array_equal(worlds[0].ctrl, worlds[2].ctrl) and (worlds[1].ctrl == 4).all()
    twin = worlds[1].copy()
    twin.ctrl[:] = 0
    two.callbacks.control = None
    twin.step()
    assert (twin.ctrl == 0).all()
    two.callbacks.control = push_back
    twin.step()
    assert twin.ctrl[1] != 0
    assert copy.deepcopy(one).callbacks.control is push_back
    assert "control" in repr(one.callbacks) and "none" in repr(
        cf.Model.from_mjcf("<mujoco/>").callbacks
    )


STRENGTH = 1.0


@kernel(lanes=True)
def strong(m, d):
    """A control that a number of the module decides."""
    d.ctrl[0] = STRENGTH


def test_numbers_of_a_module_are_taken_when_a_kernel_is_set(monkeypatch):
    """Two models with the same kernel share its code, unless such a number has changed."""
    model = cf.Model.from_mjcf(model_text())
    model.callbacks.control = strong
    data = model.make_data()
    data.step()
    assert data.ctrl[0] == 1.0
    monkeypatch.setattr(sys.modules[__name__], "STRENGTH", 2.5)
    model.callbacks.control = strong
    data.step()
    assert data.ctrl[0] == 2.5


def test_worlds_in_threads_find_their_own_data():
    """Python functions of one model, called for many worlds at once."""
    model = cf.Model.from_mjcf(model_text())
    seen: dict[int, set[int]] = {}

    def noting(model, data):
        seen.setdefault(id(data), set()).add(threading.get_ident())
        data.ctrl[0] = data.userdata.size + data.qpos[0]

    model.callbacks.control = noting
    worlds = [model.make_data() for _ in range(4)]
    for i, data in enumerate(worlds):
        data.qpos[0] = 0.1 * i
    alone = [data.copy() for data in worlds]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda data: data.step(50), worlds))
    assert set(seen) == {id(data) for data in worlds}
    for data, other in zip(worlds, alone, strict=True):
        other.step(50)
        assert data.digest() == other.digest()


def test_functions_are_let_go():
    """A model that is gone takes its callbacks and its worlds with it."""

    class Big:
        gone = False

        def __call__(self, model, data):
            return None

        def __del__(self):
            Big.gone = True

    model = cf.Model.from_mjcf(model_text())
    model.callbacks.control = Big()
    data = model.make_data()
    data.step()
    del data, model
    gc.collect()
    assert Big.gone


PROGRAM = """
import sys, os
import numpy as np
import cortenforge as cf
from tests.model.callback_kernels import MODEL, KERNELS
def hold(model, data):
    data.ctrl[:] = -data.qvel
model = cf.Model.from_mjcf(MODEL.format(integrator="RK4", flags=""))
for name, function in KERNELS.items():
    setattr(model.callbacks, name, function)
model.callbacks.control = hold
data = model.make_data()
data.qvel[:] = [0.3, -0.2]
data.step(2)
if len(sys.argv) > 1:
    # a forked process goes on with the same functions
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    data.step()
print(data.qpos.tolist(), data.sensordata.tolist(), data.act.tolist())
"""


def run(*arguments: str, **environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True, text=True, check=True, env={**os.environ, **environment},
    )  # fmt: skip
    return [
        float(x) for x in done.stdout.replace("[", "").replace("]", ",").split(",") if x.strip()
    ]


def test_plain_python_calls_them_too():
    """Without Numba, kernels and functions are called at the same places."""
    np.testing.assert_allclose(run(NUMBA_DISABLE_JIT="1"), run(), rtol=1e-12, atol=1e-14)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_goes_on():
    assert len(run("fork")) == len(run())


def test_a_gpu_refuses_them():
    """Callbacks run on the CPU; a GPU says so before anything else."""
    from cortenforge.gpu import UnsupportedFeature

    model = with_kernels()
    with pytest.raises(UnsupportedFeature, match="callbacks: a device runs no Python"):
        cf.GpuBatchSim(model, 4)


#: a heap that falls: contacts, rows and islands outgrow what a Data has room for at first
HEAP = (
    '<mujoco><option integrator="{}"/><worldbody><geom type="plane" size="5 5 .1"/>{}</worldbody>'
    '<actuator><motor name="m" joint="j"/></actuator></mujoco>'
)
BODIES = "".join(
    f'<body pos="{0.15 * (i % 3)} {0.15 * (i // 3)} {0.11 + 0.02 * i}"><freejoint/>'
    '<geom type="box" size=".1 .1 .1"/></body>'
    for i in range(9)
)
BODIES += '<body pos="2 0 1"><joint name="j"/><geom size=".1"/></body>'


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("whole", [True, False], ids=["steps", "evaluations"])
def test_control_is_called_once_a_step_though_memory_grows(integrator: str, whole: bool) -> None:
    """As often as MuJoCo calls its own, and to the same bits as with room from the start on.

    The callback draws random numbers and adds to what it finds, so that one call too many shows.
    """
    results = []
    for room in (False, True):
        model = cf.Model.from_mjcf(HEAP.format(integrator, BODIES))
        data, rng, calls = model.make_data(), np.random.default_rng(0), []
        if room:
            grown = model.make_data()
            grown.step(30)
            data._ensure_room(grown._store.capacities)
        before = dict(data._store.capacities)

        def control(model: Any, data: Any, calls: Any = calls, rng: Any = rng) -> None:
            calls.append(data.time)
            data.ctrl += rng.normal()
            data.xfrc_applied[1:, :3] += 0.1 * rng.normal(size=(model.nbody - 1, 3))

        model.callbacks.control = control
        for _ in range(6):
            if whole:
                data.step(5)
            else:
                data.forward()
                data.step(4)
        assert (data._store.capacities == before) == room
        results.append((calls, data.digest()))
    (calls, digest), (expected, other) = results
    stages = 4 if integrator == "RK4" else 1
    assert len(calls) == (30 * stages if whole else 6 + 24 * stages)
    assert calls == expected and digest == other
