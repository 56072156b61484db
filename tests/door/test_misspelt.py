"""Misspelt attributes are refused wherever programs assign to attributes."""

from __future__ import annotations

import pytest

import cortenforge as cf
from cortenforge.errors import ShapeError, UnknownAttribute
from cortenforge.suggest import Declared, did_you_mean

MODEL = """
<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 0.05"><freejoint/><geom size="0.1"/></body>
</worldbody></mujoco>
"""


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


def refuses(owner: object, name: str, meant: str) -> None:
    with pytest.raises(UnknownAttribute, match=f"'{name}'; did you mean '{meant}'"):
        setattr(owner, name, 1)
    assert not hasattr(owner, name)


def test_models_and_worlds(model: cf.Model) -> None:
    refuses(model, "body_mas", "body_mass")
    refuses(model.opt, "timestp", "timestep")
    refuses(model.stat, "extend", "extent")
    refuses(model.callbacks, "controll", "control")
    data = model.make_data()
    refuses(data, "qposs", "qpos")
    data.collide()
    refuses(data.contact[0], "dists", "dist")
    refuses(data.contact, "dists", "dist")
    with pytest.raises(UnknownAttribute, match=r"Data\.step cannot be assigned to"):
        data.step = 1
    with pytest.raises(UnknownAttribute, match=r"Model\.nq cannot be assigned to"):
        model.nq = 3


def test_columns_of_contacts_are_assigned_to(model: cf.Model) -> None:
    """`data.contact` is made anew each time: what was assigned to it was lost."""
    data = model.make_data()
    data.collide()
    data.contact.dist = -0.25
    assert data.contact.dist.tolist() == [-0.25] * data.ncon and data.ncon


def test_batches(model: cf.Model) -> None:
    batch = cf.BatchSim(model, 3, threads=1)
    refuses(batch, "qposs", "qpos")
    refuses(batch, "thread", "threads")
    with pytest.raises(UnknownAttribute, match=r"xpos is not bound: call batch\.bind"):
        batch.xpos = 1
    batch.bind("qacc")
    batch.qacc = 2.0
    assert (batch.qacc == 2.0).all()
    assert "qacc" not in vars(batch)
    with pytest.raises(ShapeError, match="qacc"):
        batch.qacc = [1, 2]


def test_visual_settings(model: cf.Model) -> None:
    refuses(model.vis, "mapp", "map")
    refuses(model.vis.map, "znaer", "znear")
    with pytest.raises(UnknownAttribute, match="is a group"):
        model.vis.map = 1
    model.vis.map.znear = 0.5
    model.vis.rgba.haze = [0, 0, 1, 1]
    model.vis.global_.offwidth = 320
    assert model.vis.map.znear == 0.5 and model.vis.rgba.haze.tolist() == [0, 0, 1, 1]
    for group, name, value in (
        ("map", "znear", "near"),
        ("map", "znear", [1, 2]),
        ("rgba", "haze", [1, 2]),
        ("rgba", "haze", [[1], [2, 3]]),
        ("quality", "shadowsize", 1.5),
    ):
        with pytest.raises(ShapeError, match=rf"vis\.{group}\.{name}: expected"):
            setattr(getattr(model.vis, group), name, value)
    assert "global_" in dir(model.vis) and "znear" in dir(model.vis.map)


def test_pictures(model: cf.Model) -> None:
    refuses(cf.RenderOptions(), "shadw", "shadow")
    refuses(cf.Camera(), "azimut", "azimuth")
    refuses(cf.Perturb(), "selct", "select")
    renderer = cf.Renderer(model)
    refuses(renderer, "optons", "options")
    renderer.options = cf.RenderOptions(shadow=False)


def test_deformables() -> None:
    cloth = cf.Cloth.grid(3, 3)
    refuses(cloth, "thicknes", "thickness")
    refuses(cf.SoftBody.box(1), "atachments", "attachments")
    with pytest.raises(UnknownAttribute):
        cloth.young = 1e5
    cloth.thickness = 0.002


def test_modules() -> None:
    refuses(cf.contact, "share_", "share")


def test_what_a_class_declares_is_known() -> None:
    class Base(Declared):
        width: int

        def __init__(self) -> None:
            self.width, self._own = 1, 2

    class Other(Base):
        height: int = 3

    other = Other()
    other.width = other.height = 4
    refuses(other, "heigth", "height")
    assert did_you_mean("HEIGTH", ["height"]) == "did you mean 'height'?"
