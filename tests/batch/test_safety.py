"""Batches under threads, forks, interrupts and replaced parameters."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.models import find
from tests.forked import run_forked


@pytest.fixture(scope="module")
def model():
    return cf.Model.from_mjcf(find("double_pendulum"))


def spread(model, n, **options):
    """Worlds with different velocities."""
    batch = cf.BatchSim(model, n, **options)
    batch.qvel[:] = np.linspace(-1, 1, n * model.nv).reshape(n, -1)
    return batch


@pytest.mark.parametrize("n", [2, 20])
def test_parameters_are_copied_into(model, n):
    """Replacing a parameter's array changes values, and kernels never read freed memory."""
    batch, twin = spread(model, n), spread(model, n)
    for one in (batch, twin):
        one.expand("body_mass", "dof_damping")
    masses = np.linspace(0.5, 2, n)[:, None] * model.body_mass
    batch.parameters["body_mass"] = masses.copy()
    twin.parameters["body_mass"][:] = masses
    assert batch.parameters["body_mass"] is not masses
    for _ in range(20):
        batch.parameters["dof_damping"] = np.full((n, model.nv), 0.1)
        twin.parameters["dof_damping"][:] = 0.1
        batch.step_all(5)
        twin.step_all(5)
    assert np.array_equal(batch.get_states(), twin.get_states())
    with pytest.raises(cf.ShapeError, match="expected an array of shape"):
        batch.parameters["body_mass"] = np.zeros(model.nbody + 4)
    with pytest.raises(cf.ShapeError, match="cannot be taken back"):
        del batch.parameters["body_mass"]


@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_worlds_that_differ_have_the_bits_of_single_worlds(n):
    """Masses, gravity, damping and places of their own, in lockstep as alone."""
    model = cf.Model.from_mjcf(find("humanoid_floating"))
    batch = spread(model, n)
    rng = np.random.default_rng(n)
    names = ("body_mass", "dof_damping", "opt_gravity", "jnt_pos", "opt_density", "jnt_stiffness")
    batch.expand(*names)
    for name in names:
        values = batch.parameters[name]
        values *= rng.uniform(0.5, 1.5, values.shape)
    # some worlds without what others have: no bit of theirs may change for it
    batch.parameters["opt_density"][::2] = 1.3
    batch.parameters["dof_damping"][::3] = 0.0
    batch.parameters["jnt_stiffness"][1::3] = 0.0
    start = batch.get_states()
    alone = []
    for i in range(n):
        data = batch.env(i).copy()
        data.set_state(start[i])
        data.step(20)
        alone.append(data.get_state().vector)
    assert batch.step_all(20) == [None] * n
    assert np.array_equal(batch.get_states().view(np.uint64), np.array(alone).view(np.uint64))
    assert len({vector.tobytes() for vector in alone}) == n


def test_a_copied_world_keeps_its_parameters(model):
    """`env(i).copy()` has the world's masses, in arrays of its own."""
    batch = spread(model, 12)
    batch.expand("body_mass")
    batch.parameters["body_mass"][:] *= np.linspace(1, 3, 12)[:, None]
    copy = batch.env(7).copy()
    batch.step_all(30)
    copy.step(30)
    assert np.array_equal(copy.qpos, batch.qpos[7])
    batch.parameters["body_mass"][7] = 1e-3
    before = copy.qpos.copy()
    copy.step(30)
    assert np.isfinite(copy.qpos).all() and not np.array_equal(copy.qpos, before)


@pytest.mark.parametrize("n", [2, 20])
def test_arrays_stay_valid(model, n):
    """Parameters and bound fields that were taken before others came are the batch's own still."""
    batch, twin = spread(model, n), spread(model, n)
    batch.expand("body_mass")
    batch.bind("xpos", "qacc")
    mass, xpos, qacc = batch.parameters["body_mass"], batch.xpos, batch.qacc
    column = mass[:, 1]
    batch.expand("opt_gravity", "dof_damping")
    batch.bind("cvel")
    batch.randomize("dof_damping", scale=(1.0, 1.0))
    assert batch.parameters["body_mass"] is mass and batch.xpos is xpos and batch.qacc is qacc
    column *= 2.0
    twin.expand("body_mass")
    twin.parameters["body_mass"][:, 1] *= 2.0
    twin.bind("xpos")
    for one in (batch, twin):
        one.step_all(5)
    assert np.array_equal(batch.get_states(), twin.get_states())
    assert np.array_equal(xpos, twin.xpos) and xpos.any() and batch.cvel.any()
    qacc[:] = 1.0
    batch.bind("qfrc_inverse")
    batch.inverse_all()
    data = batch.env(n - 1)
    data.qacc[:] = 1.0
    data.inverse()
    assert np.array_equal(batch.qfrc_inverse[n - 1], data.qfrc_inverse)


@pytest.mark.parametrize("n", [2, 20])
def test_a_world_that_was_handed_out_has_what_is_its_own(model, n):
    """Gravity of its own, though it came after the world was taken."""
    batch = spread(model, n)
    world = batch.env(1)
    world.step(), world.ray([0, 0, 9], [0, 0, -1])
    batch.expand("opt_gravity")
    batch.parameters["opt_gravity"][1] = [0, 0, 3.0]
    taken_later = batch.env(1)
    twin = taken_later.copy()
    world.step(10)
    twin.step(10)
    assert np.array_equal(world.qpos, twin.qpos)
    start = twin.get_state()
    batch.step_all(10)
    twin.set_state(start)
    twin.step(10)
    assert np.array_equal(batch.qpos[1], twin.qpos) and np.array_equal(world.qpos, twin.qpos)


def test_what_a_batch_is_made_for_cannot_be_assigned(model):
    """Memory would be of the wrong size."""
    batch = spread(model, 12)
    other = cf.Model.from_mjcf(find("humanoid_floating"))
    for name, value in (("n", 3), ("model", other), ("threads", 7), ("parameters", {})):
        with pytest.raises(AttributeError, match=f"batch.{name} cannot be assigned"):
            setattr(batch, name, value)
    assert batch.n == 12 and batch.model is model
    assert batch.step_all(2) == [None] * 12


@pytest.mark.parametrize("n", [2, 64])
def test_two_threads_in_one_batch_take_turns(model, n):
    """Calls at the same time add up to the steps of both."""
    batch, twin = spread(model, n, threads=2), spread(model, n, threads=2)
    crowd = [threading.Thread(target=lambda: batch.step_all(50)) for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    for _ in range(4):
        twin.step_all(50)
    assert np.array_equal(batch.get_states(), twin.get_states())


def test_a_forked_process_goes_on(model):
    """A batch that was stepped before a fork can be stepped in the child."""
    batch, twin = spread(model, 64, threads=2), spread(model, 64, threads=2)
    batch.step_all(10)
    twin.step_all(20)

    def child():
        batch.step_all(10)
        assert np.array_equal(batch.get_states(), twin.get_states())

    run_forked(child)
    batch.step_all(10)
    assert np.array_equal(batch.get_states(), twin.get_states())


INTERRUPTED = """
import signal, sys, threading, time
import numpy as np
import cortenforge as cf
from cortenforge.models import find
# whoever runs tests in the background may have told processes to ignore interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)
model = cf.Model.from_mjcf(find("humanoid_floating"))
way = sys.argv[1]
one = model.make_data() if way == "data" else cf.BatchSim(model, 64, threads=2)
step = one.step if way == "data" else one.step_all
step(20)
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
start = time.perf_counter()
try:
    step(10**9)
except KeyboardInterrupt:
    waited = time.perf_counter() - start
times = np.atleast_1d(np.array(one.time))
# whole steps, and all worlds at the same one
assert len(set(times)) == 1, times
whole = times[0] / model.opt.timestep
assert abs(whole - round(whole)) < 1e-3, whole
before = one.get_state().vector if way == "data" else one.get_states()
time.sleep(0.3)
after = one.get_state().vector if way == "data" else one.get_states()
assert np.array_equal(before, after)
step(1)
print("waited", waited)
"""


@pytest.mark.parametrize("way", ["data", "batch"])
def test_an_interrupt_is_heard(way):
    """Ctrl-C ends a long call after a whole step, and nothing goes on behind it."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, way], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    # slices take 50 ms; the rest is a machine that does other things
    assert float(done.stdout.split()[-1]) < 30
