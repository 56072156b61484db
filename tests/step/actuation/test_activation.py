"""Activations: their rates, and what they are after a step."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.driven import driven_model
from tests.step.actuation.driven import FREE_TO_ACT, driven_cases, hinge, set_both
from tests.step.stages import field, pair, states, written_by


@driven_cases()
def test_rates_are_mujocos(source):
    for both in states(source):
        both.assert_equal(*written_by("step.actuation.activation"))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("seed", range(2300, 2312))
def test_steps_are_mujocos(seed, integrator):
    """Activations and all of the state, step by step, from random states."""
    both, rng = pair(driven_model(seed, integrator)), np.random.default_rng(seed)
    for _ in range(4):
        both.write(rng)
        both.step()
        both.assert_equal(field("act"), field("qpos"), field("qvel"))


RATES = {
    "integrator": lambda ctrl, act: ctrl,
    "filter": lambda ctrl, act: (ctrl - act) / 0.05,
    "filterexact": lambda ctrl, act: (ctrl - act) / 0.05,
}


@pytest.mark.parametrize("kind", RATES)
def test_rates_by_formula(kind):
    """8-AC12: an integrator's rate is its control, a filter's its distance over time."""
    both = hinge(f'<general joint="j" dyntype="{kind}" dynprm="0.05"/>')
    set_both(both, ctrl=0.9, act=0.2)
    both.forward()
    assert both.data.act_dot[0] == pytest.approx(RATES[kind](0.9, 0.2), rel=1e-14)
    assert both.data.actuator_force[0] == 0.2


def test_rate_of_a_muscle():
    """8-AC12: up faster than down, as Millard et al. have it."""
    both = hinge('<muscle joint="j" lengthrange="0 1" timeconst="0.01 0.04"/>')
    set_both(both, ctrl=1.0, act=0.5)
    both.forward()
    assert both.data.act_dot[0] == pytest.approx(0.5 / (0.01 * (0.5 + 1.5 * 0.5)))
    set_both(both, ctrl=0.0)
    both.forward()
    assert both.data.act_dot[0] == pytest.approx(-0.5 / (0.04 / (0.5 + 1.5 * 0.5)))


def test_an_exact_filter_is_exact():
    """8-S1: after any time the distance to the control is what it was times exp(-t/tau)."""
    both = hinge('<general joint="j" dyntype="filterexact" dynprm="0.03"/>')
    set_both(both, ctrl=1.0)
    both.data.step(50)
    assert both.data.act[0] == pytest.approx(1 - np.exp(-both.data.time / 0.03), abs=1e-12)


@pytest.mark.parametrize("control", [0.0, 1.0, 3.0, -2.0])
def test_activation_of_a_muscle_stays_in_its_range(control):
    """8-S1: whatever the control, between none and all of it."""
    both = hinge('<muscle joint="j" lengthrange="0 1" force="1" timeconst="0.01 0.04"/>')
    set_both(both, ctrl=control, act=0.5)
    for _ in range(100):
        both.step()
        assert 0 <= both.data.act[0] <= 1
        both.assert_equal(field("act"))


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_limits_of_activation(integrator):
    """It stops at its range, and with actearly the force already has the next one."""
    both = hinge(
        '<general joint="j" dyntype="integrator" actrange="-0.01 0.02" actearly="true"/>',
        option=f'integrator="{integrator}"',
    )
    for control in (5.0, 5.0, 5.0, -50.0, -50.0):
        set_both(both, ctrl=control)
        both.forward()
        both.assert_equal(field("actuator_force"))
        both.step()
        both.assert_equal(field("act"), field("qvel"))
    assert both.data.act[0] == -0.01


@pytest.mark.parametrize("dynamics", ["filter", "filterexact", "muscle"])
@pytest.mark.parametrize("stiffness", [3, 2])
def test_filtered_setpoints_go_the_short_way(dynamics, stiffness):
    """On a circle a filter turns to the control by the shorter way, if it is a servo's."""
    both = pair(
        FREE_TO_ACT.format(
            actuators=f'<general joint="ball" gear="0 0 1" dyntype="{dynamics}" dynprm="0.1 0.2 0"'
            f' gainprm="3" biastype="affine" biasprm="0 -{stiffness} 0"/>'
        )
    )
    for act, control in ((0.0, 5.0), (5.0, 0.0), (5.0, -5.0), (-40.0, 3.0)):
        set_both(both, act=act, ctrl=control)
        both.forward()
        both.assert_equal(field("actuator_force"), field("act_dot"))
        rate = both.data.act_dot[0]
        both.step()
        both.assert_equal(field("act"))
    if dynamics != "muscle" and stiffness == 3:
        assert rate == pytest.approx((3.0 + 40.0 - 14 * np.pi) / 0.1)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_setpoints_on_a_circle_stay_near(integrator):
    """Integrated setpoints of turning transmissions wind round with them."""
    servos = (
        '<intvelocity joint="ball" kp="3" gear="0 0.5 0"/>'
        '<intvelocity site="tip" refsite="rail" kp="2" gear="0 0 0 0.3 0 0.1"/>'
        '<pid joint="ball" kp="2" ki="1" gear="0 0 0.2" slewmax="40"/>'
        '<general joint="ball" gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 0" '
        'dyntype="integrator"/>'
    )
    text = FREE_TO_ACT.format(actuators=servos)
    text = text.replace("<option", f'<option integrator="{integrator}" timestep="0.002"')
    both = pair(text)
    rng = np.random.default_rng(2)
    for _ in range(10):
        both.write(rng)
        set_both(both, ctrl=300 * rng.normal(size=both.model.nu), act=4 * rng.normal(size=7))
        both.forward()
        both.assert_equal(field("actuator_force"), field("act_dot"))
        both.step()
        both.assert_equal(field("act"))


def test_a_group_that_is_off_keeps_its_activation():
    both = hinge('<general joint="j" dyntype="filter" group="3"/>')
    both.model.opt.disableactuator = 1 << 3
    set_both(both, ctrl=1.0, act=0.4)
    both.data.step(5)
    assert both.data.act[0] == 0.4
    assert both.data.actuator_force[0] == 0.0


def test_parameters_that_need_other_activations():
    """A motor's current is an activation or is not: that cannot change in a loaded model."""
    both = hinge('<dcmotor joint="j" resistance="1" motorconst="1" inductance="0.5"/>')
    both.data.step()
    both.model.actuator_dynprm[0, 0] = 0.0
    with pytest.raises(cf.InvalidActuator, match="compile it again"):
        both.data.step()
