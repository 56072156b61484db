"""Controls that arrive late."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

MOTOR = """<mujoco><option timestep="0.01" gravity="0 0 0" integrator="{integrator}">
<flag contact="disable"/></option><worldbody><body><joint name="j" type="slide"/>
<geom size=".1" mass="1"/></body></worldbody>
<actuator><motor joint="j" nsample="{count}" delay="{delay}" interp="{interp}" {more}/></actuator>
</mujoco>"""


def forces(controls, *, count=3, delay=0.03, interp="zoh", integrator="Euler", more=""):
    """The force of a motor in each step."""
    text = MOTOR.format(count=count, delay=delay, interp=interp, integrator=integrator, more=more)
    data = cf.Model.from_mjcf(text).make_data()
    found = []
    for control in controls:
        data.ctrl[:] = control
        data.forward()
        found.append(data.actuator_force[0])
        data.step()
    return found


STAIRS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


def test_delay_of_whole_steps():
    """A control acts so many steps later; before that, those of before the start, which are 0."""
    assert forces(STAIRS) == [0, 0, 0, 1, 2, 3, 4]
    assert forces(STAIRS, delay=0.01) == [0, 1, 2, 3, 4, 5, 6]
    assert forces(STAIRS, delay=0) == STAIRS


def test_delay_between_steps():
    """Held, a control of between steps is that of before; on a line, it is between."""
    assert forces(STAIRS, delay=0.025) == [0, 0, 0, 1, 2, 3, 4]
    expected = [0, 0, 0.5, 1.5, 2.5, 3.5, 4.5]
    np.testing.assert_allclose(forces(STAIRS, delay=0.025, interp="linear"), expected, atol=1e-12)


def test_less_than_a_step_is_a_step():
    """A control is kept after it could have been read."""
    assert forces(STAIRS, delay=0.001) == [0, 1, 2, 3, 4, 5, 6]


def test_more_than_there_are_samples():
    """The oldest sample acts, early."""
    assert forces(STAIRS, count=2, delay=0.5) == [0, 0, 1, 2, 3, 4, 5]


def test_limits_are_of_what_arrives():
    """What is kept is what was given; what acts is within the range."""
    more = 'ctrlrange="-1.5 1.5"'
    assert forces(STAIRS, more=more) == [0, 0, 0, 1, 1.5, 1.5, 1.5]


def test_a_bad_control_is_bad_when_it_arrives():
    """As in MuJoCo: with a warning, and all controls of that step count as zero."""
    text = MOTOR.format(count=2, delay=0.02, interp="zoh", integrator="Euler", more="")
    data = cf.Model.from_mjcf(text).make_data()
    data.ctrl[:] = np.nan
    data.step()
    data.ctrl[:] = 1.0
    data.step()
    with pytest.warns(cf.StepWarning, match="ctrl"):
        data.step()
    assert data.actuator_force[0] == 0.0


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_stages_read_what_was_there(integrator):
    """A delay of half a step: stages of Runge-Kutta do not see the control of their own step."""
    text = MOTOR.format(count=1, delay=0.005, interp="zoh", integrator=integrator, more="")
    data = cf.Model.from_mjcf(text).make_data()
    data.ctrl[:] = 8.0
    data.step()
    assert data.qvel[0] == 0.0
    data.step()
    np.testing.assert_allclose(data.qvel[0], 0.08, rtol=1e-14)
