"""Histories of controls and sensors, for delays: ring buffers of samples with times.

Layout of a buffer: a number for its owner, index of the newest sample, all times, all values.

    order 0   value of the last sample before time t
    order 1   low + s (high - low),   s = (t - t_low) / (t_high - t_low)
    order 2   cubic Hermite polynomial in s; slopes by central differences, zero at both ends

Source: MuJoCo: Modeling, "Delays"; docs/sensors.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL

#: orders of interpolation; 2 is cubic
ZERO_ORDER_HOLD = 0
LINEAR_INTERPOLATION = 1


@kernel
def newest_sample(history, at: int, count: int):
    """Index of the newest sample of a buffer."""
    newest = history[at + 1]
    inside = newest >= 0.0 and newest < count
    # users may write whatever they like into a state
    return math.floor(newest) if inside else count - 1


@kernel
def sample_index(newest: int, count: int, i: int):
    """Index of the i-th oldest sample."""
    place = newest + 1 + i
    return place - count if place >= count else place


@kernel
def sample_time(history, at: int, count: int, newest: int, i: int):
    """Time of the i-th oldest sample."""
    return history[at + 2 + sample_index(newest, count, i)]


@kernel
def count_samples_before(history, at: int, count: int, newest: int, time):
    """Number of samples older than a time, by bisection.  Mirrors historyFindIndex."""
    if time <= sample_time(history, at, count, newest, 0):
        return 0
    if time > sample_time(history, at, count, newest, count - 1):
        return count
    low = 0
    high = count - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if sample_time(history, at, count, newest, middle) < time:
            low = middle
        else:
            high = middle
    return high


@kernel
def sample_value(history, at: int, count: int, width: int, place: int, k: int):
    """Value k of the sample at an index."""
    return history[at + 2 + count + place * width + k]


@kernel
def read_history(history, at: int, count: int, width: int, k: int, time, order: int):
    """Value k of a history at a time, interpolated.  Mirrors mju_historyRead.

    order: 0 holds the last sample, 1 is linear, 2 cubic. Constant before the first sample and
    after the last.
    """
    newest = newest_sample(history, at, count)
    oldest = sample_index(newest, count, 0)
    if time <= history[at + 2 + oldest] + MINVAL:
        return sample_value(history, at, count, width, oldest, k)
    if not time < history[at + 2 + newest] - MINVAL:
        return sample_value(history, at, count, width, newest, k)
    i = count_samples_before(history, at, count, newest, time)
    after = sample_index(newest, count, i)
    if abs(time - history[at + 2 + after]) < MINVAL:
        return sample_value(history, at, count, width, after, k)
    before = sample_index(newest, count, i - 1)
    low = sample_value(history, at, count, width, before, k)
    if order == ZERO_ORDER_HOLD:
        return low
    high = sample_value(history, at, count, width, after, k)
    span = history[at + 2 + after] - history[at + 2 + before]
    part = (time - history[at + 2 + before]) / span
    if order == LINEAR_INTERPOLATION:
        return low + part * (high - low)
    leaving = sample_derivative(history, at, count, width, k, i - 1)
    arriving = sample_derivative(history, at, count, width, k, i)
    return cubic_hermite(part, low, high, span * leaving, span * arriving)


@kernel
def sample_derivative(history, at: int, count: int, width: int, k: int, i: int):
    """Derivative at the i-th oldest sample, from its neighbours; 0 at either end."""
    if i <= 0 or i >= count - 1:
        return 0.0
    newest = newest_sample(history, at, count)
    before = sample_index(newest, count, i - 1)
    after = sample_index(newest, count, i + 1)
    low = sample_value(history, at, count, width, before, k)
    high = sample_value(history, at, count, width, after, k)
    return (high - low) / (history[at + 2 + after] - history[at + 2 + before])


@kernel
def cubic_hermite(x, low, high, leaving, arriving):
    """Cubic Hermite interpolation on [0, 1], from values and derivatives at both ends."""
    square = x * x
    cube = square * x
    result = (2.0 * cube - 3.0 * square + 1.0) * low + (cube - 2.0 * square + x) * leaving
    return result + (3.0 * square - 2.0 * cube) * high + (cube - square) * arriving


@kernel
def insert_sample(history, at: int, count: int, width: int, time):
    """Insert a sample at a time; returns where its values go.  Mirrors mju_historyInsert.

    It replaces the oldest sample, or one of the same time.
    """
    newest = newest_sample(history, at, count)
    i = count_samples_before(history, at, count, newest, time)
    place = newest
    if i < count and abs(time - sample_time(history, at, count, newest, i)) < MINVAL:
        place = sample_index(newest, count, i)
    elif i == count:
        place = sample_index(newest, count, 0)
        history[at + 1] = place
    elif i == 0:
        place = sample_index(newest, count, 0)
    else:
        # time went back: samples before this one move down by one
        place = sample_index(newest, count, i - 1)
        for j in range(i - 1):
            shift_sample(history, at, count, width, newest, j)
    history[at + 2 + place] = time
    return at + 2 + count + place * width


@kernel
def shift_sample(history, at: int, count: int, width: int, newest: int, i: int):
    """Move a sample to the index of the next older one."""
    target = sample_index(newest, count, i)
    source = sample_index(newest, count, i + 1)
    history[at + 2 + target] = history[at + 2 + source]
    values = at + 2 + count
    for k in range(width):
        history[values + target * width + k] = history[values + source * width + k]


@kernel(unit=True)
def store_samples(m, d):
    """Store controls and sensor values of this step.  Mirrors mj_advance."""
    for a in range(m.nactuator):
        count = m.actuator_history[a, 0]
        if count > 0:
            width = m.actuator_ctrlnum[a]
            to = insert_sample(d.history, m.actuator_historyadr[a], count, width, d.time)
            for k in range(width):
                d.history[to + k] = d.ctrl[m.actuator_ctrladr[a] + k]
    # sensors that are switched off read nothing, and so there is nothing to keep
    if m.sensing != 0:
        for i in range(m.nsensor):
            if m.sensor_history[i, 0] > 0:
                store_reading(m, d, i)


@kernel
def store_reading(m, d, i: int):
    """Store a sensor's values, if its interval has passed."""
    at = m.sensor_historyadr[i]
    period = m.sensor_interval[i, 0]
    due = not period > 0.0 or d.history[at] + period <= d.time
    if due:
        if period > 0.0:
            # by exactly one period, so that readings do not drift
            d.history[at] += period
        to = insert_sample(d.history, at, m.sensor_history[i, 0], m.sensor_dim[i], d.time)
        for k in range(m.sensor_dim[i]):
            d.history[to + k] = d.fresh[at + k]
