"""Frames and parameters of contacts: mixed, of pairs, of the options; against MuJoCo's."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import compare_crowd

SEEDS = range(24)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", SEEDS)
def test_crowds_have_mujocos_contacts_in_its_order(seed):
    """Masks, welds, parents, excludes, pairs, priorities, weights, margins, gaps, overrides."""
    found, wrong = compare_crowd(seed)
    assert found and not wrong, wrong[:2]


BALLS = """
<mujoco><worldbody>
  <geom name="belt" type="plane" size="1 1 1" friction=".5 .1 .2" solref=".04 1" {floor}/>
  <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" solref=".02 1" friction="1 .1 .1"
    {ball}/></body>
</worldbody></mujoco>
"""


def contact_of(floor="", ball=""):
    data = cf.Model.from_mjcf(BALLS.format(floor=floor, ball=ball)).make_data()
    data.collide()
    (found,) = data.contact
    return found


def test_parameters_are_mixed():
    """004-M7: equal priority: the larger friction, references by weight."""
    found = contact_of(ball='solmix="3"')
    assert found.friction == pytest.approx([1, 1, 0.1, 0.2, 0.2])
    assert found.solref == pytest.approx([0.025, 1])
    assert found.dim == 3 and found.solreffriction == pytest.approx([0, 0])


def test_priority_decides_alone():
    """004-M7: one geom's numbers, and nothing of the other's."""
    found = contact_of(floor='priority="1" condim="1" adhesion="2"', ball='condim="6" adhesion="5"')
    assert found.friction == pytest.approx([0.5, 0.5, 0.1, 0.2, 0.2])
    assert found.solref == pytest.approx([0.04, 1])
    assert found.dim == 1 and found.adhesion == 2


def test_direct_references_take_the_least():
    found = contact_of(floor='solmix="5"', ball="").solref
    assert found == pytest.approx([0.02 / 6 + 0.04 * 5 / 6, 1])
    text = BALLS.replace('solref=".04 1"', 'solref="-50 -3"').format(floor="", ball="")
    data = cf.Model.from_mjcf(text).make_data()
    data.collide()
    assert data.contact[0].solref == pytest.approx([-50, -3])


def test_a_contact_in_the_gap_does_not_push():
    """Margin and gap are sums of both geoms'; a contact in the gap that pulls does so straight."""
    ball = 'margin=".01" gap=".02" pos="0 0 .025"'
    found = contact_of(floor='margin=".01"', ball=ball)
    assert found.includemargin == pytest.approx(0.02)
    assert found.dist == pytest.approx(0.025) and found.exclude == 1
    found = contact_of(floor='margin=".01" adhesion="1"', ball=ball)
    assert found.exclude == 0 and found.dim == 1


def test_surfaces_that_move():
    """The ball's surface past the belt's, along both tangents, and the spin about the normal."""
    found = contact_of(floor='surfacevel=".1 .2 .3 0 0 .5"')
    tangent1, tangent2 = found.frame[3:6], found.frame[6:9]
    moving = -np.array([0.1, 0.2, 0.3])
    assert found.surfacevel == pytest.approx([tangent1 @ moving, tangent2 @ moving, -0.5])
    assert contact_of().surfacevel.tolist() == [0, 0, 0]


def test_frames_are_rotations():
    """The first row is the normal; capsules on planes choose the second."""
    text = BALLS.format(floor="", ball="").replace('size=".1"', 'type="capsule" size=".1 .3"')
    text = text.replace('pos="0 0 .1"', 'pos="0 0 .09" euler="0 90 0"')
    data = cf.Model.from_mjcf(text).make_data()
    data.collide()
    assert data.ncon == 2
    for contact in data.contact:
        frame = contact.frame.reshape(3, 3)
        assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(frame) == pytest.approx(1)
        assert abs(frame[1, 0]) == pytest.approx(1)
