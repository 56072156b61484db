"""A kernel that does not compile: the call that needs it says so, and no other call suffers."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import CompilationError
from cortenforge.fields import CAPACITIES, DATA_FIELDS, MODEL_LAYOUT
from cortenforge.kernel import kernel, vec3
from cortenforge.kernel.cpu.compile import Compiler
from cortenforge.kernel.load.link import Linker
from cortenforge.models import find
from cortenforge.step.constants import RK4
from cortenforge.step.engine import Engine
from cortenforge.step.forward import forward
from cortenforge.step.integrate.euler import euler
from cortenforge.step.pipeline import restore_if_failed, store_state
from cortenforge.warmup import warmup


@kernel(lanes=True, unit=True)
def broken(m, d):
    """Passes the check of source, which does not know that a vector cannot be stored as a real."""
    d.time = vec3(1.0, 2.0, 3.0)


@kernel(lanes=True, unit=True)
def step_that_may_break(m, d):
    """Only models with another integrator reach the broken unit."""
    store_state(m, d)
    forward(m, d, 1)
    if m.opt_integrator == RK4:
        broken(m, d)
    euler(m, d)
    restore_if_failed(m, d)


BROKEN = Engine("BrokenData", DATA_FIELDS, CAPACITIES, step=step_that_may_break,
                home=f"{__name__}:BROKEN.linker")  # fmt: skip


@pytest.fixture
def model():
    return cf.Model.from_mjcf(find("double_pendulum"))


def test_a_unit_that_is_not_reached_does_no_harm(model):
    """What a model does not reach is not compiled, so it cannot fail."""
    model.opt.integrator = 0
    cf.Data(model, engine=BROKEN).step(3)


@pytest.mark.parametrize("way", ["data", "batch"])
def test_the_call_that_needs_it_fails(model, way):
    """The error is raised before anything moves, and again by the next call; others go on."""
    model.opt.integrator = 0
    one = cf.Data(model, engine=BROKEN) if way == "data" else cf.BatchSim(model, 9, engine=BROKEN)
    step = one.step if way == "data" else one.step_all
    one.qvel[:] = 1.0
    step(3)
    other = model.make_data()
    before = np.array(one.qpos)
    model.opt.integrator = int(RK4)
    for _ in range(2):
        with pytest.raises(CompilationError, match="broken did not compile"):
            step(1)
        assert np.array_equal(one.qpos, before)
    other.step(3)
    model.opt.integrator = 0
    step(1)
    assert not np.array_equal(one.qpos, before)


def test_a_failure_belongs_to_its_call(model):
    """Two worlds stepped at the same time: the one that fails tells its own caller only."""
    twin = cf.Model.from_mjcf(find("double_pendulum"))
    twin.opt.integrator = 0
    model.opt.integrator = int(RK4)
    caught: dict[str, BaseException | None] = {}

    def run(name, one):
        try:
            for _ in range(20):
                cf.Data(one, engine=BROKEN).step(5)
            caught[name] = None
        except CompilationError as error:
            caught[name] = error

    crowd = [
        threading.Thread(target=run, args=("good", twin)),
        threading.Thread(target=run, args=("bad", model)),
    ]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert caught["good"] is None
    assert isinstance(caught["bad"], CompilationError)


def test_types_are_enough_to_find_it():
    """Without making code, what would not compile is named."""
    compiler = Compiler(MODEL_LAYOUT, BROKEN.layout, types_only=True)
    compiler.check_types(euler)
    with pytest.raises(CompilationError, match="broken did not compile") as caught:
        compiler.check_types(broken)
    assert caught.value.unit == broken.name


@kernel(unit=True)
def broken_as_well(m, d):
    """Another one."""
    d.time = vec3(1.0, 2.0, 3.0)


@kernel(unit=True)
def sound(m, d):
    """One that compiles."""
    d.time = 0.0


def test_warmup_goes_on(monkeypatch, tmp_path):
    """All that compile are compiled, whatever is listed before them; the error lists the rest."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path))
    first = Linker(MODEL_LAYOUT, BROKEN.layout)
    second = Linker(MODEL_LAYOUT, Engine("OtherData", DATA_FIELDS, CAPACITIES, step=broken).layout)
    listed = [(first, [broken, broken_as_well, sound]), (second, [broken, sound])]
    monkeypatch.setattr("cortenforge.warmup.linkers", lambda: listed)
    with pytest.raises(CompilationError) as caught:
        warmup(progress=False)
    text = str(caught.value)
    assert text.startswith("3 of 5 kernels did not compile; all others are ready\n")
    assert text.count("in the layout Model and BrokenData: ") == 2
    assert text.count("in the layout Model and OtherData: ") == 1
    assert first.kept(sound) is not None and second.kept(sound) is not None
