"""Threads in one Data, Renderer, BatchSim or Model; callbacks and signals in the midst of calls."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.models import find
from tests.forked import run_forked

STORM = Path(__file__).with_name("storm.py")


def model() -> cf.Model:
    """A model of this test's own, since its callbacks are set."""
    return cf.Model.from_mjcf(find("double_pendulum"))


@pytest.mark.parametrize("which", ["shared", "own"])
def test_all_pairs_of_calls(which):
    """In two threads at once: one object is typed or right, own objects of one model are right."""
    done = subprocess.run(
        [sys.executable, str(STORM), which], capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0 and done.stdout.split()[-1] == "weathered", done.stderr[-3000:]


class Stopped:
    """A step that stands still in a callback, in a thread of its own."""

    def __init__(self, step: Callable[[], Any], owner: cf.Model) -> None:
        self._inside, self._on = threading.Event(), threading.Event()
        owner.callbacks.control = lambda model, data: self._wait()
        self.raised: list[BaseException] = []
        self._thread = threading.Thread(target=self._work, args=(step,), daemon=True)

    def _wait(self) -> None:
        self._inside.set()
        assert self._on.wait(60)

    def _work(self, step: Callable[[], Any]) -> None:
        try:
            step()
        except BaseException as error:
            self.raised.append(error)

    def __enter__(self) -> Stopped:
        self._thread.start()
        assert self._inside.wait(60)
        return self

    def __exit__(self, *rest: object) -> None:
        self._on.set()
        self._thread.join(60)
        assert not self._thread.is_alive()


CALLS: list[Callable[[cf.Data], Any]] = [
    lambda d: d.step(),
    lambda d: d.step(1000),
    lambda d: d.forward(),
    lambda d: d.reset(),
    lambda d: d.get_state(),
    lambda d: d.copy(),
    lambda d: d.ray([0, 0, 5], [0, 0, -1]),
    lambda d: d.jac_body(1),
    lambda d: d.contact_forces(),
    lambda d: d.render(width=8, height=8),
    lambda d: d.transition_derivatives(),
    lambda d: d.register_deformable(cf.Cloth.grid(2, 2, (0.1, 0.1))),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_second_thread_in_a_data_is_refused(call):
    """While a step is under way in another thread, and not after it."""
    owner = model()
    data = owner.make_data()
    data.forward()
    data.ray([0, 0, 5], [0, 0, -1])
    with Stopped(data.step, owner) as stopped:
        with pytest.raises(cf.ThreadError, match="another thread is in a call of this Data"):
            call(data)
        # views are handed out: of fields, and of contacts
        assert data.time == 0 and data.qpos.shape == (2,) and len(data.contact) == 0
    assert not stopped.raised and data.time == owner.opt.timestep
    owner.callbacks.clear()
    call(data)


def test_a_second_thread_in_a_renderer_is_refused():
    owner = model()
    renderer, data = cf.Renderer(owner, width=64, height=64), owner.make_data()
    data.forward()
    expected = renderer.render(data)
    right, refused = 0, 0

    def draw() -> None:
        nonlocal right, refused
        for _ in range(20):
            try:
                assert (renderer.render(twin) == expected).all()
                right += 1
            except cf.ThreadError:
                refused += 1

    twin = data.copy()
    crowd = [threading.Thread(target=draw) for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert right and right + refused == 80


def test_a_world_of_a_batch_is_refused_while_the_batch_is_stepped():
    owner = model()
    batch = cf.BatchSim(owner, 2, threads=2)
    world = batch.env(1)
    with Stopped(batch.step_all, owner), pytest.raises(cf.ThreadError):
        world.step()
    world.step()
    assert batch.time[1] == 2 * owner.opt.timestep


def test_a_batch_lets_one_after_another_in():
    """A second thread waits; it does not work on worlds that are half way."""
    owner = model()
    batch = cf.BatchSim(owner, 2, threads=2)
    found: list[np.ndarray] = []
    waiting = threading.Thread(target=lambda: found.append(batch.get_states()))
    with Stopped(batch.step_all, owner):
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive() and not found
    waiting.join(60)
    assert np.array_equal(found[0], batch.get_states())


CHANGES: dict[str, Callable[[cf.Model], Any]] = {
    "set_const": lambda m: m.set_const(),
    "callbacks": lambda m: setattr(m.callbacks, "passive", None),
    "expand": lambda m: cf.BatchSim(m, 9).expand("geom_size"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_model_is_changed_between_calls(change):
    """Lists of a model may move, so a change waits for steps that read them."""
    owner = model()
    data = owner.make_data()
    changing = threading.Thread(target=CHANGES[change], args=(owner,))
    with Stopped(data.step, owner):
        version = owner.version
        changing.start()
        changing.join(0.2)
        assert changing.is_alive() and owner.version == version
    changing.join(60)
    assert not changing.is_alive() and owner.version > version


# callbacks ------------------------------------------------------------------------------

IN_CALLBACKS: dict[str, Callable[[cf.Data], Any]] = {
    "step": lambda d: d.step(),
    "forward": lambda d: d.forward(),
    "reset": lambda d: d.reset(),
    "set_state": lambda d: d.set_state(d.get_state()),
    "register": lambda d: d.register_deformable(cf.Cloth.grid(2, 2, (0.1, 0.1))),
    "seed_noise": lambda d: d.seed_noise(0),
    "set_const": lambda d: d.model.set_const(),
    "callbacks": lambda d: d.model.callbacks.clear(),
    "length_range": lambda d: d.model.set_length_range(),
    "expand": lambda d: cf.BatchSim(d.model, 9).expand("body_mass"),
}


@pytest.mark.parametrize("name", IN_CALLBACKS)
def test_what_would_pull_memory_from_under_a_step_is_refused(name):
    """The step goes back to where it started, and the world can be stepped afterwards."""
    owner = model()
    data = owner.make_data()
    data.qvel[:] = 1.0
    twin = data.copy()
    owner.callbacks.control = lambda model, data: IN_CALLBACKS[name](data) and None
    with pytest.raises((cf.ArgumentError, cf.ModelError), match="a callback cannot"):
        data.step()
    assert data.digest() == twin.digest()
    owner.callbacks.clear()
    data.step(5)
    twin.step(5)
    assert data.digest() == twin.digest()


def test_an_edited_model_is_not_taken_up_in_the_midst_of_a_step():
    """A callback that steps another world would move lists which its own step reads."""
    owner = model()
    data, other = owner.make_data(), owner.make_data()

    def control(model: cf.Model, data: cf.Data) -> None:
        if data is not other:
            owner.geom_size[0] *= 1.5
            other.step()

    owner.callbacks.control = control
    with pytest.raises(cf.ModelError, match="change it between steps"):
        data.step()
    owner.callbacks.clear()
    data.step()


def test_reading_in_a_callback_works():
    """A callback may ask its world, copy it, and step other worlds."""
    owner = model()
    data, other = owner.make_data(), owner.make_data()
    seen: list[float] = []

    def control(model: cf.Model, given: cf.Data) -> None:
        if given is data:
            given.jac_body(1)
            given.ray([0, 0, 5], [0, 0, -1])
            twin = given.copy()
            twin.get_state(), given.digest(), given.full_M(), given.contact
            other.step(2)
            seen.append(other.time)

    owner.callbacks.control = control
    data.step(3)
    # Runge-Kutta looks at controls four times a step
    assert np.allclose(seen, np.arange(2, 26, 2) * owner.opt.timestep)


BATCH_CALLS: dict[str, Callable[[cf.BatchSim], Any]] = {
    "step_all": lambda b: b.step_all(),
    "expand": lambda b: b.expand("body_mass"),
    "bind": lambda b: b.bind("xpos"),
    "randomize": lambda b: b.randomize("body_mass", scale=(1, 2)),
    "reset_all": lambda b: b.reset_all(),
    "set_states": lambda b: b.set_states(b.get_states()),
    "assign": lambda b: setattr(b, "ctrl", 0.0),
    "derivatives": lambda b: b.transition_derivatives(),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", BATCH_CALLS)
def test_a_callback_does_not_call_its_batch(name, threads):
    """On a thread of the batch it would wait for ever; on the caller's, worlds are half way."""
    owner = model()
    batch = cf.BatchSim(owner, 4, threads=threads)
    start = batch.get_states()
    owner.callbacks.control = lambda model, data: BATCH_CALLS[name](batch) and None
    with pytest.raises(cf.ArgumentError, match="a callback cannot call"):
        batch.step_all()
    assert np.array_equal(batch.get_states(), start)
    owner.callbacks.clear()
    assert batch.step_all() == [None] * 4


# signals --------------------------------------------------------------------------------

ALARMED = """
import signal, sys, time
import numpy as np
import cortenforge as cf
from cortenforge.models import find

class Alarm(BaseException):
    pass

def alarm(number, frame):
    raise Alarm(number)

way = sys.argv[1]
model = cf.Model.from_mjcf(find("humanoid"))
threads = 1 if way == "one" else 2
batch = cf.BatchSim(model, 2 if way == "few" else 64, threads=threads)
twin = cf.BatchSim(model, batch.n, threads=1)
batch.step_all(20), twin.step_all(20)
numbers = [signal.SIGALRM, signal.SIGTERM, signal.SIGUSR1]
for number in numbers:
    signal.signal(number, alarm)
rng = np.random.default_rng(0)
heard = 0
for k in range(40):
    number = numbers[k % 3]
    # SIGALRM at some time; others from another thread
    import threading, os
    try:
        # on a busy machine the signal may come before the steps
        if number == signal.SIGALRM:
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0005, 0.03), 0.0007)
        else:
            threading.Timer(rng.uniform(0.0005, 0.03), os.kill, (os.getpid(), number)).start()
        # some seconds: a signal that is lost is counted, and hangs nothing
        batch.step_all(320_000 // batch.n)
    except Alarm:
        heard += 1
    while True:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
            break
        except Alarm:
            pass
    try:
        time.sleep(0.001)
    except Alarm:
        pass
    times, before = batch.time.copy(), batch.get_states()
    assert len(set(times.tolist())) == 1, times
    time.sleep(0.002)
    assert np.array_equal(batch.get_states(), before)
assert heard == 40, heard
assert all(signal.getsignal(number) is alarm for number in numbers)
twin.step_all(round((batch.time[0] - twin.time[0]) / model.opt.timestep))
assert np.array_equal(batch.get_states(), twin.get_states())
print("heard", heard)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
@pytest.mark.parametrize("way", ["one", "two", "few"])
def test_handlers_that_raise_leave_all_worlds_at_one_step(way):
    """Whichever signal it is: nobody steps on, no step is lost, no handler stays replaced."""
    done = subprocess.run(
        [sys.executable, "-c", ALARMED, way], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and "heard 40" in done.stdout, done.stderr[-3000:]


ENDING = """
import sys, threading, time
import cortenforge as cf
from cortenforge.models import find
model = cf.Model.from_mjcf(find("double_pendulum"))
batch = cf.BatchSim(model, 64, threads=4)
renderer = cf.Renderer(model, width=16, height=16, threads=2)
data = model.make_data()

def late():
    threading.main_thread().join()
    time.sleep(0.2)
    assert batch.step_all(5) == [None] * 64
    batch.render(width=8, height=8)
    renderer.render(data)
    print("stepped to", batch.time[0], flush=True)

threading.Thread(target=late).start()
"""


def test_worlds_are_stepped_after_the_main_thread_has_ended():
    """No threads can be started any more: the one that is left does all."""
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=99
    )
    assert done.returncode == 0 and "stepped to" in done.stdout, done.stderr[-3000:]


def test_a_forked_process_draws_and_changes_models():
    """While another thread of the parent was in a step: neither threads nor locks survive."""
    owner = model()
    data, other, batch = owner.make_data(), owner.make_data(), cf.BatchSim(owner, 2, threads=2)
    renderer = cf.Renderer(owner, width=16, height=16, threads=2)
    picture = renderer.render(other)

    def child() -> None:
        owner.callbacks.clear()
        owner.set_const()
        other.step()
        assert np.array_equal(renderer.render(owner.make_data()), picture)

    def stepping() -> None:
        owner.callbacks.clear()
        batch.reset_all()
        assert batch.step_all() == [None, None]

    with Stopped(data.step, owner):
        run_forked(child)
    with Stopped(batch.step_all, owner):
        run_forked(stepping)
