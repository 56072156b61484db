"""Velocities of transmissions."""

from __future__ import annotations

from tests.step.actuation.driven import FREE_TO_ACT, driven_cases
from tests.step.stages import field, states


@driven_cases()
def test_velocity_is_mujocos(source):
    for both in states(source):
        both.assert_equal(field("actuator_velocity"))


def test_without_actuation_nothing_moves():
    """With the flag, MuJoCo has no velocities and no forces; lengths are still there."""
    text = FREE_TO_ACT.format(actuators='<position joint="hinge" kp="3"/>')
    text = text.replace("<flag", '<flag actuation="disable"')
    for both in states(text):
        names = ("actuator_length", "actuator_velocity", "actuator_force", "qfrc_actuator")
        both.assert_equal(*map(field, names))
        assert both.data.actuator_velocity[0] == 0 == both.data.actuator_force[0]
