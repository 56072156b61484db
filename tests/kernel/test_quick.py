"""Entries as functions of Python's own kind."""

from __future__ import annotations

import gc
import sys

import pytest

import cortenforge as cf

BALL = '<mujoco><worldbody><geom name="ball" size=".5"/></worldbody></mujoco>'


def test_a_quick_call_gives_what_the_entry_gives():
    """The same number, call after call; it takes no arguments."""
    data = cf.Model.from_mjcf(BALL).make_data()
    data.forward()
    assert data.ray([0, 0, 2], [0, 0, -1]) == (1.5, 0, None)
    block = data._ray_caster._plain
    assert type(block.cast) is type(len)
    assert [block.cast() for _ in range(3)] == [0, 0, 0]
    with pytest.raises(TypeError):
        block.cast(1)


def test_calls_keep_nothing():
    """Answers are counted as all objects are, and a world that is gone takes its call with it."""
    data = cf.Model.from_mjcf(BALL).make_data()
    data.forward()
    for geom in range(2):
        data.ray([0, 0, 2], [0, geom, -1])
    before = sys.getrefcount(None)
    for _ in range(1000):
        data.ray([0, 0, 2], [0, 0, -1])
    assert abs(sys.getrefcount(None) - before) < 100
    cast = data._ray_caster._plain.cast
    assert sys.getrefcount(cast) < 10
    del data, cast
    gc.collect()


def test_one_ray_is_a_row_of_many():
    """The first call, those after it, and all at once."""
    data = cf.Model.from_mjcf(BALL).make_data()
    data.forward()
    ways = [[0, 0, -1], [0.1, 0, -1], [1, 0, 0]]
    single = [data.ray([0, 0, 2], way) for way in ways]
    many = data.multi_ray([0, 0, 2], ways)
    assert [hit.dist for hit in single] == many.dist.tolist()
    assert [hit.geomid for hit in single] == many.geomid.tolist()
    assert data.ray([0, 0, 2], ways[0], normal=True).normal.tolist() == [0, 0, 1]
    assert data.ray([0, 0, 2], ways[0], bodyexclude="world") == (-1.0, -1, None)
    assert data.ray.__doc__ == cf.Data.ray.__doc__
