"""The sum of external forces on bodies."""

from __future__ import annotations

import numpy as np

import cortenforge as cf

#: a ball at rest on a plane, away from the centre of the world
BALL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="ball" pos="1 2 .099"><freejoint/><geom size=".1" mass="2"/></body>
  </worldbody>
</mujoco>"""


def test_a_resting_ball_is_carried() -> None:
    """The contact's wrench about the ball's centre: its weight upwards, and no torque."""
    model = cf.Model.from_mjcf(BALL)
    data = model.make_data()
    data.step(2000)
    data.forward()
    data.interaction_forces()
    torque, force = np.split(np.array(data.cfrc_ext[1]), 2)
    np.testing.assert_allclose(force, [0, 0, 2 * 9.81], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(torque, 0, atol=1e-9)
