"""Attributes of elements are synonyms of their items; what is neither is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ArgumentError, MjcfError, UnknownAttribute
from cortenforge.grammar.rules import RULES
from cortenforge.spec.from_nodes.single import RULES_INSIDE
from cortenforge.spec.stubs import attribute_stub

ROBOT = """
<mujoco>
  <default><default class="wheel"><geom size="0.3"/></default></default>
  <worldbody>
    <frame name="f"><site name="tip"/></frame>
    <body name="arm" pos="0 0 1">
      <joint name="elbow"/><geom name="skin" size="0.1"/><camera name="eye"/><light name="lamp"/>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="elbow" coef="1"/></fixed></tendon>
  <actuator><position name="motor" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
  <keyframe><key name="start" qpos="0.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def spec() -> cf.Spec:
    return cf.Spec.from_mjcf(ROBOT)


def test_edits_by_attribute_reach_the_model(spec: cf.Spec) -> None:
    spec.option.timestep = 0.5
    spec.compiler.angle = "radian"
    spec.flag.energy = "enable"
    spec.statistic.extent = 3
    spec.visual.map.znear = 0.25
    spec.visual.global_.fovy = 30
    spec.size.nuserdata = 4
    spec.body("arm").pos = [1, 2, 3]
    spec.geom("skin").size = 0.2
    spec.joint("elbow").damping = 7
    spec.site("tip").rgba = (1, 0, 0, 1)
    spec.camera("eye").fovy = 20
    spec.light("lamp").castshadow = False
    spec.tendon("cord").stiffness = 4
    spec.tendon("cord").children[0].coef = 2
    spec.actuator("motor").kp = 9
    spec.sensor("angle").noise = 0.1
    spec.key("start").qpos = [0.25]
    model = spec.compile()
    assert model.opt.timestep == 0.5 and model.opt.enableflags and model.stat.extent == 3
    assert model.vis.map.znear == 0.25 and model.vis.global_.fovy == 30 and model.nuserdata == 4
    assert model.body("arm").pos.tolist() == [1, 2, 3] and model.geom("skin").size[0] == 0.2
    assert model.joint("elbow").damping == 7 and model.site("tip").rgba[1] == 0
    assert model.camera("eye").fovy == 20 and model.light("lamp").castshadow == 0
    assert model.tendon("cord").stiffness == 4 and model.wrap_prm.tolist() == [2]
    assert model.actuator("motor").gainprm[0] == 9 and model.sensor("angle").noise == 0.1
    assert model.key("start").qpos == 0.25


def test_attributes_read_as_items(spec: cf.Spec) -> None:
    """Own values, those of the class, and those of MJCF; `class_` has Python's word."""
    skin = spec.geom("skin")
    for name in ("size", "pos", "rgba", "type", "group"):
        assert np.array_equal(getattr(skin, name), skin[name]), name
    assert skin.class_ is None
    skin.class_ = "wheel"
    assert skin["class"] == "wheel" == skin.class_
    del skin.size
    assert skin.size.tolist() == [0.3, 0, 0]
    assert "size" not in skin.own()


def test_a_name_by_attribute_is_followed(spec: cf.Spec) -> None:
    spec.joint("elbow").name = "shoulder"
    assert spec.actuator("motor").joint == "shoulder"
    assert spec.joint("shoulder").name == "shoulder"


def test_arrays_cannot_be_edited_behind_the_description(spec: cf.Spec) -> None:
    with pytest.raises(ValueError, match="read-only"):
        spec.body("arm").pos[2] = 5
    with pytest.raises(ValueError, match="read-only"):
        spec.geom("skin").rgba[0] = 0


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("option.timestp", "timestep"),
        ("compiler.angel", "angle"),
        ("flag.energi", "energy"),
        ("visual.map.znaer", "znear"),
        ("worldbody.poss", "pos"),
    ],
)
def test_misspelt_attributes_are_refused(path: str, meant: str, spec: cf.Spec) -> None:
    owner: object = spec
    *around, name = path.split(".")
    for part in around:
        owner = getattr(owner, part)
    if path == "worldbody.poss":
        owner = spec.body("arm")
    with pytest.raises(MjcfError, match=rf"test_attributes\.py:\d+.*{name}(.|\n)*'{meant}'"):
        setattr(owner, name, 1)
    with pytest.raises(UnknownAttribute, match=f"'{name}'; did you mean '{meant}'"):
        getattr(owner, name)


def test_what_a_description_does_not_have_is_refused(spec: cf.Spec) -> None:
    with pytest.raises(UnknownAttribute, match="no attribute 'optoin'; did you mean 'option'"):
        spec.optoin = 1
    with pytest.raises(ArgumentError, match="option: expected one of type Element"):
        spec.option = {"timestep": 1}
    with pytest.raises(ArgumentError, match="modelname: expected one of type str, got 5"):
        spec.modelname = 5
    with pytest.raises(UnknownAttribute, match="'mapp'; did you mean 'map'"):
        spec.visual.mapp = 1
    with pytest.raises(UnknownAttribute, match="is a group: assign to its attributes"):
        spec.visual.map = 1
    with pytest.raises(AttributeError, match="parent"):
        spec.body("arm").parent = spec.worldbody
    assert not hasattr(spec.body("arm"), "__deepcopy__x")


def test_a_bad_value_changes_nothing(spec: cf.Spec) -> None:
    with pytest.raises(MjcfError, match="expected 3 numbers"):
        spec.body("arm").pos = [1, 2]
    assert spec.body("arm").pos.tolist() == [0, 0, 1]


def test_attributes_are_listed(spec: cf.Spec) -> None:
    listed = dir(spec.geom("skin"))
    assert {"size", "pos", "class_", "children", "name"} <= set(listed)
    assert "damping" not in listed and "class" not in listed
    assert {"map", "global_"} <= set(dir(spec.visual))


def test_no_attribute_of_mjcf_is_hidden_by_an_elements_own() -> None:
    """`element.x` is `element["x"]` for all of them: no method or field has the name of one."""
    own = set(object.__dir__(cf.Spec().worldbody)) - {"name"}
    for rules in (RULES, *RULES_INSIDE.values()):
        for tag, rule in rules.items():
            assert not own & set(rule.attributes), tag


def test_stub_is_up_to_date() -> None:
    """`python -m cortenforge.spec.stubs` was run after the last change of the grammar."""
    import cortenforge.spec

    stub = Path(cortenforge.spec.__file__).with_name("declared.pyi")
    assert stub.read_text() == attribute_stub()
