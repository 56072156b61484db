"""Adhesion: actuators that pull a body to whatever it touches."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.stages import pair

CEILING = """
<mujoco><option timestep=".002"/>
<worldbody>
  <geom type="plane" size="1 1 1" pos="0 0 1" zaxis="0 0 -1"/>
  <body name="box" pos="0 0 .9"><freejoint/>
    <geom type="box" size=".1 .12 .1" mass="1" margin=".001"/>
  </body>
</worldbody>
<actuator><adhesion name="glue" body="box" gain="20" ctrlrange="0 1"/></actuator></mujoco>
"""


@pytest.mark.oracle
def test_a_box_on_the_ceiling_is_mujocos():
    both = pair(CEILING)
    for control in (1.0, 0.7, 0.2):
        both.data.ctrl[:] = both.theirs.ctrl[:] = control
        for _ in range(20):
            both.step()
        np.testing.assert_allclose(both.data.qpos, both.theirs.qpos, atol=1e-9)
        np.testing.assert_allclose(
            both.data.qfrc_actuator, both.theirs.qfrc_actuator, rtol=1e-9, atol=1e-9
        )


def test_it_holds_what_is_lighter_than_its_pull():
    """20 N hold 9.81 N, and 4 N do not."""
    both = pair(CEILING)
    both.data.ctrl[:] = 1.0
    both.data.step(500)
    assert both.data.ncon == 4 and abs(both.data.qvel).max() < 1e-6
    assert both.data.qfrc_actuator[2] == pytest.approx(20)
    both.data.ctrl[:] = 0.2
    both.data.step(200)
    assert both.data.ncon == 0 and both.data.qvel[2] < -1
