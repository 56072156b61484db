"""Time: what is owed, what is reached, what is remembered."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cortenforge.errors import ArgumentError
from cortenforge.viewer.clock import MAX_BACKLOG, Clock
from cortenforge.viewer.state_history import StateHistory


def test_a_clock_owes_what_goes_by() -> None:
    clock = Clock(2.0)
    assert clock.due_seconds(5.0) == 0.0 and clock.factor == 0.0
    clock.play(10.0)
    assert clock.due_seconds(10.01) == pytest.approx(0.02)
    clock.count_simulated(10.01, 0.015)
    assert clock.due_seconds(10.02) == pytest.approx(0.025)
    clock.pause()
    assert clock.due_seconds(11.0) == 0.0


def test_a_slow_computer_does_not_catch_up() -> None:
    clock = Clock(1.0)
    clock.play(0.0)
    assert clock.due_seconds(60.0) == pytest.approx(MAX_BACKLOG)


def test_the_factor_is_what_was_reached() -> None:
    """Half of what was owed is paid: the factor is half the target."""
    clock = Clock(1.0)
    clock.play(0.0)
    for k in range(1, 200):
        clock.due_seconds(k / 60)
        clock.count_simulated(k / 60, 0.5 / 60)
    assert clock.factor == pytest.approx(0.5)
    clock.speed = math.inf
    assert math.isinf(clock.due_seconds(10.0))


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan])
def test_speeds_that_cannot_be(speed: float) -> None:
    with pytest.raises(ArgumentError, match="speed"):
        Clock(speed)


def test_the_oldest_are_forgotten() -> None:
    past = StateHistory(room=10 * 8 * 4)
    for k in range(25):
        past.add(k, np.full(4, k))
    assert len(past) == 10 and past[0].time == 15 and past[9].time == 24
    assert past.before(20.5) == 5 and past.before(-1.0) == 0
    past.drop_after(3)
    assert len(past) == 4 and past[3].time == 18


def test_what_is_kept_is_a_copy() -> None:
    past, state = StateHistory(), np.zeros(3)
    past.add(0.0, state)
    state[:] = 1.0
    assert not past[0].state.any()


def test_a_recording_is_what_happened_in_between() -> None:
    past = StateHistory()
    assert past.clip() == []
    for k in range(10):
        if k == 3:
            past.start_recording()
        if k == 7:
            past.stop_recording()
        past.add(k, np.zeros(1))
    assert [moment.time for moment in past.clip()] == [3, 4, 5, 6]
    past.clear()
    past.add(0.0, np.zeros(1))
    assert len(past.clip()) == 1


def test_a_recording_ends_when_there_is_no_room() -> None:
    past = StateHistory(room=5 * 8)
    past.start_recording()
    for k in range(8):
        past.add(k, np.zeros(1))
    assert not past.recording
    assert [moment.time for moment in past.clip()] == [3, 4, 5]


def test_large_states_last_for_a_while() -> None:
    """States that take much room are kept less often; in a recording all are."""
    past = StateHistory(room=300 * 8)
    past.add(0.0, np.zeros(10))
    assert past.interval == pytest.approx(1.0)
    past.start_recording()
    assert past.interval == 0.0


def test_without_a_recording_the_last_minute_is_shown() -> None:
    past = StateHistory()
    for k in range(200):
        past.add(float(k), np.zeros(1))
    assert [past.clip()[0].time, past.clip()[-1].time] == [139.0, 199.0]
    for k in range(5):
        past.add(float(k), np.zeros(1))
    assert [moment.time for moment in past.clip()] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_moments_before_a_reset_are_found_from_the_end() -> None:
    """After a reset, times begin again: what is looked for is the newest."""
    past = StateHistory()
    for time in (0.0, 1.0, 2.0, 0.0, 0.5):
        past.add(time, np.zeros(1))
    assert past.before(0.2) == 3
