"""Contacts of each pair of shapes against MuJoCo's: how many, in which order, to 1e-9.

`conformance.collision` draws the poses; `python -m conformance.collision` takes thousands.
"""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import PAIRS, TOLERANCE, compare_pair
from cortenforge.step.collision.families import (
    CONVEX_PAIRS,
    FAMILIES,
    FAMILY_OF,
    HFIELD_GEOMS,
    PAIR_UNITS,
    SDF_PAIRS,
)

POSES = 240


@pytest.mark.oracle
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_contacts_are_mujocos(pair):
    """Apart, touching, shallow, deep, aligned, parallel, concentric, of equal size."""
    tally = compare_pair(pair, POSES)
    assert not tally.wrong, tally.wrong[:3]
    assert tally.worst <= TOLERANCE
    # rounding decides in aligned poses only, and not in most of these
    assert tally.ties <= 0.1 * tally.poses
    assert sum(count for found, count in tally.counts.items() if found) > tally.poses / 4


def test_every_family_has_its_place():
    """Types in order, the lower one first; a unit for each, and one for all convex pairs, another
    for all that is on height fields, and two for distance fields."""
    assert set(FAMILIES.kernels) == set(PAIR_UNITS.values())
    shared = len(CONVEX_PAIRS) + len(HFIELD_GEOMS) + len(SDF_PAIRS)
    assert len(FAMILIES.kernels) == len(FAMILY_OF) - shared + 4
    assert all(one <= other for one, other in FAMILY_OF)
    assert all(kernel.unit for kernel in FAMILIES.kernels)


def test_a_standing_cylinder_has_its_contacts_on_its_rim():
    """10: turned any way, axis along the normal: rounding is no direction to the lowest point."""
    data = cf.Model.from_mjcf(
        '<mujoco><worldbody><body mocap="true"><geom type="plane" size="1 1 .1"/></body>'
        '<body><freejoint/><geom type="cylinder" size=".1 .2"/></body></worldbody></mujoco>'
    ).make_data()
    rng = np.random.default_rng(0)
    # rounding was one in two of these
    for _ in range(3000):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        data.mocap_quat[0] = quat
        data.qpos[:] = (0, 0, 0, -quat[3], quat[2], -quat[1], quat[0])  # upside down
        data.collide()
        np.testing.assert_allclose(data.contact.dist, -0.2, atol=1e-12)
        normal, arm = data.geom_xmat[0, [2, 5, 8]], data.contact.pos
        np.testing.assert_allclose(np.linalg.norm(np.cross(arm, normal), axis=1), 0.1, atol=1e-12)


def ball_at(text, pos):
    """A shape at the origin and a ball of radius 0.1 somewhere; the contacts."""
    model = cf.Model.from_mjcf(
        f'<mujoco><worldbody>{text}<body pos="{" ".join(map(str, pos))}"><freejoint/>'
        '<geom size=".1" margin="10"/></body></worldbody></mujoco>'
    )
    data = model.make_data()
    data.collide()
    return data.contact


@pytest.mark.parametrize(
    ("shape", "pos", "dist", "normal"),
    [
        ('<geom type="plane" size="1 1 1"/>', (3, 4, 0.5), 0.4, (0, 0, 1)),
        ('<geom size=".2"/>', (0.5, 0, 0), 0.2, (1, 0, 0)),
        ('<geom type="capsule" size=".2 .3"/>', (0.5, 0, 0.2), 0.2, (-1, 0, 0)),
        ('<geom type="capsule" size=".2 .3"/>', (0, 0, 1), 0.4, (0, 0, -1)),
        ('<geom type="cylinder" size=".2 .3"/>', (0, 0.6, 0.1), 0.3, (0, -1, 0)),
        ('<geom type="cylinder" size=".2 .3"/>', (0.1, 0, 1), 0.6, (0, 0, -1)),
        ('<geom type="cylinder" size=".2 .3"/>', (0, 0.5, 0.7), 0.4, (0, -0.6, -0.8)),
        ('<geom type="box" size=".2 .3 .4"/>', (0.5, 0, 0), 0.2, (-1, 0, 0)),
        ('<geom type="box" size=".2 .3 .4"/>', (0.5, 0.7, 0), 0.4, (-0.6, -0.8, 0)),
        # wholly inside: out by the nearest face, as deep as the way there and the radius
        ('<geom type="box" size=".2 .3 .4"/>', (0.15, 0, 0), -0.15, (-1, 0, 0)),
        ('<geom type="cylinder" size=".2 .3"/>', (0, 0, 0.28), -0.12, (0, 0, -1)),
    ],
)
def test_distances_that_can_be_worked_out_by_hand(shape, pos, dist, normal):
    """A ball of radius 0.1 and something at the origin; the normal leaves the lower type."""
    (contact,) = ball_at(shape, pos)
    assert contact.dist == pytest.approx(dist, abs=1e-14)
    assert contact.frame[:3] == pytest.approx(normal, abs=1e-14)


def two(first, second, pos, euler="0 0 0"):
    """Contacts of two geoms, the second one somewhere."""
    model = cf.Model.from_mjcf(
        f'<mujoco><worldbody>{first}<body pos="{pos}" euler="{euler}"><freejoint/>{second}</body>'
        "</worldbody></mujoco>"
    )
    data = model.make_data()
    data.collide()
    return data


def test_a_box_on_a_box_rests_on_the_corners_of_the_smaller():
    """Flush faces make a contact a corner, at the depth of the faces; none is phantom or deep."""
    data = two('<geom type="box" size="1 1 .5"/>', '<geom type="box" size=".2 .3 .1"/>', "0 0 .599")
    assert np.allclose(data.contact.dist, -0.001)
    assert {tuple(np.round(pos[:2], 9)) for pos in data.contact.pos} == {
        (x, y) for x in (-0.2, 0.2) for y in (-0.3, 0.3)
    }
    assert np.allclose(data.contact.frame[:, :3], (0, 0, 1))


def test_crossed_edges_touch_in_one_point():
    data = two(
        '<geom type="box" size="1 .1 .1" euler="45 0 0"/>',
        '<geom type="box" size=".1 1 .1" euler="0 45 0"/>',
        f"0 0 {0.2 * np.sqrt(2) - 0.01}",
    )
    (contact,) = data.contact
    assert contact.dist == pytest.approx(-0.01)
    assert contact.pos == pytest.approx([0, 0, 0.1 * np.sqrt(2) - 0.005])
    assert contact.frame[:3] == pytest.approx([0, 0, 1])


def test_parallel_capsules_have_two_contacts():
    """At the ends of the stretch that both cover."""
    capsule = '<geom type="capsule" size=".1 .5"/>'
    data = two(capsule, capsule, "0.19 0 .4")
    assert sorted(data.contact.pos[:, 2]) == pytest.approx([-0.1, 0.5])
    assert data.contact.dist == pytest.approx([-0.01, -0.01])


@pytest.mark.parametrize("kind", ["sphere", "capsule", "box"])
def test_the_same_place_is_finite(kind):
    """Coincident centres: some normal, and no nan."""
    geom = f'<geom type="{kind}" size=".1 .1 .1"/>'
    data = two(geom, geom, "0 0 0")
    assert data.ncon and np.isfinite(data.contact.dist).all()
    assert np.allclose(np.linalg.norm(data.contact.frame.reshape(-1, 3), axis=1), 1)


def test_a_pose_that_is_nan_has_no_contacts():
    """Nothing is near what is nowhere."""
    for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box"):
        model = cf.Model.from_mjcf(
            '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body><freejoint/>'
            f'<geom type="{kind}" size=".1 .1 .1"/></body></worldbody></mujoco>'
        )
        data = model.make_data()
        data.qpos[2] = np.nan
        data.collide()
        assert data.ncon == 0
