"""Which trees belong together, and that to split a world changes nothing but the time."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Disable

from .touching import HEAP, along, apart, pair

HARD = {"tolerance": 1e-14, "iterations": 200}


@pytest.mark.oracle
def test_islands_are_mujocos():
    seen = set()
    for data, theirs in along(HEAP, Cone.PYRAMIDAL, 240, 10):
        seen.add(data.nisland)
        assert data.nisland == theirs.nisland
        for name in ("tree_island", "dof_island", "efc_island"):
            ours, expected = getattr(data, name), getattr(theirs, name)
            np.testing.assert_array_equal(ours[: len(expected)], expected, name)
    assert len(seen) > 1


@pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())
def test_split_or_whole(cone):
    model, data, *_ = pair(HEAP, cone, **HARD)
    for _ in range(10):
        model.opt.disableflags = 0
        data.step(20)
        data.forward()
        split = data.qacc.copy()
        assert data.nisland > 1
        model.opt.disableflags = int(Disable.ISLAND)
        data.forward()
        assert data.nisland == 1
        # elliptic cones come near their minimum by squares, and stop within 1e-14 of its cost
        assert apart(data.qacc, split) < (1e-8 if cone == Cone.PYRAMIDAL else 1e-6)


@pytest.mark.oracle
@pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())
def test_an_island_of_more_dofs_than_a_word_has_bits(cone):
    """A wall of boxes is one island, whose H is kept in blocks."""
    bricks = "".join(
        f'<body pos="{0.21 * column + 0.1 * (row % 2)} 0 {0.05 + 0.1 * row}"><freejoint/>'
        f'<geom type="box" size=".1 .1 .05"/></body>'
        for row in range(4)
        for column in range(3)
    )
    xml = f"<mujoco><worldbody><geom type='plane' size='3 3 1'/>{bricks}</worldbody></mujoco>"
    largest = 0
    for data, theirs in along(xml, cone, 60, 12, **HARD):
        largest = max(largest, *np.bincount(data.dof_island[data.dof_island >= 0]))
        assert data.nisland == theirs.nisland
        # stacked boxes share their load in many ways: what is left of the gradient is amplified
        assert apart(data.qacc, theirs.qacc) < 1e-6
    assert largest > 64


def test_one_world_after_another_of_other_shape():
    """Patterns of H that were worked out for other rows are not used."""
    model = cf.Model.from_mjcf(HEAP)
    used, fresh = model.make_data(), model.make_data()
    rng = np.random.default_rng(3)
    for _ in range(20):
        used.reset()
        used.qpos[:3] += 0.1 * rng.normal(size=3)
        used.qpos[7:13] += rng.normal(size=6)
        used.step(30)
        fresh = model.make_data()
        fresh.set_state(used.get_state())
        for data in (used, fresh):
            data.forward()
        assert used.qacc.tobytes() == fresh.qacc.tobytes()


def test_small_islands_behind_a_large_one():
    """A pattern of H outlasts an island whose H is kept in blocks, its factor does not."""
    bricks = "".join(
        f'<body pos="{0.19 * column} 5 {0.0499 + 0.0999 * row}"><freejoint/>'
        f'<geom type="box" size=".1 .1 .05"/></body>'
        for row in range(4)
        for column in range(4)
    )
    pairs = [
        "".join(
            f'<body pos="{3 * k} 0 {0.0995 + 0.199 * height}"><freejoint/><geom size=".1"/></body>'
            for height in range(3)
        )
        for k in range(2)
    ]
    floor = "<geom type='plane' size='9 9 1'/>"
    text = f"<mujoco><worldbody>{floor}{{}}</worldbody></mujoco>"
    whole, alone = (
        cf.Model.from_mjcf(text.format(bodies)).make_data()
        for bodies in (pairs[0] + bricks + pairs[1], pairs[1])
    )
    whole.qvel[-18:] = alone.qvel[:] = np.random.default_rng(0).normal(size=18)
    for data in (whole, alone):
        data.forward()
    assert np.bincount(whole.dof_island).max() > 64 and whole.nisland == 3
    assert whole.qacc[-18:].tobytes() == alone.qacc.tobytes()
