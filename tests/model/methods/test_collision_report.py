"""How many pairs came to which test."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.model.methods.collision_report import FamilyCount, pair_counts_by_function

#: two boxes that overlap, an egg in one of them and in the box of the other, one that boxes do not
#: tell apart, one that they do, one far away
SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 1" pos="0 0 -9"/>
<body><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos=".15 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="0 0 .19"><freejoint/><geom type="ellipsoid" size=".1 .1 .1"/></body>
<body pos="0 -.18 -.18"><freejoint/><geom type="ellipsoid" size=".1 .1 .1"/></body>
<body pos="-.21 0 -.1"><freejoint/><geom type="ellipsoid" size=".1 .1 .1"/></body>
<body pos="0 9 0"><freejoint/><geom type="ellipsoid" size=".1 .1 .1"/></body>
</worldbody></mujoco>"""


def test_counts_of_each_stage():
    """10, 002-M6: pairs that can touch, near, by family, boxes, GJK, EPA, contacts."""
    data = cf.Model.from_mjcf(SCENE).make_data()
    report = data.collision_report()
    assert report.pairs == 6 + 15 and not report.swept
    # two boxes, and four eggs; the plane is far below
    assert (report.near, report.boxes, report.gjk, report.epa) == (1 + 4, 4, 3, 1)
    assert report.contacts == data.ncon == sum(one.contacts for one in report.families.values())
    assert report.families["box-box"] == FamilyCount(1, 1, data.ncon - 1)
    assert report.families["convex"] == FamilyCount(14, 4, 1)
    assert report.families["plane-ellipsoid"] == FamilyCount(4, 0, 0)
    assert "21 pairs could touch" in str(report) and "3 by GJK, 1 by EPA" in str(report)


def test_a_model_says_what_could_touch():
    """10: how many pairs, and by which test; also what is not there yet."""
    model = cf.Model.from_mjcf(SCENE)
    assert pair_counts_by_function(model) == {
        "convex": 14, "plane-ellipsoid": 4, "plane-box": 2, "box-box": 1,
    }  # fmt: skip
    assert pair_counts_by_function(cf.Model.from_mjcf("<mujoco/>")) == {}


def test_where_nothing_can_touch():
    """Nothing is counted."""
    report = cf.Model.from_mjcf("<mujoco/>").make_data().collision_report()
    assert report.pairs == report.near == report.contacts == 0 and report.families == {}


@pytest.mark.parametrize("count", [10, 80])
def test_long_lists_are_swept(count):
    """002-M6: and the report says so."""
    model = cf.Model.from_mjcf(
        f'<mujoco><worldbody><replicate count="{count}" offset="0 0 .3"><body><freejoint/>'
        '<geom size=".1"/></body></replicate></worldbody></mujoco>'
    )
    report = model.make_data().collision_report()
    assert report.pairs == count * (count - 1) // 2
    assert report.swept == (count > 70) and report.near == 0
    assert np.all(model.candidate_family >= 0)
