"""The grammar's tables are consistent in themselves; test_schema holds them against MuJoCo's."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from cortenforge.errors import MjcfError
from cortenforge.grammar.attribute_values import parse_value
from cortenforge.grammar.rule import NUMBERS, Kind
from cortenforge.grammar.rules import RULES, possible_parents
from cortenforge.grammar.tables.option import DISABLE_FLAGS, ENABLE_FLAGS, NOT_OPTIONS
from cortenforge.grammar.tables.sensor import SENSORS
from cortenforge.read import read_mjcf


@pytest.mark.oracle
def test_scaling_of_frames_is_known_and_refused() -> None:
    page = Path(importlib.util.find_spec("mujoco").origin).parent / "doc" / "XMLreference.rst"
    names = set(re.findall(r"^\.\. _frame-(\w+):", page.read_text(encoding="utf-8"), re.M))
    rule = RULES["frame"]
    assert names == {*rule.attributes, *rule.later_attributes}
    names = set(re.findall(r"^\.\. _replicate-(\w+):", page.read_text(encoding="utf-8"), re.M))
    assert names <= set(RULES["replicate"].attributes)


def test_counts_of_options_and_flags() -> None:
    own = [name for name in RULES["option"].attributes if name.startswith("soft")]
    assert len(RULES["option"].attributes) == 27 + len(own) == 31
    assert set(RULES["flag"].attributes) == {*DISABLE_FLAGS, *ENABLE_FLAGS, "strict"}
    assert len(DISABLE_FLAGS) + len(ENABLE_FLAGS) == 28
    assert len(RULES["compiler"].attributes) == 24
    assert len(RULES["size"].attributes) == 14


@pytest.mark.parametrize("name", NOT_OPTIONS)
def test_numbers_for_all_constraints_are_refused_with_a_hint(name) -> None:
    """000-Q7: six names are no options; the error says which of MuJoCo's attributes does it."""
    assert len(NOT_OPTIONS) == 6
    with pytest.raises(MjcfError) as caught:
        read_mjcf(f'<mujoco>\n<option {name}="1"/></mujoco>')
    error = caught.value
    assert (error.line, error.element, error.attribute) == (2, "option", name)
    named = error.hint.partition(" ")[0].removesuffix("'s")
    assert named in RULES["option"].attributes or named in RULES["weld"].attributes


@pytest.mark.parametrize("tag", RULES)
def test_rules_are_consistent(tag) -> None:
    """Defaults satisfy their own row; nothing is both supported and refused."""
    rule = RULES[tag]
    assert rule.tag == tag
    assert not set(rule.attributes) & rule.later_attributes
    assert not set(rule.children) & rule.later_children
    known = SENSORS if tag == "sensor" else RULES
    assert all(child in known for child in rule.children)
    for group in rule.exclusive:
        assert set(group) <= set(rule.attributes)
    for attribute in rule.attributes.values():
        _check_default(attribute)


def _check_default(attribute) -> None:
    default = attribute.default
    assert not (attribute.required and default is not None)
    if attribute.partial:
        assert len(default) == attribute.most
    if attribute.kind in NUMBERS and isinstance(default, np.ndarray) and attribute.most:
        assert attribute.least <= len(default) <= attribute.most
        assert not default.flags.writeable
    if attribute.kind is Kind.KEYWORD and default is not None:
        assert parse_value(attribute, default, None) == default
        assert not set(attribute.keywords) & set(attribute.later)


def test_parents() -> None:
    assert possible_parents("key") == ["keyframe"]
    assert "body" in possible_parents("geom") and "default" in possible_parents("geom")
