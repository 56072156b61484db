"""Readings of single sensors, by name, for tests that know what they should be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import sensed_model
from tests.step.stages import STATES, Pair, pair

#: random models with sensors, not those of other tests
SEEDS = range(2100, 2110)
SENSED = pytest.mark.parametrize(
    "source",
    ["sensors_smooth", *(pytest.param(sensed_model(seed), id=f"seed {seed}") for seed in SEEDS)],
)


def sensed(source: str, seed: int = 0) -> Iterator[Pair]:
    """Both engines in random states, with pushes and turns applied, at a time of their own."""
    both, rng = pair(source), np.random.default_rng(seed)
    assert both.model.supported() == []
    for number in range(STATES):
        both.write(rng)
        pushes = rng.normal(size=both.data.xfrc_applied.shape)
        for data in (both.data, both.theirs):
            data.time = 0.3 * number
            data.xfrc_applied[:] = pushes
        both.forward()
        yield both


def assert_readings(both: Pair, *kinds: Any) -> None:
    """Sensors of these types read what MuJoCo's do; all types if none is given."""
    model = both.model
    for i in range(model.nsensor):
        if not kinds or model.sensor_type[i] in kinds:
            at = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
            ours, theirs = both.data.sensordata[at], both.theirs.sensordata[at]
            size = max(1.0, np.abs(theirs).max())
            kind = cf.enums.SensorType(int(model.sensor_type[i])).name
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * size, err_msg=kind)


def world(bodies: str, sensors: str, option: str = "") -> cf.Data:
    """A model of bodies and sensors, not evaluated yet."""
    text = f"""<mujoco><option {option}><flag contact="disable"/></option>
    <worldbody>{bodies}</worldbody><sensor>{sensors}</sensor></mujoco>"""
    return cf.Model.from_mjcf(text).make_data()


def reading(data: cf.Data, name: str) -> np.ndarray:
    """What one sensor reads."""
    model = data.model
    i = model.names["sensor"].index(name)
    return data.sensordata[model.sensor_adr[i] : model.sensor_adr[i] + model.sensor_dim[i]].copy()
