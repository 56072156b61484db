"""Races: engines take turns from the same starts, and medians are compared."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import race as benchmark
from benchmarks.subjects import Subject, pendulum
from cortenforge.cli.race import TURN_SECONDS, Race, steps_of_turn, take_turns, time_turns


def test_engines_take_turns() -> None:
    """Each has one untimed turn; then the one that begins changes."""
    calls: list[tuple[str, int]] = []

    def engine(name: str, seconds: float):
        def turn(number: int) -> float:
            calls.append((name, number))
            return seconds + number

        return turn

    ours, theirs = take_turns([engine("a", 1.0), engine("b", 10.0)], 3)
    assert calls[:2] == [("a", 0), ("b", 0)]
    assert [name for name, _ in calls[2:]] == ["a", "b", "b", "a", "a", "b"]
    np.testing.assert_array_equal(ours, [1, 2, 3])
    np.testing.assert_array_equal(theirs, [10, 11, 12])
    ours, theirs = take_turns([engine("a", 1.0)], 2)
    assert len(ours) == 2 and not len(theirs)


def test_times_are_of_a_step_and_starts_come_in_order() -> None:
    seen: list[float] = []

    def turn(start: dict[str, np.ndarray], steps: int) -> float:
        seen.append(float(start["qpos"][0]))
        return 2.0 * steps

    ours, _ = time_turns([turn], [{"qpos": np.array([float(k)])} for k in range(2)], 5, 4)
    np.testing.assert_array_equal(ours, 2.0)
    assert seen == [0, 0, 1, 0, 1]


def test_ratio_is_the_median_over_turns() -> None:
    """Turns are compared with one another: here 2, 3 and 10."""
    made = Race(1, np.array([1.0, 2.0, 4.0]), np.array([2.0, 6.0, 40.0]))
    assert (made.turns, made.ours, made.theirs, made.ratio) == (3, 2.0, 6.0, 3.0)
    alone = Race(1, np.ones(2), np.zeros(0))
    assert alone.ours == 1.0 and alone.theirs is None and alone.ratio is None


def test_a_turn_is_long_enough() -> None:
    """The number of steps follows from their cost."""
    assert steps_of_turn(lambda start, steps: 1e-4 * steps, {}) == round(TURN_SECONDS / 1e-4)
    assert steps_of_turn(lambda start, steps: 1.0 * steps, {}) == 1


@pytest.mark.oracle
def test_benchmarks_race_the_same_way() -> None:
    """The benchmark times the same turns, from four starts."""
    subject = Subject("pendulum 1", pendulum(1), 1, most=30)
    made = benchmark.race(subject, "Euler", 1)
    assert (made.steps, made.rounds, made.nv) == (30, benchmark.STARTS, 1)
    assert 0 < made.ours_us <= made.ours_us_median and made.ratio > 0
