"""What sensors feel: arrows of forces and torques, and axes of IMUs, against statics."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType
from cortenforge.errors import ArgumentError
from cortenforge.scene.decorations import decorations_of
from cortenforge.scene.shapes import CONE, CYLINDER

from ..render.scenes import BEAM, world_of

ROOT = np.array([0.0, 0.0, 1.0])
#: what carries 3 kg: up; and what keeps the bar from turning about its end, half a metre away
FORCE, TORQUE = np.array([0.0, 0.0, 30.0]), np.array([0.0, -15.0, 0.0])


def cones(data: cf.Data, **shown: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where arrows' heads are, where they point to, and how long the arrows are: six heads."""
    things = decorations_of(data.model, data, cf.RenderOptions(sensor=True, **shown)).instances()
    heads = things["shape"] == CONE
    return things["pos"][heads], things["mat"][heads][:, :, 2], 6.0 * things["scale"][heads, 2]


@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_forces_and_torques_are_arrows_from_their_sites(scale: float) -> None:
    """002-V1: place, direction and length of both, of a bar whose statics are known.

    Lengths are MuJoCo's: a shaft is a third of what a force is worth, and a head half as long.
    """
    _, data = world_of(BEAM)
    pos, axis, length = cones(data, forcescale=scale)
    ways = [scale * FORCE * 0.02 / 2.0, TORQUE * 0.05 / 2.0]
    assert len(pos) == 2
    for k, way in enumerate(ways):
        # what maps forces to metres is kept in single precision
        np.testing.assert_allclose(pos[k], ROOT + way / 3.0, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(axis[k], way / np.linalg.norm(way), atol=1e-9)
        assert length[k] == pytest.approx(np.linalg.norm(way), rel=1e-6)


def test_imus_have_axes() -> None:
    """002-V1: three sticks at the site, once for all sensors of it."""
    model, data = world_of(BEAM)
    data.model.vis.scale.framelength = 2.0
    things = decorations_of(model, data, cf.RenderOptions(sensor=True)).instances()
    sticks = (things["shape"] == CYLINDER) & (things["objid"] < 0)
    turned, tip = np.radians(30.0), np.array([1.0, 0.0, 1.0])
    axes = np.array(
        [[np.cos(turned), np.sin(turned), 0], [-np.sin(turned), np.cos(turned), 0], [0, 0, 1]]
    )
    np.testing.assert_allclose(things["pos"][sticks], tip + 0.5 * 2.0 * 0.1 * axes, rtol=1e-6)
    np.testing.assert_allclose(things["rgba"][sticks, :3], 0.9 * np.eye(3), atol=1e-12)


def test_arrows_are_in_the_picture() -> None:
    """002-V1: pixels of a sensor are above its site, as far as its arrow is long."""
    model, data = world_of(BEAM)
    options = cf.RenderOptions(sensor=True)
    renderer = cf.Renderer(model, width=200, height=200, options=options)
    owners = renderer.render(data, "front", mode="segmentation")
    rows, columns = np.nonzero((owners == (0, ObjType.SENSOR)).all(2))
    # the camera is as high as the site, 4 m away and half a metre beside it
    focal = 100.0 / np.tan(np.radians(22.5))
    assert columns.mean() == pytest.approx(100.0 - focal * 0.5 / 4.0, abs=1.0)
    # shaft and head together are half of what the force is worth, as in MuJoCo
    assert rows.min() == pytest.approx(100.0 - focal * 0.5 * 0.3 / 4.0, abs=1.5)
    renderer.options = cf.RenderOptions()
    owners = renderer.render(data, "front", mode="segmentation")
    assert not (owners[..., 1] == ObjType.SENSOR).any()


@pytest.mark.parametrize("value", [-1.0, float("nan"), "long", None])
def test_lengths_that_cannot_be(value: object) -> None:
    with pytest.raises(ArgumentError, match=r"options\.forcescale"):
        cf.RenderOptions(forcescale=value).check()
