"""CortenForge's own equality: a distance between centres of geoms, which MuJoCo does not have."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import EqualityType
from cortenforge.errors import MjcfError

from .oracle import compiled, mujoco

BODIES = """<worldbody><geom name="floor" pos="0 0 -2" size=".1"/>
<body name="a" pos="1 0 0"><joint name="j"/><geom name="ga" pos="0 3 0" size=".1"/></body>
<body name="b" pos="1 0 4" euler="0 0 90"><freejoint/><geom name="gb" pos="3 0 0" size=".1"/>
  <geom name="gc" size=".1" contype="0" conaffinity="0"/></body></worldbody>"""


def model(equality: str, more: str = "") -> str:
    return f"<mujoco>{more}{BODIES}\n<equality>\n{equality}</equality></mujoco>"


def test_arrays() -> None:
    """One row of constraint; what MuJoCo has beside it is left as it is."""
    others = '<weld body1="a" body2="b"/><joint joint1="j"/>'
    found = compiled(model(f'{others}<distance name="d" geom1="ga" geom2="gb" distance="2.5"/>'))
    arrays = found.arrays
    assert arrays["eq_type"].tolist() == [1, 2, EqualityType.DISTANCE]
    assert arrays["eq_objtype"][2] == mujoco.mjtObj.mjOBJ_GEOM
    assert arrays["eq_obj1id"][2] == found.names["geom"].index("ga")
    assert arrays["eq_obj2id"][2] == found.names["geom"].index("gb")
    assert arrays["eq_data"][2].tolist() == [2.5, *[0] * 11]
    assert found.names["equality"] == ["", "", "d"]
    reference = mujoco.MjModel.from_xml_string(model(others))
    assert found.sizes["nemax"] == reference.nemax + 1
    for name in ("eq_data", "eq_solref", "eq_solimp", "eq_active0"):
        np.testing.assert_allclose(arrays[name][:2], getattr(reference, name), atol=1e-12)


def test_number_is_the_one_that_mujoco_keeps() -> None:
    assert mujoco.mjtEq.mjEQ_DISTANCE == EqualityType.DISTANCE
    with pytest.raises(ValueError, match="unrecognized element"):
        mujoco.MjModel.from_xml_string(model('<distance geom1="ga"/>'))


@pytest.mark.parametrize(
    ("second", "expected"), [('geom2="gb"', 4.0), ("", 10**0.5), ('geom2="floor"', 14**0.5)]
)
def test_distance_of_the_reference_position(second: str, expected: float) -> None:
    """Between centres where nobody gives it; from the origin without a second geom."""
    found = compiled(model(f'<distance geom1="ga" {second}/>')).arrays
    assert found["eq_data"][0, 0] == pytest.approx(expected, rel=1e-15)
    assert (found["eq_obj2id"][0] == -1) == (not second)


def test_zero_is_a_distance() -> None:
    assert compiled(model('<distance geom1="ga" distance="0"/>')).arrays["eq_data"][0, 0] == 0


def test_default_class() -> None:
    more = (
        '<default><equality solref=".1 2"/><default class="c"><equality active="false" '
        'solimp=".5"/></default></default>'
    )
    found = compiled(model('<distance class="c" geom1="ga" distance="1"/>', more)).arrays
    assert found["eq_solref"][0].tolist() == [0.1, 2]
    assert found["eq_solimp"][0].tolist() == [0.5, 0.95, 0.001, 0.5, 2]
    assert found["eq_active0"].tolist() == [0]


def test_replicas() -> None:
    text = (
        '<mujoco><worldbody><replicate count="2" offset="5 0 0"><body><freejoint/><geom name="g" '
        'size=".1"/></body></replicate></worldbody><equality><distance name="d" geom1="g"/>'
        "</equality></mujoco>"
    )
    found = compiled(text)
    assert found.names["equality"] == ["d0", "d1"]
    assert found.arrays["eq_data"][:, 0].tolist() == [0, 5]


def test_held_geoms_are_not_discarded() -> None:
    text = model('<distance geom1="gc" distance="1"/>', '<compiler discardvisual="true"/>')
    assert "gc" in compiled(text).names["geom"]


@pytest.mark.parametrize(
    ("line", "attribute", "words"),
    [
        ("<distance/>", "geom1", "required"),
        ('<distance geom2="ga"/>', "geom1", "required"),
        ('<distance geom1="gx"/>', "geom1", "no geom of this name"),
        ('<distance geom1="ga" geom2="gx"/>', "geom2", "no geom of this name"),
        ('<distance geom1="ga" geom2="ga"/>', "geom2", "the same geom"),
        ('<distance geom1="ga" distance="-1"/>', "distance", "at least 0"),
        ('<distance geom1="ga" distance="near"/>', "distance", "not a number"),
        ('<distance geom1="ga" body1="a"/>', "body1", "no attribute"),
        ('<distance geom1="ga" class="none"/>', "class", "no default class"),
    ],
)
def test_refused_at_its_place(line: str, attribute: str, words: str) -> None:
    with pytest.raises(MjcfError, match=words) as refused:
        compiled(model(line))
    error = refused.value
    assert (error.line, error.element, error.attribute) == (6, "distance", attribute)


def test_distances_hold() -> None:
    loaded = cf.Model.from_mjcf(model('<distance name="rod" geom1="ga" geom2="gb"/>'))
    assert loaded.supported() == [] and loaded.constraining
    assert loaded.equality("rod").data[0] == pytest.approx(4)
    assert loaded.make_data().eq_active.tolist() == [1]
