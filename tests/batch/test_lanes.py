"""Eight worlds in lockstep have the bits of eight single worlds."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import HANDMADE
from conformance.generate import sensed_model, smooth_model
from cortenforge.fields import DATA_FIELDS, bindable
from cortenforge.kernel.language.width import lane_width
from cortenforge.models import find

STEPS = 50
#: what no step works out
ON_REQUEST = ("cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom")
DERIVED = tuple(f.name for f in bindable(DATA_FIELDS) if f.group != "status")


def scattered(model, n, seed):
    """A batch of worlds in different states, with forces."""
    rng = np.random.default_rng(seed)
    batch = cf.BatchSim(model, n, threads=1)
    for i in range(n):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.3)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.qfrc_applied[:] = rng.normal(size=batch.qfrc_applied.shape)
    batch.xfrc_applied[:, 1:] = rng.normal(size=batch.xfrc_applied[:, 1:].shape)
    return batch


def work_out_the_rest(data):
    """What no step works out, and a batch does where it is bound."""
    data.interaction_forces()
    data.subtree_momentum()


def assert_same_bits(a, b, name):
    assert np.array_equal(
        np.ascontiguousarray(a).view(np.uint64), np.ascontiguousarray(b).view(np.uint64)
    ), name


@pytest.mark.parametrize("integrator", [0, 1])
@pytest.mark.parametrize("seed", range(12))
def test_every_field_of_every_lane(seed, integrator):
    """9-AC1: all derived fields and the state, on generated models, for both integrators."""
    model = cf.Model.from_mjcf(smooth_model(seed))
    model.opt.integrator = integrator
    batch = scattered(model, 8, seed)
    batch.bind(*DERIVED)
    start = batch.get_states()
    errors = batch.step_all(STEPS)
    for i in range(8):
        data = model.make_data()
        data.set_state(start[i])
        try:
            data.step(STEPS)
            work_out_the_rest(data)
        except cf.StepError as error:
            assert type(errors[i]) is type(error) and errors[i].steps_done == error.steps_done
            assert_same_bits(data.get_state().vector, batch.get_states()[i], "state")
            continue
        assert errors[i] is None
        for name in DERIVED:
            assert_same_bits(getattr(data, name), getattr(batch, name)[i], name)
        assert_same_bits(data.get_state().vector, batch.get_states()[i], "state")


@pytest.mark.parametrize("integrator", [0, 1])
@pytest.mark.parametrize("seed", [*range(40, 46), None])
def test_readings_of_every_lane(seed, integrator):
    """Readings of sensors; forces on bodies and momenta are those of the end of the call."""
    text = HANDMADE / "sensors_smooth.xml" if seed is None else sensed_model(seed)
    model = cf.Model.from_mjcf(text)
    model.opt.integrator = integrator
    batch = scattered(model, 8, seed or 0)
    batch.bind("sensordata", *ON_REQUEST)
    start = batch.get_states()
    assert batch.step_all(3) == [None] * 8
    for i in range(8):
        data = model.make_data()
        data.set_state(start[i])
        data.step(3)
        work_out_the_rest(data)
        for name in ("sensordata", *ON_REQUEST):
            assert_same_bits(getattr(data, name), getattr(batch, name)[i], name)


def test_worlds_with_cutoffs_and_fields_of_their_own():
    """Reals of sensors, cameras and sites may differ between worlds."""
    model = cf.Model.from_mjcf(HANDMADE / "sensors_smooth.xml")
    batch = scattered(model, 8, 3)
    rng = np.random.default_rng(1)
    names = ("sensor_cutoff", "cam_fovy", "body_mass", "site_size")
    batch.expand(*names)
    for name in names:
        own = batch.parameters[name]
        own[:] = own * rng.uniform(0.5, 2, size=own.shape)
    batch.parameters["sensor_cutoff"][::2] = 0.0
    batch.bind("sensordata")
    start = batch.get_states()
    assert batch.step_all(2) == [None] * 8
    for i in range(8):
        alone = cf.Model.from_mjcf(HANDMADE / "sensors_smooth.xml")
        for name in names:
            getattr(alone, name)[:] = batch.parameters[name][i]
        data = alone.make_data()
        data.set_state(start[i])
        data.step(2)
        assert_same_bits(data.sensordata, batch.sensordata[i], "sensordata")


@pytest.mark.parametrize("n", [1, 5, 8, 13, 24])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_bits_do_not_depend_on_threads_size_or_place(n, threads):
    """The same world anywhere in any batch."""
    model = cf.Model.from_mjcf(find("double_pendulum"))
    rng = np.random.default_rng(5)
    worlds = rng.normal(size=(24, model.nq))
    alone = model.make_data()
    batch = cf.BatchSim(model, n, threads=threads)
    batch.qpos[:] = worlds[24 - n :][::-1]
    assert batch.step_all(40) == [None] * n
    for i, qpos in enumerate(worlds[24 - n :][::-1]):
        alone.reset()
        alone.qpos = qpos
        alone.step(40)
        assert_same_bits(alone.qpos, batch.qpos[i], i)


def test_one_call_equals_many():
    """nstep at once, or one at a time."""
    model = cf.Model.from_mjcf(find("tumbling_box"))
    first, second = scattered(model, 9, 0), scattered(model, 9, 0)
    first.step_all(30)
    for _ in range(30):
        second.step_all()
    assert_same_bits(first.get_states(), second.get_states(), "states")


PROGRAM = """
import sys
import numpy as np
import cortenforge as cf
from cortenforge.kernel.language.layout import LANES
from cortenforge.models import find
model = cf.Model.from_mjcf(find("double_pendulum"))
batch = cf.BatchSim(model, 11, threads=2)
batch.qpos[:] = np.random.default_rng(0).normal(size=batch.qpos.shape)
batch.step_all(20)
print(LANES, batch.get_states().tobytes().hex())
"""


def test_bits_do_not_depend_on_the_width():
    """Four lanes or eight: the width is chosen from the processor and changes nothing else."""
    seen = {}
    for lanes in ("4", "8"):
        environment = {**os.environ, "CORTENFORGE_LANES": lanes}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment,
            check=True,
        )  # fmt: skip
        width, seen[lanes] = done.stdout.split()
        assert width == lanes
    assert seen["4"] == seen["8"]


def test_unknown_width_is_refused(monkeypatch):
    monkeypatch.setenv("CORTENFORGE_LANES", "7")
    with pytest.raises(ValueError, match="2, 4, 8 or 16"):
        lane_width()


def test_forces_on_bodies_of_every_world():
    """Contacts push on the bodies of nine worlds as on those of single ones, bit for bit."""
    text = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" condim="4"/></body></worldbody></mujoco>"""
    model = cf.Model.from_mjcf(text)
    batch = cf.BatchSim(model, 9, threads=1)
    batch.qvel[:] = np.random.default_rng(1).normal(size=batch.qvel.shape)
    batch.qpos[:, 2] -= np.linspace(-0.01, 0.02, 9)
    batch.bind("cfrc_ext", "cfrc_int", "cacc")
    alone = [batch.env(i).copy() for i in range(9)]
    assert not any(batch.step_all(2))
    for i, data in enumerate(alone):
        data.step(2)
        data.interaction_forces()
        for name in ("cfrc_ext", "cfrc_int", "cacc"):
            assert_same_bits(getattr(batch, name)[i], getattr(data, name), name)
    pushed = batch.cfrc_ext[:, 1, 5] > 0
    assert pushed.any() and not pushed.all()
