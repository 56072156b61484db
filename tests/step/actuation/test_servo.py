"""What servos have in common: inputs, setpoints on a circle, setpoints that move slowly."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.step.actuation.driven import hinge, set_both
from tests.step.stages import field, written_by

SIGNATURES = [
    " ".join(words)
    for count in (1, 2, 3)
    for words in itertools.combinations(("pos", "vel", "ff"), count)
]
FIELDS = (*written_by("step.actuation.servo"), field("actuator_force"))


@pytest.mark.parametrize("signature", SIGNATURES)
def test_inputs_of_a_pid_controller(signature):
    """Setpoints that are not given are zero; with `pos`, integral and slew rate, too."""
    more = 'ki="3" imax="0.2" slewmax="2"' if "pos" in signature else ""
    both = hinge(f'<pid joint="j" kp="4" kv="0.5" input="{signature}" {more}/>')
    rng = np.random.default_rng(0)
    for _ in range(20):
        set_both(both, ctrl=rng.normal(size=both.model.nu))
        both.forward()
        both.assert_equal(*FIELDS)
        both.step()
        both.assert_equal(field("act"), field("qvel"))


def test_an_integral_stops_at_its_limit():
    both = hinge('<pid joint="j" kp="0" ki="1" imax="0.01"/>')
    set_both(both, ctrl=[5.0, 0.0])
    for _ in range(10):
        both.step()
        both.assert_equal(field("act"))
    # it stops at the first step beyond
    assert 0.01 <= both.data.act[0] < 0.03


def test_a_slow_setpoint():
    """It moves towards its control at its rate, and stays there."""
    both = hinge('<pid joint="j" kp="1" slewmax="0.5" input="pos"/>', option='timestep="0.01"')
    set_both(both, ctrl=0.012)
    for wanted in (0.005, 0.010, 0.012, 0.012):
        both.data.step()
        assert both.data.act[0] == pytest.approx(wanted, abs=1e-15)
