"""Noise of sensors, for those who ask for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.math.random import hashed_integer
from cortenforge.step.sensing.noise import MAX_DRAW, normal_deviate
from tests.step.sensing.readings import reading, world

BODY = """<body><joint name="j"/><geom size=".1" pos=".1 0 0"/><site name="s"/></body>
<site name="zone" size="1"/>"""
SENSORS = """<jointpos name="noisy" joint="j" noise=".1"/><jointpos name="clean" joint="j"/>
<accelerometer name="felt" site="s" noise=".5"/>
<jointvel name="cut" joint="j" noise="1" cutoff=".2"/>
<framequat name="turn" objtype="site" objname="s" noise=".01"/>
<framexaxis name="axis" objtype="site" objname="s" noise=".01"/>"""
OPTION = 'gravity="0 0 -10"'


def noisy(seed: int, sensors: str = SENSORS, option: str = OPTION) -> cf.Data:
    data = world(BODY, sensors, option)
    data.seed_noise(seed)
    return data


def series(data: cf.Data, steps: int) -> np.ndarray:
    """Readings of some steps, one row a step."""
    rows = []
    for _ in range(steps):
        data.step()
        rows.append(data.sensordata.copy())
    return np.array(rows)


def draws(seeds: range, steps: range, numbers: range) -> np.ndarray:
    return np.array([[[normal_deviate(s, t, n) for n in numbers] for t in steps] for s in seeds])


def assert_normal(sample: np.ndarray) -> None:
    """Moments, and the distribution by Kolmogorov and Smirnov, at five deviations or so."""
    n = sample.size
    assert abs(sample.mean()) < 5 / math.sqrt(n)
    assert abs(sample.var() - 1) < 5 * math.sqrt(2 / n)
    assert abs((sample**3).mean()) < 5 * math.sqrt(15 / n)
    assert abs((sample**4).mean() - 3) < 5 * math.sqrt(96 / n)
    rank = np.arange(1, n + 1) / n
    expected = np.array([0.5 * (1 + math.erf(x / math.sqrt(2))) for x in np.sort(sample)])
    assert np.abs(rank - expected).max() * math.sqrt(n) < 2.2


def test_draws_are_normal_and_know_nothing_of_each_other():
    """Along seeds, steps and readings, neighbours included."""
    drawn = draws(range(1, 31), range(40), range(30))
    assert_normal(drawn.reshape(-1))
    for axis in range(3):
        for away in (1, 2, 7):
            near = np.take(drawn, range(drawn.shape[axis] - away), axis)
            far = np.take(drawn, range(away, drawn.shape[axis]), axis)
            assert abs((near * far).mean()) < 5 / math.sqrt(near.size)
            assert abs((near**2 * far**2).mean() - 1) < 5 * math.sqrt(8 / near.size)
    assert len(np.unique(drawn)) == drawn.size


def test_scrambling_loses_nothing():
    """Different integers stay different, and each bit changes half of the others."""
    values = [hashed_integer(x) for x in range(4096)]
    assert len(set(values)) == 4096 and min(values) >= 0 and max(values) < 2**31
    pairs = [(x, x ^ (1 << bit)) for x in range(64) for bit in range(31)]
    flips = [(hashed_integer(a) ^ hashed_integer(b)).bit_count() for a, b in pairs]
    assert 14 < np.mean(flips) < 17


def test_readings_are_spread_as_said():
    """Each sensor by its own deviation, about what it would read; those without are exact."""
    data = noisy(1)
    data.qpos[:] = 0.3
    rows = []
    quiet = world(BODY, SENSORS, OPTION)
    quiet.qpos[:] = 0.3
    quiet.forward()
    for draw in range(3000):
        data.noise[1] = draw
        data.forward()
        rows.append(data.sensordata - quiet.sensordata)
    error = np.array(rows)
    assert_normal(error[:, 0] / 0.1)
    assert (error[:, 1] == 0).all()
    assert_normal(error[:, 2:5].reshape(-1) / 0.5)


def test_what_noise_respects():
    """Cutoffs hold, and what has length one has it still."""
    rows = series(noisy(3), 200)
    cut = rows[:, 5]
    assert np.abs(cut).max() == 0.2 and (np.abs(cut) < 0.2).any()
    np.testing.assert_allclose(np.linalg.norm(rows[:, 6:10], axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(rows[:, 10:13], axis=1), 1, rtol=1e-14)
    assert np.std(rows[:, 8]) > 0.001


def test_nothing_changes_for_those_who_do_not_ask():
    """And nothing but readings changes for those who do."""
    asked, quiet, without = noisy(5), noisy(0), world(BODY, SENSORS, OPTION)
    for data in (asked, quiet, without):
        data.step(20)
    assert quiet.digest() == without.digest()
    np.testing.assert_array_equal(quiet.sensordata, without.sensordata)
    np.testing.assert_array_equal(asked.qpos, without.qpos)
    assert reading(asked, "noisy") != reading(without, "noisy")
    assert reading(asked, "clean") == reading(without, "clean")


def test_a_seed_gives_its_noise():
    """The same again, and another one another."""
    first, again, other = (series(noisy(seed), 10) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first, again)
    assert (first[:, 0] != other[:, 0]).all()


def test_a_state_goes_on_with_its_noise():
    """What was drawn is part of the state; evaluation alone draws nothing new."""
    data = noisy(9)
    data.step(5)
    kept = data.get_state()
    rows = series(data, 10)
    other = data.model.make_data()
    other.set_state(kept)
    np.testing.assert_array_equal(series(other, 10), rows)
    other.forward()
    first = other.sensordata.copy()
    other.forward()
    np.testing.assert_array_equal(other.sensordata, first)


def test_a_reset_goes_on_drawing():
    """Another episode has other noise; seeding again gives the first one's."""
    data = noisy(9)
    first = series(data, 5)
    data.reset()
    assert (series(data, 5)[:, 0] != first[:, 0]).all()
    data.reset()
    data.seed_noise(9)
    np.testing.assert_array_equal(series(data, 5), first)


def test_a_failed_step_draws_nothing():
    data = noisy(2)
    data.step(3)
    data.qfrc_applied[:] = np.nan
    with pytest.raises(cf.InvalidAcceleration):
        data.step()
    assert data.noise.tolist() == [2, 3]


def test_delayed_readings_are_noisy_once():
    """What is shown late is what was read, noise included."""
    sensors = SENSORS + '<jointpos name="late" joint="j" noise=".1" nsample="2" delay=".02"/>'
    data = noisy(4, sensors, 'timestep=".01"')
    rows = []
    for _ in range(6):
        data.step()
        at = int(data.model.sensor_historyadr[-1])
        rows.append((reading(data, "late")[0], data.fresh[at]))
    shown, fresh = zip(*rows, strict=True)
    assert shown[2:] == fresh[:-2] and len(set(fresh)) == 6


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_lanes_have_the_noise_of_single_worlds(integrator):
    """World i of a batch draws what a Data with `seed + i` draws, bit for bit."""
    model = noisy(1, option=f'{OPTION} integrator="{integrator}"').model
    batch = cf.BatchSim(model, 11, threads=1)
    batch.bind("sensordata")
    batch.seed_noise(40)
    batch.noise[3] = 0
    assert batch.step_all(7) == [None] * 11
    assert len(set(batch.sensordata[:, 0])) == 11
    for i in range(11):
        data = model.make_data()
        data.seed_noise(0 if i == 3 else 40 + i)
        data.step(7)
        np.testing.assert_array_equal(data.sensordata, batch.sensordata[i])
        np.testing.assert_array_equal(data.get_state().vector, batch.get_states()[i])
    batch.reset_all()
    assert batch.noise[:, 1].tolist() == [7] * 3 + [0] + [7] * 7
    batch.seed_noise(0)
    assert not batch.noise.any()


def test_deviations_of_worlds_differ():
    """They are reals of the model."""
    model = noisy(1).model
    batch = cf.BatchSim(model, 8, threads=1)
    batch.expand("sensor_noise")
    batch.bind("sensordata")
    batch.parameters["sensor_noise"][:, 0] = np.linspace(0, 1, 8)
    batch.seed_noise(3)
    batch.noise[:, 0] = 3
    batch.step_all(1)
    readings = batch.sensordata[:, 0]
    np.testing.assert_allclose(readings, np.linspace(0, 1, 8) * readings[-1], atol=1e-12)


def test_the_last_draw_is_followed_by_the_first():
    data = noisy(6)
    data.noise[1] = MAX_DRAW - 1
    data.step()
    assert data.noise.tolist() == [6, 0]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -5.0, 0.5, 1e300])
def test_a_generator_that_cannot_be(wrong):
    """9-done-5: numbers written into the state that are no seed or no draw."""
    data = noisy(6)
    data.noise[0] = wrong
    data.step()
    assert reading(data, "noisy") == 0
    data.noise[:] = 6, wrong
    data.step(2)
    assert np.isfinite(data.sensordata).all()


@pytest.mark.parametrize("seed", [-1, 2**24, 1.5, "x", None])
def test_what_is_no_seed(seed):
    data = noisy(1)
    with pytest.raises(cf.ArgumentError, match="seed"):
        data.seed_noise(seed)
    assert data.noise.tolist() == [1, 0]


def test_a_model_without_noise_says_so():
    data = world(BODY, "<clock/>")
    assert data.noise.size == 0
    with pytest.raises(cf.ArgumentError, match="no sensor"):
        data.seed_noise(1)
    with pytest.raises(cf.ArgumentError, match="no sensor"):
        cf.BatchSim(data.model, 2).seed_noise(1)
