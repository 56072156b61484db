"""The sensor section: consistent rules, sensors in document order."""

from __future__ import annotations

import pytest

from cortenforge.grammar.tables.sensor import NEEDED, RULES, SENSORS, TOGETHER
from cortenforge.read import read_mjcf
from tests.grammar.test_grammar import _check_default

SITES = '<worldbody><site name="s"/><site name="t"/></worldbody>'


def test_there_are_49_elements() -> None:
    assert len(SENSORS) == 49
    assert RULES["sensor"].later_children == {"plugin"}


@pytest.mark.parametrize("tag", SENSORS)
def test_rules_are_consistent(tag) -> None:
    """Defaults satisfy their own row; groups are made of attributes."""
    rule = SENSORS[tag]
    assert rule.tag == tag
    for group in (*rule.exclusive, *NEEDED.get(tag, ()), TOGETHER.get(tag, ())):
        assert set(group) <= set(rule.attributes)
    for attribute in rule.attributes.values():
        _check_default(attribute)


def test_sections_are_joined_in_document_order() -> None:
    spec = read_mjcf(
        '<mujoco><sensor><clock name="a"/><gyro site="s"/></sensor>'
        f'{SITES}<sensor><touch name="b" site="t"/></sensor></mujoco>'
    )
    assert [sensor.tag for sensor in spec.sensors] == ["clock", "gyro", "touch"]
    assert [sensor.name for sensor in spec.sensors] == ["a", "", "b"]


def test_a_period_alone_keeps_the_phase() -> None:
    spec = read_mjcf('<mujoco><sensor><clock nsample="1" interval="0.1"/></sensor></mujoco>')
    assert spec.sensors[0]["interval"].tolist() == [0.1, 0.0]


def test_unsaid_attributes_have_mujocos_defaults() -> None:
    spec = read_mjcf('<mujoco><sensor><contact/><user dim="2"/></sensor></mujoco>')
    contact, user = spec.sensors
    assert (contact["num"], contact["data"], contact["reduce"]) == (1, "found", "none")
    assert (user["datatype"], user["needstage"], user["objtype"]) == ("real", "acc", None)
