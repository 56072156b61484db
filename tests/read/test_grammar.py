"""The grammar's tables: complete against MuJoCo's documentation, and consistent in themselves."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from cortenforge.read.grammar import DEFAULT_RULES, IN_DEFAULTS, LATER_SECTIONS, RULES, parents_of
from cortenforge.read.grammar_option import DISABLE_FLAGS, ENABLE_FLAGS
from cortenforge.read.grammar_sensor import SENSORS
from cortenforge.read.numbers import read_value
from cortenforge.read.rule import NUMBERS, Kind

# how the documentation's paths are called in our tables
SECTIONS = {
    "mujoco": "mujoco",
    "mujoco/compiler": "compiler",
    "mujoco/compiler/lengthrange": "lengthrange",
    "mujoco/option": "option",
    "mujoco/option/flag": "flag",
    "mujoco/size": "size",
    "mujoco/statistic": "statistic",
    "mujoco/visual": "visual",
    "mujoco/custom": "custom",
    "mujoco/custom/numeric": "numeric",
    "mujoco/custom/text": "text",
    "mujoco/custom/tuple": "tuple",
    "mujoco/custom/tuple/element": "element",
    "mujoco/keyframe": "keyframe",
    "mujoco/keyframe/key": "key",
    "mujoco/default": "default",
    "mujoco/asset": "asset",
    "mujoco/asset/mesh": "mesh",
    "mujoco/body": "body",
    **{f"mujoco/asset/{tag}": tag for tag in ("texture", "material", "hfield")},
    "mujoco/asset/material/layer": "layer",
    **{
        f"mujoco/body/{tag}": tag
        for tag in ("inertial", "joint", "freejoint", "geom", "site", "camera", "light")
    },
    **{
        f"mujoco/visual/{tag}": tag
        for tag in ("global", "quality", "headlight", "map", "scale", "rgba")
    },
}
ELEMENT = re.compile(r"dropdown:: :ref:`(?:\(world\))?(\w+)<")
ATTRIBUTE = re.compile(r"^\s*:ref:`(\w+)<")


def documented() -> dict[str, list[str]]:
    """Elements of MuJoCo's own schema page, by path, with their attributes."""
    spec = importlib.util.find_spec("mujoco")
    page = Path(spec.origin).parent / "doc" / "XMLschema.rst" if spec and spec.origin else None
    if page is None or not page.exists():
        pytest.skip("needs the documentation of the mujoco package")
    stack: list[tuple[int, str]] = []
    found: dict[str, list[str]] = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        indent = len(line) - len(line.lstrip())
        if element := ELEMENT.search(line):
            while stack and stack[-1][0] >= indent:
                stack.pop()
            stack.append((indent, element[1]))
            found["/".join(tag for _, tag in stack)] = []
        elif attribute := ATTRIBUTE.match(line):
            found["/".join(tag for _, tag in stack)].append(attribute[1])
    return found


@pytest.mark.oracle
@pytest.mark.parametrize("path", SECTIONS)
def test_attributes_are_those_of_mujoco(path) -> None:
    """Every documented attribute is known, as supported or as refused, and no other is."""
    rule = RULES[SECTIONS[path]]
    # meta-elements' attributes are not on that page; nothing else may be missing or too much
    assert {*rule.attributes, *rule.later_attributes} == set(documented()[path])


@pytest.mark.oracle
@pytest.mark.parametrize("tag", IN_DEFAULTS)
def test_attributes_in_defaults_are_those_of_mujoco(tag) -> None:
    rule = DEFAULT_RULES[tag]
    wanted = set(documented()[f"mujoco/default/{tag}"])
    assert set(rule.attributes) <= wanted
    assert wanted <= {*rule.attributes, *rule.later_attributes}


@pytest.mark.oracle
def test_every_element_of_mujoco_is_known() -> None:
    """Each documented element is supported, refused as later, or inside one that is refused."""
    unknown = []
    for path in documented():
        *parents, tag = path.split("/")
        parent = parents[-1] if parents else ""
        if path in SECTIONS or any(p in LATER_SECTIONS for p in parents[1:2]):
            continue
        rule = RULES.get(parent)
        later = {*RULES["body"].later_children, *RULES["deformable"].later_children, "plugin"}
        inside_later = any(p in later for p in parents)
        in_default = parents[:2] == ["mujoco", "default"]
        if inside_later or (in_default and len(parents) > 2):
            continue
        if rule is None or tag not in {*rule.children, *rule.later_children}:
            unknown.append(path)
    assert unknown == []


@pytest.mark.oracle
@pytest.mark.parametrize("section", LATER_SECTIONS)
def test_later_sections_have_the_elements_of_mujoco(section) -> None:
    direct = {path.split("/")[2] for path in documented() if path.startswith(f"mujoco/{section}/")}
    assert direct == LATER_SECTIONS[section]


@pytest.mark.oracle
def test_scaling_of_frames_is_known_and_refused() -> None:
    page = Path(importlib.util.find_spec("mujoco").origin).parent / "doc" / "XMLreference.rst"
    names = set(re.findall(r"^\.\. _frame-(\w+):", page.read_text(encoding="utf-8"), re.M))
    rule = RULES["frame"]
    assert names == {*rule.attributes, *rule.later_attributes}
    names = set(re.findall(r"^\.\. _replicate-(\w+):", page.read_text(encoding="utf-8"), re.M))
    assert names <= set(RULES["replicate"].attributes)


def test_counts_of_options_and_flags() -> None:
    assert len(RULES["option"].attributes) == 27
    assert len(RULES["flag"].attributes) == len(DISABLE_FLAGS) + len(ENABLE_FLAGS) == 28
    assert len(RULES["compiler"].attributes) == 24
    assert len(RULES["size"].attributes) == 14


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
        assert read_value(attribute, default, None) == default
        assert not set(attribute.keywords) & set(attribute.later)


def test_parents() -> None:
    assert parents_of("key") == ["keyframe"]
    assert "body" in parents_of("geom") and "default" in parents_of("geom")
