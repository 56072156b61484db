"""The list of contacts that pairs add to: see `test_stage` for lanes and growth."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import cortenforge as cf
from cortenforge.fields.data_contact import CONTACT_CAPACITIES, NCONMAX
from cortenforge.step.collision.contact_list import request_contact_capacity
from cortenforge.step.statuses import FULL

TWO = """
<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .05"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .05"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>
"""


def test_capacity_has_its_place():
    """Kernels ask for room by number."""
    assert list(CONTACT_CAPACITIES)[NCONMAX] == "nconmax"


def test_contacts_follow_the_list_of_candidates():
    """Each knows from which candidate it came."""
    model = cf.Model.from_mjcf(TWO)
    data = model.make_data()
    data.collide()
    assert data.ncon == 2
    rows = data.contact_candidate[: data.ncon]
    assert model.candidate_geom[rows].tolist() == data.contact.geom.tolist() == [[0, 1], [0, 2]]
    assert data.contact.dist == pytest.approx([-0.05, -0.05])


def test_no_stage_looks_beyond_the_list():
    """Contacts that find no room are asked for, and no longer counted when rows are made."""
    d = SimpleNamespace(ncon=16, nconmax=8, status=0, status_index=0, status_value=0.0)
    request_contact_capacity(d)
    assert (d.status, d.status_value, d.ncon) == (FULL, 16, 8)
