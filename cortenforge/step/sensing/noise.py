"""Sensor noise on request: MuJoCo stores standard deviations and never applies them.

    reading += sensor_noise N(0, 1)

A draw is a pure function of (seed, step number, address of the reading): a state that is restored
draws the same noise again. Uniform numbers are a cipher of seed and step, keyed by the address
(`math.random`).

Source: docs/sensors.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, quat, select, vec3
from cortenforge.math.random import feistel_cipher, normal_number
from cortenforge.math.rotation import unit_quat
from cortenforge.math.vector import unit
from cortenforge.step.sensing.readings import apply_cutoff
from cortenforge.step.sensing.sensor_types import (
    DATATYPE_AXIS,
    DATATYPE_POSITIVE,
    DATATYPE_QUATERNION,
    RANGEFINDER,
)

#: seeds, and draws of a seed, are integers below this, which float32 represents exactly
MAX_DRAW = 2.0**24


@kernel(lanes=True)
def noise_enabled(d):
    """Whether noise is enabled in this world: noise[0] is a seed from 1 to 2^24 - 1."""
    return d.noise[0] >= 1.0 and d.noise[0] < MAX_DRAW


@kernel(lanes=True)
def advance_noise_draw(d):
    """Count the step up in noise[1]; it wraps around after 2^24 steps."""
    drawn = d.noise[1] + 1.0
    drawn = select(drawn < MAX_DRAW and drawn >= 1.0, drawn, 0.0)
    d.noise[1] = select(noise_enabled(d), drawn, d.noise[1])


@kernel
def normal_deviate(seed: int, draw: int, number: int):
    """A standard normal deviate from seed, draw and number."""
    left, right = feistel_cipher(seed, draw, number)
    return normal_number(left, right)


@kernel(lanes=True)
def add_sensor_noise(m, d, stage: int):
    """Add noise to the readings of a stage, in lanes where it is enabled."""
    if any_lane(noise_enabled(d)):
        add_noise_to_readings(m, d, stage)


@kernel(unit=True)
def add_noise_to_readings(m, d, stage: int):
    """Add noise to the readings of a stage, with each sensor's standard deviation.

    Cutoffs still hold afterwards, positive readings stay positive, quaternions and axes keep unit
    length.
    """
    if noise_enabled(d):
        seed = math.floor(d.noise[0])
        valid = d.noise[1] >= 0.0 and d.noise[1] < MAX_DRAW
        draw = math.floor(d.noise[1]) if valid else 0
        for i in range(m.nsensor):
            if m.sensor_needstage[i] == stage and m.sensor_noise[i] > 0.0:
                for at in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                    error = m.sensor_noise[i] * normal_deviate(seed, draw, at)
                    d.sensordata[at] = reading_with_error(m, i, d.sensordata[at], error)
                if (
                    m.sensor_datatype[i] == DATATYPE_QUATERNION
                    or m.sensor_datatype[i] == DATATYPE_AXIS
                ):
                    normalize_reading(m, d, i)


@kernel
def reading_with_error(m, i: int, reading, error):
    """A reading plus an error, within cutoff and sign constraints of its data type.

    Kept as they are: -1 of a rangefinder, which means that no geom was hit, and negative readings
    of positive sensors. Other positive readings do not become negative.
    """
    if m.sensor_type[i] == RANGEFINDER and reading == -1.0:
        return reading
    if m.sensor_datatype[i] == DATATYPE_POSITIVE:
        return apply_cutoff(m, i, max(0.0, reading + error)) if reading >= 0.0 else reading
    return apply_cutoff(m, i, reading + error)


@kernel
def normalize_reading(m, d, i: int):
    """Normalise the quaternion or the axis of a sensor's reading."""
    at = m.sensor_adr[i]
    if m.sensor_datatype[i] == DATATYPE_QUATERNION:
        q = unit_quat(
            quat(
                d.sensordata[at],
                d.sensordata[at + 1],
                d.sensordata[at + 2],
                d.sensordata[at + 3],
            )
        )
        d.sensordata[at] = q.w
        d.sensordata[at + 1] = q.x
        d.sensordata[at + 2] = q.y
        d.sensordata[at + 3] = q.z
    else:
        v = unit(vec3(d.sensordata[at], d.sensordata[at + 1], d.sensordata[at + 2]))
        d.sensordata[at] = v.x
        d.sensordata[at + 1] = v.y
        d.sensordata[at + 2] = v.z
