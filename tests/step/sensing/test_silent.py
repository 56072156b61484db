"""Sensors of contacts and limits, where there are none; adhesion likewise."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Disable
from tests.step.stages import Pair, pair

MODEL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body name="b" pos="0 0 .05"><joint name="z" type="slide" axis="0 0 1" range=".1 1" limited="true"/>
<geom name="g" size=".1"/><site name="s" size=".2"/></body></worldbody>
<tendon><fixed name="t" range=".1 1" limited="true"><joint joint="z" coef="1"/></fixed></tendon>
<actuator><adhesion name="a" body="b" ctrlrange="0 1" gain="5"/></actuator>
<sensor><touch site="s" cutoff="2"/><contact geom1="g" data="found force dist pos" num="2"/>
<contact site="s" reduce="netforce" data="found force torque dist pos normal tangent"/>
<jointlimitfrc joint="z"/><jointlimitpos joint="z"/><jointlimitvel joint="z"/>
<tendonlimitfrc tendon="t"/><tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/>
<actuatorfrc actuator="a"/></sensor></mujoco>"""
WAYS = [Disable.CONSTRAINT, Disable.CONTACT | Disable.LIMIT]


def switched_off(flags: Disable) -> Pair:
    """Both engines without constraints, or without those kinds of them."""
    both = pair(MODEL)
    for options in (both.model.opt, both.reference.opt):
        options.disableflags |= int(flags)
    for data in (both.data, both.theirs):
        data.ctrl[:] = 0.7
        data.sensordata[:] = 9
    return both


@pytest.mark.parametrize("flags", WAYS)
def test_readings_are_mujocos(flags):
    """Zeros, in place of whatever stood there; adhesion pulls, but at nothing."""
    both = switched_off(flags)
    assert both.model.supported() == []
    both.step()
    np.testing.assert_array_equal(both.data.sensordata, both.theirs.sensordata)
    assert not both.data.sensordata[:-1].any()
    np.testing.assert_array_equal(both.data.actuator_force, [3.5])
    for name in ("actuator_length", "actuator_velocity", "qfrc_actuator", "qvel"):
        ours, theirs = getattr(both.data, name), getattr(both.theirs, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=name)


def test_they_are_refused_by_name_otherwise():
    """With contacts and limits, what they would read is not known yet."""
    text = " ".join(pair(MODEL).model.supported())
    for name in ("sensors of contacts (", "sensors of limits (", "adhesion (a)"):
        assert name in text
