"""Deformables in pictures: cloth, soft bodies and chains, where their vertices are."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType

from .scenes import SHEET_SCENE

CAMERA = cf.Camera(lookat=(0, 0, 0.5), distance=2.5, azimuth=70, elevation=-20)
MADE = {
    "cloth": lambda: cf.Cloth.grid(9, 9, size=(0.8, 0.8), pos=(0, 0, 0.6), rgba=(1, 0, 0, 1)),
    "ball": lambda: cf.SoftBody.ball(0.2, cell=0.1, pos=(0, 0, 0.6), rgba=(1, 0, 0, 1)),
    "rope": lambda: cf.CapsuleChain.line(
        (-0.5, 0, 0.6), (0.5, 0, 0.6), 10, radius=0.03, rgba=(1, 0, 0, 1)
    ),
}


def owned(renderer: cf.Renderer, data: cf.Data) -> np.ndarray:
    owners: np.ndarray = renderer.render(data, CAMERA, "segmentation")
    return (owners == (0, ObjType.FLEX)).all(2)


@pytest.mark.parametrize("kind", MADE)
def test_deformables_are_drawn_where_they_are(kind: str) -> None:
    """In their colour; a world that has moved on shows them elsewhere; groups hide them."""
    model = cf.Model.from_mjcf(SHEET_SCENE).with_deformables([MADE[kind]()])
    data = model.make_data()
    renderer = cf.Renderer(model, 120, 90)
    first = owned(renderer, data)
    pixels = renderer.render(data, CAMERA)[first].astype(int)
    assert first.sum() > 100 and pixels[:, 0].mean() > 2 * pixels[:, 1].mean()
    data.softvert_pos[:, 2] -= 0.2
    second = owned(renderer, data)
    rows = [np.argwhere(seen)[:, 0].mean() for seen in (first, second)]
    assert rows[1] > rows[0] + 5
    renderer.options = cf.RenderOptions(flexgroup=(False,) * 6)
    assert not owned(renderer, data).any()


def test_names_of_deformables_are_written() -> None:
    cloth = cf.Cloth.grid(5, 5, size=(0.8, 0.8), pos=(0, 0, 0.6), name="sheet")
    data = cf.Model.from_mjcf(SHEET_SCENE).with_deformables([cloth]).make_data()
    plain = data.render(120, 90, CAMERA)
    assert (data.render(120, 90, CAMERA, label="flex") != plain).any()
