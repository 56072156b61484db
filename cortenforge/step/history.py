"""Histories: past controls and readings, each with its time.

A buffer holds a number of its owner, the place of its newest sample, the times of all samples and
then their values. Samples go round: the oldest makes room for the next.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL

#: how samples are joined: the last one holds, straight lines, smooth curves
HOLD = 0
LINEAR = 1


@kernel
def newest_of(history, at: int, count: int):
    """Where the newest sample of a buffer is."""
    newest = history[at + 1]
    inside = newest >= 0.0 and newest < count
    # users may write whatever they like into a state
    return math.floor(newest) if inside else count - 1


@kernel
def place_of_sample(newest: int, count: int, i: int):
    """Where the sample is that has so many older ones."""
    place = newest + 1 + i
    return place - count if place >= count else place


@kernel
def time_of_sample(history, at: int, count: int, newest: int, i: int):
    """When the sample was taken that has so many older ones."""
    return history[at + 2 + place_of_sample(newest, count, i)]


@kernel
def samples_before(history, at: int, count: int, newest: int, time):
    """How many samples are older than a time.  Mirrors historyFindIndex."""
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
    """One number of the sample in a place."""
    return history[at + 2 + count + place * width + k]


@kernel
def sampled_at(history, at: int, count: int, width: int, k: int, time, order: int):
    """One number of a history at a time, between samples as asked.  Mirrors mju_historyRead.

    Before the first sample it is that of the first, after the last that of the last.
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
    """How fast a number changes at a sample, by its neighbours; not at all at either end."""
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
    """A cubic between two values, with given slopes at both ends; x goes from 0 to 1."""
    square = x * x
    cube = square * x
    result = (2.0 * cube - 3.0 * square + 1.0) * low + (cube - 2.0 * square + x) * leaving
    return result + (3.0 * square - 2.0 * cube) * high + (cube - square) * arriving


@kernel
def sample_for(history, at: int, count: int, width: int, time):
    """Where the values of a sample of this time go.  Mirrors mju_historyInsert.

    The oldest sample makes room, unless there is one of this time already.
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
    """Put a sample in the place of the next older one."""
    target = place_of_sample(newest, count, i)
    source = place_of_sample(newest, count, i + 1)
    history[at + 2 + target] = history[at + 2 + source]
    values = at + 2 + count
    for k in range(width):
        history[values + target * width + k] = history[values + source * width + k]


@kernel(unit=True)
def keep_samples(m, d):
    """Keep the controls and readings of this step, with its time.  Mirrors mj_advance."""
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
    """Keep what a sensor reads, if it is time for it to be read."""
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
