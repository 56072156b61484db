"""Default classes: nesting, childclass, and values given in part."""

from __future__ import annotations

import pytest

from cortenforge.read import read_mjcf
from cortenforge.spec import Element

CLASSES = """
<default>
  <geom size="0.1 0.2 0.3" rgba="1 0 0 1" friction="5 6 7"/>
  <joint damping="2"/>
  <default class="a">
    <geom friction="8" group="1"/>
    <default class="b"><geom group="2"/></default>
  </default>
</default>
"""


def tree(body: str, defaults: str = CLASSES) -> dict[str, Element]:
    spec = read_mjcf(f"<mujoco>{defaults}<worldbody>{body}</worldbody></mujoco>")
    return {element.name: element for element in spec.worldbody.walk()}


def test_three_layers() -> None:
    found = tree('<geom name="g" group="7"/>')["g"]
    assert found["group"] == 7 and found.given("group")
    assert found["rgba"].tolist() == [1, 0, 0, 1] and found.given("rgba")
    assert found["condim"] == 3 and not found.given("condim")
    assert found["mass"] is None and not found.given("mass")


def test_nested_classes_inherit() -> None:
    found = tree('<geom name="g" class="b"/>')["g"]
    assert found["group"] == 2
    assert found["friction"].tolist() == [8, 6, 7]
    assert found["rgba"].tolist() == [1, 0, 0, 1]


def test_partial_values_keep_the_inherited_tail() -> None:
    found = tree('<geom name="g" class="a" size="9" friction="1 2" solref="0.1"/>')["g"]
    assert found["size"].tolist() == [9, 0.2, 0.3]
    assert found["friction"].tolist() == [1, 2, 7]
    assert found["solref"].tolist() == [0.1, 1]


def test_childclass_of_bodies_and_frames() -> None:
    found = tree("""
      <geom name="main"/>
      <body childclass="a">
        <geom name="in_a"/>
        <frame><geom name="in_frame"/></frame>
        <frame childclass="b"><geom name="in_b"/><body><geom name="below_b"/></body></frame>
        <body><geom name="below_a"/><geom name="own" class="main"/></body>
        <replicate count="1" childclass="b"><geom name="replica"/></replicate>
      </body>""")
    groups = {name: element["group"] for name, element in found.items() if element.tag == "geom"}
    assert groups == {
        "main": 0,
        "in_a": 1,
        "in_frame": 1,
        "in_b": 2,
        "below_b": 2,
        "below_a": 1,
        "own": 0,
        "replica0": 2,
    }


def test_free_joints_have_no_defaults() -> None:
    found = tree(
        '<body><freejoint name="f"/><geom name="g"/></body>',
        '<default><joint group="3"/></default>',
    )["f"]
    assert found["group"] == 0


@pytest.mark.parametrize("of_class", ['quat="0 1 0 0"', 'euler="1 2 3"', 'zaxis="1 0 0"'])
@pytest.mark.parametrize("own", ['quat="0 0 1 0"', 'axisangle="0 0 1 5"'])
def test_an_orientation_replaces_the_inherited_one(of_class, own) -> None:
    found = tree(f'<geom name="g" size="1" {own}/>', f"<default><geom {of_class}/></default>")["g"]
    given = [
        name for name in ("quat", "axisangle", "xyaxes", "zaxis", "euler") if found.given(name)
    ]
    assert given == [own.split("=")[0]]


def test_a_later_section_changes_main_but_not_the_classes_before() -> None:
    found = tree(
        '<geom name="m" size="1"/><geom name="a" size="1" class="a"/>',
        '<default><default class="a"/></default><default><geom group="4"/></default>',
    )
    assert found["m"]["group"] == 4
    assert found["a"]["group"] == 0


def test_nested_classes_see_all_of_their_parent() -> None:
    """The order inside a default element does not matter."""
    found = tree(
        '<geom name="a" size="1" class="a"/>',
        '<default><default class="a"/><geom group="4"/></default>',
    )
    assert found["a"]["group"] == 4


def test_directional_lights() -> None:
    found = tree(
        '<light name="old" directional="true"/><light name="off" class="d" '
        'directional="false"/><light name="d" class="d"/><light name="plain"/>',
        '<default><default class="d"><light type="directional"/></default></default>',
    )
    types = {name: element["type"] for name, element in found.items() if element.tag == "light"}
    assert types == {"old": "directional", "off": "spot", "d": "directional", "plain": "spot"}
