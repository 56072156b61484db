"""Histories of controls and sensors, for delays: ring buffers of samples with times.

Layout of a buffer: a number for its owner, index of the newest sample, all times, all values.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL

#: orders of interpolation; 2 is cubic
HOLD = 0
LINEAR = 1


@kernel
def newest_of(history, at: int, count: int):
    """Index of the newest sample of a buffer."""
    newest = history[at + 1]
    inside = newest >= 0.0 and newest < count
    # users may write whatever they like into a state
    return math.floor(newest) if inside else count - 1


@kernel
def place_of_sample(newest: int, count: int, i: int):
    """Index of the i-th oldest sample."""
    place = newest + 1 + i
    return place - count if place >= count else place


@kernel
def time_of_sample(history, at: int, count: int, newest: int, i: int):
    """Time of the i-th oldest sample."""
    return history[at + 2 + place_of_sample(newest, count, i)]


@kernel
def samples_before(history, at: int, count: int, newest: int, time):
    """Number of samples older than a time, by bisection.  Mirrors historyFindIndex."""
    if time <= time_of_sample(history, at, count, newest, 0):
        return 0
    if time > time_of_sample(history, at, count, newest, count - 1):
        return count
    low = 0
    high = count - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if time_of_sample(history, at, count, newest, middle) < time:
            low = middle
        else:
            high = middle
    return high


@kernel
def value_of_sample(history, at: int, count: int, width: int, place: int, k: int):
    """Value k of the sample at an index."""
    return history[at + 2 + count + place * width + k]


@kernel
def sampled_at(history, at: int, count: int, width: int, k: int, time, order: int):
    """Value k of a history at a time, interpolated.  Mirrors mju_historyRead.

    order: 0 holds the last sample, 1 is linear, 2 cubic. Constant before the first sample and
    after the last.
    """
    newest = newest_of(history, at, count)
    oldest = place_of_sample(newest, count, 0)
    if time <= history[at + 2 + oldest] + MINVAL:
        return value_of_sample(history, at, count, width, oldest, k)
    if not time < history[at + 2 + newest] - MINVAL:
        return value_of_sample(history, at, count, width, newest, k)
    i = samples_before(history, at, count, newest, time)
    after = place_of_sample(newest, count, i)
    if abs(time - history[at + 2 + after]) < MINVAL:
        return value_of_sample(history, at, count, width, after, k)
    before = place_of_sample(newest, count, i - 1)
    low = value_of_sample(history, at, count, width, before, k)
    if order == HOLD:
        return low
    high = value_of_sample(history, at, count, width, after, k)
    span = history[at + 2 + after] - history[at + 2 + before]
    part = (time - history[at + 2 + before]) / span
    if order == LINEAR:
        return low + part * (high - low)
    leaving = slope_around(history, at, count, width, k, i - 1)
    arriving = slope_around(history, at, count, width, k, i)
    return hermite(part, low, high, span * leaving, span * arriving)


@kernel
def slope_around(history, at: int, count: int, width: int, k: int, i: int):
    """Derivative at the i-th oldest sample, from its neighbours; 0 at either end."""
    if i <= 0 or i >= count - 1:
        return 0.0
    newest = newest_of(history, at, count)
    before = place_of_sample(newest, count, i - 1)
    after = place_of_sample(newest, count, i + 1)
    low = value_of_sample(history, at, count, width, before, k)
    high = value_of_sample(history, at, count, width, after, k)
    return (high - low) / (history[at + 2 + after] - history[at + 2 + before])


@kernel
def hermite(x, low, high, leaving, arriving):
    """Cubic Hermite interpolation on [0, 1], from values and derivatives at both ends."""
    square = x * x
    cube = square * x
    result = (2.0 * cube - 3.0 * square + 1.0) * low + (cube - 2.0 * square + x) * leaving
    return result + (3.0 * square - 2.0 * cube) * high + (cube - square) * arriving


@kernel
def sample_for(history, at: int, count: int, width: int, time):
    """Insert a sample at a time; returns where its values go.  Mirrors mju_historyInsert.

    It replaces the oldest sample, or one of the same time.
    """
    newest = newest_of(history, at, count)
    i = samples_before(history, at, count, newest, time)
    place = newest
    if i < count and abs(time - time_of_sample(history, at, count, newest, i)) < MINVAL:
        place = place_of_sample(newest, count, i)
    elif i == count:
        place = place_of_sample(newest, count, 0)
        history[at + 1] = place
    elif i == 0:
        place = place_of_sample(newest, count, 0)
    else:
        # time went back: samples before this one move down by one
        place = place_of_sample(newest, count, i - 1)
        for j in range(i - 1):
            move_down(history, at, count, width, newest, j)
    history[at + 2 + place] = time
    return at + 2 + count + place * width


@kernel
def move_down(history, at: int, count: int, width: int, newest: int, i: int):
    """Move a sample to the index of the next older one."""
    target = place_of_sample(newest, count, i)
    source = place_of_sample(newest, count, i + 1)
    history[at + 2 + target] = history[at + 2 + source]
    values = at + 2 + count
    for k in range(width):
        history[values + target * width + k] = history[values + source * width + k]


@kernel(unit=True)
def keep_samples(m, d):
    """Store controls and sensor values of this step.  Mirrors mj_advance."""
    for a in range(m.nactuator):
        count = m.actuator_history[a, 0]
        if count > 0:
            width = m.actuator_ctrlnum[a]
            to = sample_for(d.history, m.actuator_historyadr[a], count, width, d.time)
            for k in range(width):
                d.history[to + k] = d.ctrl[m.actuator_ctrladr[a] + k]
    # sensors that are switched off read nothing, and so there is nothing to keep
    if m.sensing != 0:
        for i in range(m.nsensor):
            if m.sensor_history[i, 0] > 0:
                keep_reading(m, d, i)


@kernel
def keep_reading(m, d, i: int):
    """Store a sensor's values, if its interval has passed."""
    at = m.sensor_historyadr[i]
    period = m.sensor_interval[i, 0]
    due = not period > 0.0 or d.history[at] + period <= d.time
    if due:
        if period > 0.0:
            # by exactly one period, so that readings do not drift
            d.history[at] += period
        to = sample_for(d.history, at, m.sensor_history[i, 0], m.sensor_dim[i], d.time)
        for k in range(m.sensor_dim[i]):
            d.history[to + k] = d.fresh[at + k]
