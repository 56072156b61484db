"""Readings that are late, or from time to time."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.step.sensing.readings import reading, world

DT = 0.01


def clock(settings: str, steps: int, integrator: str = "Euler") -> list[float]:
    """What a clock with these settings shows in each step, in steps."""
    data = world("", f'<clock name="c" {settings}/>', f'timestep="{DT}" integrator="{integrator}"')
    shown = []
    for _ in range(steps):
        data.step()
        shown.append(round(float(reading(data, "c")[0]) / DT, 6))
    return shown


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_samples_alone_change_nothing(integrator):
    """000.8-AC9: a reading is of where the step started."""
    assert clock('nsample="4"', 5, integrator) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_delay(integrator):
    """So many steps late; before that, what there was before the start, which is 0."""
    assert clock('nsample="3" delay=".03"', 7, integrator) == [0, 0, 0, 0, 1, 2, 3]


def test_delay_between_steps():
    """Held, on a line, on a curve: all of a clock that goes evenly are late by the delay."""
    assert clock('nsample="4" delay=".025"', 6) == [0, 0, 0, 0, 1, 2]
    assert clock('nsample="4" delay=".025" interp="linear"', 8)[5:] == [2.5, 3.5, 4.5]
    assert clock('nsample="6" delay=".025" interp="cubic"', 9)[6:] == [3.5, 4.5, 5.5]


def test_interval():
    """Every two and a half steps: by turns after two and after three, and held in between."""
    assert clock('nsample="1" interval=".025"', 9) == [0, 0, 0, 3, 3, 5, 5, 5, 8]


def test_interval_with_a_phase():
    """Last read one and a half steps before the start: MuJoCo's example of its documentation."""
    data = world("", '<clock nsample="1" interval="2.5 -1.5"/>', 'timestep="1"')
    shown = []
    for _ in range(10):
        data.step()
        shown.append(data.sensordata[0])
    assert shown == [0, 1, 1, 1, 4, 4, 6, 6, 6, 9]


def test_interval_and_delay():
    """What was read is shown after the delay."""
    assert clock('nsample="4" interval=".02" delay=".03"', 9) == [0, 0, 0, 0, 0, 2, 2, 4, 4]


def test_forward_twice_reads_the_same():
    """Evaluation alone keeps nothing, so it can be asked for again."""
    body = '<body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body>'
    data = world(body, '<jointpos name="p" joint="j" nsample="2" delay=".01"/>', f'timestep="{DT}"')
    data.qpos[:] = 3.0
    data.step()
    kept = data.history.copy()
    for _ in range(2):
        data.forward()
        assert reading(data, "p") == 3.0
        np.testing.assert_array_equal(data.history, kept)


def test_reading_at_any_time():
    """`read_sensor` looks at the samples as the step would."""
    data = world(
        "", '<clock name="c" nsample="5" delay=".02"/><clock name="d"/>', f'timestep="{DT}"'
    )
    data.step(9)
    np.testing.assert_allclose(data.read_sensor("c"), [0.07])
    np.testing.assert_allclose(data.read_sensor("c", 0.095, "linear"), [0.075])
    np.testing.assert_allclose(data.read_sensor("d"), [0.08])
    with pytest.raises(cf.ArgumentError, match="interp"):
        data.read_sensor("c", interp="straight")
