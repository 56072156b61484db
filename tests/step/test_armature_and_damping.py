"""Inertia and damping that actuators add to the joints they act on."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.stages import field, states

GEARED = """
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0" armature="0.02" damping="0.1"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".4 0 0"><joint name="b" type="slide"/><geom size=".1" pos=".1 0 0"/></body>
    </body>
    <body><joint name="c"/><geom size=".1" pos="0 .2 0"/></body>
  </worldbody>
  <actuator>
    <motor joint="a" gear="3" {rotor}/><motor joint="a" gear="-2" {rotor}/>
    <motor joint="b" gear="0.5" {rotor}/>
  </actuator>
</mujoco>"""
ROTOR = 'armature="0.05" damping="0.3 0.2 0.1"'


def test_inertia_and_damping_are_mujocos():
    """Gear squared times the rotor's, summed over the actuators of a joint."""
    for both in states(GEARED.format(rotor=ROTOR)):
        both.assert_equal(field("M"), field("qLD"), field("qfrc_damper"))


def test_rotors_add_by_the_square_of_their_gear():
    """13 rotors' worth on the first joint, a quarter on the second, nothing on the third."""
    with_rotors, without = (next(states(GEARED.format(rotor=rotor))) for rotor in (ROTOR, ""))
    model, share = with_rotors.model, np.array([9.0 + 4.0, 0.25, 0.0])
    diagonal = model.M_rowadr + model.M_rownnz - 1
    added = with_rotors.data.M[diagonal] - without.data.M[diagonal]
    np.testing.assert_allclose(added, 0.05 * share, atol=1e-15)
    for both in (with_rotors, without):
        both.data.qvel[:] = 2.0
        both.data.forward(smooth_only=True)
    drag = with_rotors.data.qfrc_damper - without.data.qfrc_damper
    assert drag == pytest.approx(-2.0 * (0.3 + 0.2 * 2 + 0.1 * 4) * share, abs=1e-12)
