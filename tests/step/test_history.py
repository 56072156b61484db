"""Past controls and readings."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import public_folder
from conformance.driven import driven_model
from conformance.generate import sensed_model
from cortenforge.enums import Disable
from cortenforge.step.history import cubic_hermite, insert_sample, read_history
from tests.step.stages import Pair, field, pair

COUNT = 4
HOLD, LINEAR, CUBIC = range(3)
STEPS = 25


def buffer(times: list[float], values: list[float]) -> np.ndarray:
    """A history whose newest sample is the last."""
    return np.array([0.0, len(times) - 1, *times, *values])


def read(history: np.ndarray, time: float, order: int) -> float:
    return read_history(history, 0, COUNT, 1, 0, time, order)


@pytest.mark.parametrize("order", [HOLD, LINEAR, CUBIC])
def test_samples_are_met_and_ends_hold(order):
    """At a sample its value, before the first and after the last theirs."""
    history = buffer([1, 2, 4, 5], [3, -1, 2, 7])
    for time, value in ((1, 3), (2, -1), (4, 2), (5, 7), (-9, 3), (1 + 1e-16, 3), (99, 7)):
        assert read(history, time, order) == value


def test_between_samples():
    """The last one holds, or a straight line, or a curve that is smooth at every sample."""
    history = buffer([1, 2, 4, 5], [3, -1, 2, 7])
    assert read(history, 3.5, HOLD) == -1
    assert read(history, 3.5, LINEAR) == -1 + 0.75 * 3
    for sample in (2, 4):
        near = [read(history, sample + x, CUBIC) for x in (-1e-6, 0, 1e-6)]
        assert np.diff(near, 2) == pytest.approx(0, abs=1e-10)
    # flat at both ends
    assert read(history, 1 + 1e-6, CUBIC) == pytest.approx(3, abs=1e-10)
    assert read(history, 5 - 1e-6, CUBIC) == pytest.approx(7, abs=1e-10)


def test_curve_of_a_parabola():
    """Catmull and Rom: with evenly spaced samples, a parabola inside is met exactly."""
    times = [0.0, 1.0, 2.0, 3.0]
    history = buffer(times, [t * t for t in times])
    for time in np.linspace(1, 2, 9):
        assert read(history, time, CUBIC) == pytest.approx(time**2, rel=1e-14)
    assert cubic_hermite(0.5, 0.0, 1.0, 0.0, 0.0) == 0.5


def test_the_oldest_makes_room():
    """Samples go round; one of a time that is there takes its place."""
    history = buffer([1, 2, 3, 4], [1, 2, 3, 4])
    for time in (5.0, 6.0, 6.0):
        history[insert_sample(history, 0, COUNT, 1, time)] = 10 * time
    assert history.tolist() == [0, 1, 5, 6, 3, 4, 50, 60, 3, 4]


@pytest.mark.parametrize(
    ("time", "times"), [(0.5, [0.5, 2, 3, 4]), (2.5, [2, 2.5, 3, 4]), (3.5, [2, 3, 3.5, 4])]
)
def test_time_that_went_back(time, times):
    """Samples stay in order, and values stay with their times."""
    history = buffer([1, 2, 3, 4], [1, 2, 3, 4])
    history[insert_sample(history, 0, COUNT, 1, time)] = time
    assert history[2:6].tolist() == history[6:].tolist() == times


@pytest.mark.parametrize("place", [np.nan, np.inf, -1.0, 1e300])
def test_a_place_that_cannot_be(place):
    """9-done-5: whatever a user writes into a history, nothing outside of it is touched."""
    history = buffer([1, 2, 3, 4], [1, 2, 3, 4])
    history[1] = place
    assert read(history, 2.5, LINEAR) == 2.5
    model = cf.Model.from_mjcf(ARM.format("Euler"))
    data = model.make_data()
    starts = np.concatenate([model.actuator_historyadr, model.sensor_historyadr])
    data.history[starts[starts >= 0] + 1] = place
    data.step(5)
    assert np.isfinite(data.qpos).all() and np.isfinite(data.history).all()


ARM = """<mujoco><option timestep="0.01" integrator="{}"><flag contact="disable"/></option>
<worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".5 0 0"/>
  <site name="s" pos="1 0 0"/>
  <body pos=".7 0 0"><joint name="k" type="ball"/><geom size=".1" pos=".5 0 0"/></body></body>
</worldbody>
<actuator><motor joint="j" nsample="3" delay=".03" ctrlrange="-1 1"/>
  <motor joint="j" nsample="4" delay=".025" interp="linear"/>
  <position kp="3" joint="j" nsample="6" delay=".027" interp="cubic"/>
  <orientation joint="k" input="quat" nsample="5" delay=".033" interp="cubic"/>
  <motor joint="j" nsample="3"/><motor joint="j" nsample="2" delay=".004"/>
  <general dyntype="filter" dynprm=".1" joint="j" nsample="2" delay=".1"/></actuator>
<sensor><jointpos joint="j" name="now"/><jointpos joint="j" nsample="3" delay=".01" name="late"/>
  <framepos objtype="site" objname="s" nsample="3" delay=".015" interp="cubic"/>
  <jointvel joint="j" nsample="6" delay=".041" interp="cubic" cutoff=".5"/>
  <framelinvel objtype="site" objname="s" nsample="3" interval=".025 -.01"/>
  <accelerometer site="s" nsample="3" delay=".03" interval=".03" interp="linear"/>
  <clock nsample="3" name="clock"/><e_kinetic nsample="3" delay=".02"/></sensor></mujoco>"""


def assert_moves_alike(both: Pair, steps: int = STEPS, seed: int = 0) -> None:
    """Controls at random, and everything that a history touches is MuJoCo's after each step."""
    assert both.model.supported() == []
    rng = np.random.default_rng(seed)
    names = ("history", "sensordata", "qpos", "qvel", "act", "actuator_force")
    for _ in range(steps):
        both.data.ctrl[:] = both.theirs.ctrl[:] = rng.normal(size=both.model.nu)
        both.step()
        both.assert_equal(*(field(name) for name in names))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_steps_are_mujocos(integrator):
    """Delays of all kinds, of controls and readings; stages read what was there."""
    assert_moves_alike(pair(ARM.format(integrator)), 60)


def test_steps_after_time_was_changed():
    """Time goes back, and forward by parts of a step."""
    both = pair(ARM.format("Euler"))
    for time in (0.2, 0.1134, 0.05):
        both.data.time = both.theirs.time = time
        assert_moves_alike(both, 8)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("seed", range(2200, 2206))
def test_random_actuators_are_mujocos(seed, integrator):
    """Of every kind, some with controls that are late."""
    both = pair(driven_model(seed, integrator, delayed=True))
    assert_moves_alike(both, 8, seed)


@pytest.mark.parametrize("seed", range(2200, 2206))
def test_random_sensors_are_mujocos(seed):
    """Of every kind, some late and some read from time to time."""
    both = pair(sensed_model(seed, sampled=True))
    assert both.model.nhistory
    assert_moves_alike(both, 12, seed)


def test_model_of_mujocos_own_tests():
    folder = public_folder()
    if folder is None:
        pytest.skip("the folder of public models is not there")
    both = pair(folder / "mujoco_tests" / "common" / "delay.xml")
    for one in (both.model, both.reference):
        one.opt.disableflags |= int(Disable.CONSTRAINT)
    assert_moves_alike(both, 50)


def test_sensors_that_are_switched_off_keep_nothing():
    """They read nothing that could be kept; controls are kept all the same."""
    model = cf.Model.from_mjcf(ARM.format("Euler"))
    model.opt.disableflags |= int(Disable.SENSOR)
    data = model.make_data()
    before = data.history.copy()
    data.step(3)
    changed = np.flatnonzero(data.history != before)
    assert len(changed) and changed.max() < model.sensor_historyadr.max()
    assert not np.isin(changed, np.arange(model.sensor_historyadr[1], model.nhistory)).any()


def test_a_failed_step_keeps_nothing():
    """The history is part of the state, and goes back with it."""
    data = cf.Model.from_mjcf(ARM.format("RK4")).make_data()
    data.step(3)
    before = data.history.copy()
    data.qfrc_applied[0] = np.nan
    with pytest.raises(cf.InvalidAcceleration):
        data.step()
    np.testing.assert_array_equal(data.history, before)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_lanes_have_the_bits_of_single_worlds(integrator):
    """Worlds at different times, so that their samples are in different places."""
    model = cf.Model.from_mjcf(ARM.format(integrator))
    batch = cf.BatchSim(model, 11, threads=1)
    batch.bind("sensordata", "actuator_force")
    rng = np.random.default_rng(0)
    batch.qpos[:, 0] = rng.normal(size=11)
    for steps in (3, 4, 7):
        batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
        batch.step_all(steps)
        batch.reset_where(rng.uniform(size=11) < 0.3)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    start = batch.get_states()
    assert len(set(batch.history[:, 1])) > 1
    assert batch.step_all(9) == [None] * 11
    for i in range(11):
        data = model.make_data()
        data.set_state(start[i])
        data.step(9)
        assert np.array_equal(data.get_state().vector, batch.get_states()[i])
        assert np.array_equal(data.sensordata, batch.sensordata[i])
        assert np.array_equal(data.actuator_force, batch.actuator_force[i])


def test_worlds_with_delays_of_their_own():
    """Delays are reals of the model, so worlds of a batch may differ in them."""
    model = cf.Model.from_mjcf(ARM.format("Euler"))
    batch = cf.BatchSim(model, 9, threads=1)
    batch.expand("actuator_delay", "sensor_delay")
    batch.bind("sensordata")
    batch.parameters["actuator_delay"][:] *= np.linspace(0, 1, 9)[:, None]
    batch.parameters["sensor_delay"][:] *= np.linspace(0, 1, 9)[:, None]
    batch.ctrl[:] = 0.5
    assert batch.step_all(6) == [None] * 9
    for i in range(9):
        own = cf.Model.from_mjcf(ARM.format("Euler"))
        own.actuator_delay[:] = batch.parameters["actuator_delay"][i]
        own.sensor_delay[:] = batch.parameters["sensor_delay"][i]
        data = own.make_data()
        data.ctrl[:] = 0.5
        data.step(6)
        assert np.array_equal(data.sensordata, batch.sensordata[i])
        assert np.array_equal(data.qpos, batch.qpos[i])
