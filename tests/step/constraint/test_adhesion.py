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


STICKY = """
<mujoco><option cone="{cone}"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .0995"><freejoint/><geom size=".1" adhesion="30" gap=".02" condim="{condim}"/>
    <body pos="0 0 .199"><joint axis="0 1 0"/><joint type="slide"/>
      <geom size=".1" adhesion="5" gap=".01"/></body></body>
</worldbody></mujoco>
"""


@pytest.mark.oracle
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_contacts_that_pull_are_mujocos(cone, condim):
    """Geoms that stick pull by a passive force, across their gap as well; steps and inverse."""
    both = pair(STICKY.format(cone=cone, condim=condim))
    both.data.qvel[:] = both.theirs.qvel[:] = [0, 0, 0.3, 0.1, 0, 0, 0.5, 0.2]
    for _ in range(30):
        both.step()
        assert np.abs(both.theirs.qfrc_adhesion).max() > 1
        for name in ("qfrc_adhesion", "qfrc_passive", "qacc"):
            ours, wanted = getattr(both.data, name), getattr(both.theirs, name)
            np.testing.assert_allclose(ours, wanted, rtol=1e-7, atol=1e-7, err_msg=name)
    both.data.forward()
    both.data.inverse()
    size = np.abs(both.data.qfrc_bias).max()
    np.testing.assert_allclose(both.data.qfrc_inverse, 0, atol=1e-6 * size)


def test_a_ball_hangs_by_its_contact():
    """30 N hold a ball of 1 kg at the ceiling, 5 N do not; the pull is there once."""
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1" pos="0 0 1" zaxis="0 0 -1"/>
      <body pos="0 0 .9005"><freejoint/><geom size=".1" mass="1" gap=".02" adhesion="{}"/></body>
      </worldbody></mujoco>"""
    for pull, holds in ((30, True), (5, False)):
        data = pair(text.format(pull)).data
        data.step(500)
        assert (data.ncon == 1 and abs(data.qvel).max() < 1e-6) == holds
        assert (data.qfrc_adhesion[2] == pytest.approx(pull)) == holds
