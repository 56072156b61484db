"""Deformables in pictures: cloth, soft bodies and chains, where their vertices are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType

from ..render.scenes import SHEET_SCENE

CAMERA = cf.Camera(lookat=(0, 0, 0.5), distance=2.5, azimuth=70, elevation=-20)
MADE = {
    "cloth": lambda: cf.Cloth.grid(9, 9, size=(0.8, 0.8), pos=(0, 0, 0.6), rgba=(1, 0, 0, 1)),
    "ball": lambda: cf.SoftBody.ball(0.2, cell=0.1, pos=(0, 0, 0.6), rgba=(1, 0, 0, 1)),
    "rope": lambda: cf.CapsuleChain.line(
        (-0.5, 0, 0.6), (0.5, 0, 0.6), 10, radius=0.03, rgba=(1, 0, 0, 1)
    ),
}


def owned(renderer: cf.Renderer, data: cf.Data, camera: cf.Camera = CAMERA) -> np.ndarray:
    owners: np.ndarray = renderer.render(data, camera, mode="segmentation")
    return (owners == (0, ObjType.FLEX)).all(2)


@pytest.mark.parametrize("kind", MADE)
def test_deformables_are_drawn_where_they_are(kind: str) -> None:
    """In their colour; a world that has moved on shows them elsewhere; groups hide them."""
    model = cf.Model.from_mjcf(SHEET_SCENE).with_deformables([MADE[kind]()])
    data = model.make_data()
    renderer = cf.Renderer(model, width=120, height=90)
    first = owned(renderer, data)
    pixels = renderer.render(data, CAMERA)[first].astype(int)
    assert first.sum() > 100 and pixels[:, 0].mean() > 2 * pixels[:, 1].mean()
    data.softvert_pos[:, 2] -= 0.2
    second = owned(renderer, data)
    rows = [np.argwhere(seen)[:, 0].mean() for seen in (first, second)]
    assert rows[1] > rows[0] + 5
    renderer.options = cf.RenderOptions(softgroup=(False,) * 6)
    assert not owned(renderer, data).any()


def test_names_of_deformables_are_written() -> None:
    cloth = cf.Cloth.grid(5, 5, size=(0.8, 0.8), pos=(0, 0, 0.6), name="sheet")
    data = cf.Model.from_mjcf(SHEET_SCENE).with_deformables([cloth]).make_data()
    plain = data.render(CAMERA, width=120, height=90)
    assert (data.render(CAMERA, width=120, height=90, label="flex") != plain).any()


def test_cloth_is_seen_from_below_and_casts_a_shadow() -> None:
    cloth = cf.Cloth.grid(9, 9, size=(0.8, 0.8), pos=(0, 0, 0.6))
    bare = cf.Model.from_mjcf(SHEET_SCENE)
    model = bare.with_deformables([cloth])
    data, renderer = model.make_data(), cf.Renderer(model, width=120, height=90)
    below = cf.Camera(lookat=(0, 0, 0.6), distance=1, azimuth=70, elevation=20)
    assert owned(renderer, data, below).sum() > 1000
    without = bare.make_data().render(CAMERA, width=120, height=90).astype(int).sum(2)
    lit = renderer.render(data, CAMERA).astype(int).sum(2)
    assert ((without - lit > 60) & ~owned(renderer, data)).sum() > 100


#: what lies on a floor, translucent, in a scene whose arrows are of a size to be seen
LYING = {
    "cloth": lambda: cf.Cloth.grid(5, 5, size=(0.8, 0.8), pos=(0, 0, 0.001)),
    "box": lambda: cf.SoftBody.box(
        2, (0.4, 0.4, 0.2), pos=(0, 0, 0.105), material="foam", rgba=(0.5, 0.5, 0.5, 0.2)
    ),
}
FLOOR = """
<mujoco>
  <statistic meansize="0.1" meanmass="1" extent="1"/>
  <visual><map force="0.1"/><rgba contactpoint="0 1 0 1" contactforce="1 0 1 1"/></visual>
  <worldbody>
    <light type="directional" pos="0 0 3" dir="0.2 0.3 -1"/>
    <geom name="floor" type="plane" size="3 3 0.1" rgba="0.2 0.2 0.2 1"/>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("kind", LYING)
def test_contacts_of_deformables_are_drawn(kind: str) -> None:
    """Discs where vertices touch geoms, arrows of what pushes them, and words."""
    model = cf.Model.from_mjcf(FLOOR).with_deformables([LYING[kind]()])
    data = model.make_data()
    data.step(5)
    count = int(data.nsoftcon)
    assert count >= 9 and np.asarray(data.softcon_force)[:count, 2].sum() > 0
    plain = data.render(CAMERA, width=240, height=180).astype(int)
    points = data.render(CAMERA, width=240, height=180, contactpoint=True).astype(int)
    forces = data.render(CAMERA, width=240, height=180, contactforce=True).astype(int)
    assert (points[..., 1] - plain[..., 1] > 60).sum() > 40
    purple = (forces[..., 0] > 1.5 * forces[..., 1]) & (forces[..., 2] > 1.5 * forces[..., 1])
    assert purple.sum() > 40
    words = data.render(
        CAMERA, width=240, height=180, contactpoint=True, label="contactpoint"
    ).astype(int)
    assert (words != points).any()


def test_forces_on_vertices_are_split() -> None:
    """Parts along the normal and across it: the latter in the colour of friction."""
    text = FLOOR.replace("<worldbody>", '<option gravity="3 0 -9.81"/><worldbody>')
    text = text.replace("contactforce=", 'contactfriction="1 1 0 1" contactforce=')
    model = cf.Model.from_mjcf(text).with_deformables([LYING["box"]()])
    data = model.make_data()
    data.step(20)
    whole, split = (
        data.render(CAMERA, width=240, height=180, contactforce=True, contactsplit=split).astype(
            int
        )
        for split in (False, True)
    )
    yellow = [
        ((p[..., 0] > 1.5 * p[..., 2]) & (p[..., 1] > 1.5 * p[..., 2])).sum()
        for p in (whole, split)
    ]
    assert yellow[0] == 0 and yellow[1] > 20


def test_worlds_of_a_batch_show_their_own_vertices() -> None:
    model = cf.Model.from_mjcf(SHEET_SCENE).with_deformables([MADE["ball"]()])
    batch = cf.BatchSim(model, 3, threads=1)
    for i, data in enumerate(alone := [model.make_data() for _ in range(3)]):
        data.softvert_pos[:, 2] -= 0.15 * i
        batch.softvert_pos[i] = data.softvert_pos
    pictures = batch.render(CAMERA, width=120, height=90)
    for picture, data in zip(pictures, alone, strict=True):
        assert (picture == data.render(CAMERA, width=120, height=90)).all()
    assert (pictures[0] != pictures[1]).any() and (pictures[1] != pictures[2]).any()


SCENE = """<mujoco><statistic center="0 0 0" extent="2"/><worldbody>
  <camera name="above" pos="0 0 3"/><camera name="below" pos="0 0 -3" euler="180 0 0"/></worldbody>
  <deformable><cloth name="sheet" count="5 5" rgba="1 0 0 1"/>
    <softbody name="ball" type="ball" size="0.6 0.6 0.6" pos="1.5 0 0" rgba="0 1 0 1" group="3"/>
    <chain name="rope" fromto="-1.5 -0.5 0 -1.5 0.5 0" segments="4" radius="0.1" rgba="0 0 1 1"/>
  </deformable></mujoco>"""


@pytest.fixture(scope="module")
def data() -> cf.Data:
    return cf.Model.from_mjcf(SCENE).make_data()


def pixels_of(data: cf.Data, camera: str, **options: Any) -> dict[int, int]:
    """How many pixels each deformable has."""
    pixels = data.render(camera, width=120, height=90, mode="segmentation", **options).reshape(
        -1, 2
    )
    soft = pixels[pixels[:, 1] == ObjType.FLEX, 0]
    return {int(k): int(n) for k, n in zip(*np.unique(soft, return_counts=True), strict=True)}


@pytest.mark.parametrize("camera", ["above", "below"])
def test_deformables_are_seen_from_both_sides(data, camera):
    everything = (True,) * 6
    found = pixels_of(data, camera, softgroup=everything)
    assert set(found) == {0, 1, 2}
    # a square metre, a circle of 0.3 m, a capsule of 0.1 m
    assert found[1] / found[0] == pytest.approx(np.pi * 0.305**2, rel=0.25)
    assert found[2] / found[0] == pytest.approx(0.2 + np.pi * 0.01, rel=0.25)
    picture = data.render(camera, width=120, height=90)
    assert picture[45, 60].argmax() == 0
    assert picture[45, 60, 0] > 60


def test_switches(data):
    assert set(pixels_of(data, "above")) == {0, 2}
    assert pixels_of(data, "above", soft=False) == {}


def test_pictures_follow_vertices(data):
    moved = data.copy()
    moved.deformable("sheet").positions[:] += (100, 0, 0)
    assert 0 not in pixels_of(moved, "above")
    assert 0 in pixels_of(data, "above")
