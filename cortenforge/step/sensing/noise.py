"""Noise of sensors, for those who ask for it: MuJoCo has the numbers and never applies them.

A draw is a function of the seed, the number of the step and the number of the reading, so a world
that is put back into a state draws again what it drew from there.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, quat, select, vec3
from cortenforge.math.rotation import unit_quat
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import unit
from cortenforge.step.sensing.kinds import AXIS, POSITIVE, QUATERNION
from cortenforge.step.sensing.report import cut_off

#: integers of the generator are below 2^31 and never negative, so that all targets agree on them
MASK = 2**31 - 1
#: seeds, and draws of one seed, are whole numbers below this, also as single reals
LIMIT = 2.0**24
ROUNDS = 4
TURN = 2.0 * math.pi
#: the size of one step between numbers from 0 to 1
GRAIN = 2.0**-31


@kernel(lanes=True)
def is_noisy(d):
    """Whether noise was asked for in this world."""
    return d.noise[0] >= 1.0 and d.noise[0] < LIMIT


@kernel(lanes=True)
def next_draw(d):
    """The next step draws other numbers; after 2^24 of them they come again."""
    drawn = d.noise[1] + 1.0
    drawn = select(drawn < LIMIT and drawn >= 1.0, drawn, 0.0)
    d.noise[1] = select(is_noisy(d), drawn, d.noise[1])


@kernel
def scrambled(x: int):
    """An integer that says nothing about the one it was made of."""
    x = x ^ (x >> 15)
    x = (x * 739982445) & MASK
    x = x ^ (x >> 12)
    x = (x * 695872825) & MASK
    return x ^ (x >> 15)


@kernel
def normal(seed: int, draw: int, number: int):
    """A number of the normal distribution, by a cipher of seed and draw (Feistel, Box-Muller)."""
    left = seed
    right = draw
    for turn in range(ROUNDS):
        key = ((number * ROUNDS + turn + 1) * 668265263) & MASK
        mixed = left ^ scrambled((right + key) & MASK)
        left = right
        right = mixed
    _sine, cosine = sin_cos(TURN * (GRAIN * (right + 0.5)))
    return math.sqrt(-2.0 * math.log(GRAIN * (left + 0.5))) * cosine


@kernel(lanes=True)
def add_noise(m, d, stage: int):
    """Noise in the readings of a stage, in worlds that asked for it."""
    if any_lane(is_noisy(d)):
        blur(m, d, stage)


@kernel(unit=True)
def blur(m, d, stage: int):
    """Add noise to the readings of a stage, with the standard deviation of each sensor.

    What is cut off stays cut off, what cannot be negative is not, and what has length one has it
    still.
    """
    if is_noisy(d):
        seed = math.floor(d.noise[0])
        known = d.noise[1] >= 0.0 and d.noise[1] < LIMIT
        draw = math.floor(d.noise[1]) if known else 0
        for i in range(m.nsensor):
            if m.sensor_needstage[i] == stage and m.sensor_noise[i] > 0.0:
                for at in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                    error = m.sensor_noise[i] * normal(seed, draw, at)
                    d.sensordata[at] = with_error(m, i, d.sensordata[at], error)
                if m.sensor_datatype[i] == QUATERNION or m.sensor_datatype[i] == AXIS:
                    make_unit(m, d, i)


@kernel
def with_error(m, i: int, reading, error):
    """A reading with an error; a positive one that is negative says "nothing", and is left."""
    if m.sensor_datatype[i] == POSITIVE:
        return cut_off(m, i, max(0.0, reading + error)) if reading >= 0.0 else reading
    return cut_off(m, i, reading + error)


@kernel
def make_unit(m, d, i: int):
    """A direction or a rotation again."""
    at = m.sensor_adr[i]
    if m.sensor_datatype[i] == QUATERNION:
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
