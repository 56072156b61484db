"""Pictures of deformables: where they are, from both sides, by groups."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType

SCENE = """<mujoco><statistic center="0 0 0" extent="2"/><worldbody>
  <camera name="above" pos="0 0 3"/><camera name="below" pos="0 0 -3" euler="180 0 0"/></worldbody>
  <deformable><cloth name="sheet" count="5 5" rgba="1 0 0 1"/>
    <softbody name="ball" type="ball" size="0.6 0.6 0.6" pos="1.5 0 0" rgba="0 1 0 1" group="3"/>
    <chain name="rope" fromto="-1.5 -0.5 0 -1.5 0.5 0" segments="4" radius="0.1" rgba="0 0 1 1"/>
  </deformable></mujoco>"""


@pytest.fixture(scope="module")
def data() -> cf.Data:
    return cf.Model.from_mjcf(SCENE).make_data()


def seen(data, camera, **options) -> dict[int, int]:
    """How many pixels each deformable has."""
    pixels = data.render(120, 90, camera=camera, mode="segmentation", **options).reshape(-1, 2)
    soft = pixels[pixels[:, 1] == ObjType.FLEX, 0]
    return {int(k): int(n) for k, n in zip(*np.unique(soft, return_counts=True), strict=True)}


@pytest.mark.parametrize("camera", ["above", "below"])
def test_deformables_are_seen_from_both_sides(data, camera):
    everything = (True,) * 6
    found = seen(data, camera, softgroup=everything)
    assert set(found) == {0, 1, 2}
    # a square metre, a circle of 0.3 m, a capsule of 0.1 m
    assert found[1] / found[0] == pytest.approx(np.pi * 0.305**2, rel=0.25)
    assert found[2] / found[0] == pytest.approx(0.2 + np.pi * 0.01, rel=0.25)
    picture = data.render(120, 90, camera=camera)
    assert picture[45, 60].argmax() == 0
    assert picture[45, 60, 0] > 60


def test_switches(data):
    assert set(seen(data, "above")) == {0, 2}
    assert seen(data, "above", soft=False) == {}


def test_pictures_follow_vertices(data):
    moved = data.copy()
    moved.deformable("sheet").positions[:] += (100, 0, 0)
    assert 0 not in seen(moved, "above")
    assert 0 in seen(data, "above")
