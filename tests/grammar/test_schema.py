"""The grammar against MuJoCo's own: every element, attribute and keyword is read or refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cortenforge.errors import MjcfError
from cortenforge.grammar.rule import Kind, Rule
from cortenforge.grammar.rules import DEFAULT_RULES, LATER_SECTIONS, RULES
from cortenforge.grammar.tables import equality as grammar_equality
from cortenforge.grammar.tables import tendon as grammar_tendon
from cortenforge.grammar.tables.asset import RULES as ASSET_RULES
from cortenforge.grammar.tables.sensor import SENSORS
from cortenforge.read import read_mjcf

mujoco = pytest.importorskip("mujoco")

Place = tuple[str, ...]
ELEMENT = re.compile(r"( *)(\S+) \(.\)")
# where the names of attributes begin in a printed schema, and how far elements are indented
COLUMN, INDENT = 30, 3
#: elements of ours that MuJoCo's schema does not have, or prints elsewhere
OWN = {"distance", "frame", "hillmuscle", "pidplugin", "replicate", "touchgrid"}
OWN |= {"cloth", "softbody", "chain", "tie"}
#: words that only we have
OWN_WORDS = {("option", "integrator"): {"implicitspringdamper"}}


def schema() -> dict[Place, set[str]]:
    """Attributes of every element of MuJoCo, by its path from the root."""
    found: dict[Place, set[str]] = {}
    path: Place = ()
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = ELEMENT.match(line[:COLUMN])
        if head:
            tag = "body" if head[2] == "(world)body" else head[2]
            path = (*path[: len(head[1]) // INDENT], tag)
            found[path] = set()
        found[path] |= set(line[COLUMN:].split())
    return found


def rule_at(place: Place) -> Rule | None:
    """Our rule for an element at a place of the schema."""
    section, tag = (place[1] if len(place) > 2 else ""), place[-1]
    if section == "default":
        return DEFAULT_RULES.get(tag) if len(place) == 3 else ASSET_RULES.get(tag)
    if section == "equality":
        return grammar_equality.INSIDE.get(tag)
    if section == "sensor":
        return SENSORS.get(tag)
    if section == "tendon" and len(place) > 3:
        return grammar_tendon.PATH[place[2]].get(tag)
    return RULES.get(tag)


def refused_at(place: Place) -> Place | None:
    """The outermost element of a path that the grammar knows and refuses."""
    for depth in range(1, len(place)):
        parent = rule_at(place[:depth])
        if parent is not None and place[depth] in parent.later_children:
            return place[: depth + 1]
    return None


PLACES = schema()


def test_schema_was_understood() -> None:
    assert len(PLACES) > 150
    assert {"kp", "kv", "dampratio"} <= PLACES["mujoco", "actuator", "position"]
    assert len([place for place in PLACES if place[:2] == ("mujoco", "sensor")]) > 50


@pytest.mark.parametrize("place", PLACES, ids="/".join)
def test_every_element_and_attribute_is_read_or_refused(place: Place) -> None:
    """Attributes are equal to MuJoCo's, except those that the grammar lists for later."""
    if refused_at(place):
        return
    rule = rule_at(place)
    assert rule is not None, "neither read nor refused"
    # in default classes, layers of a material can be written as anywhere
    ours = set(rule.attributes) | rule.later_attributes
    if place[-1] == "layer":
        ours &= {"role", "texture"}
    own = {name for name in ours - PLACES[place] if name.startswith(("sdf", "soft", "strict"))}
    assert not own or place[-1] in ("mesh", "geom", "option", "flag")
    assert ours - own == PLACES[place]


@pytest.mark.parametrize(
    "place", sorted({found for found in map(refused_at, PLACES) if found}), ids="/".join
)
def test_refusal_names_the_element(place: Place) -> None:
    tags = ["worldbody" if tag == "body" and n == 1 else tag for n, tag in enumerate(place)]
    tags += sorted(LATER_SECTIONS.get(place[-1], ()))[:1]
    text = "".join(f"<{tag}>\n" for tag in tags[:-1]) + f"<{tags[-1]}/>"
    text += "".join(f"</{tag}>" for tag in reversed(tags[:-1]))
    with pytest.raises(MjcfError, match="not supported yet") as refused:
        read_mjcf(text)
    error = refused.value
    assert (error.element, error.line) == (tags[-1], len(tags))


@pytest.mark.parametrize("section", LATER_SECTIONS)
def test_refused_sections_have_the_elements_of_mujoco(section: str) -> None:
    inside = {place[2] for place in PLACES if place[1:2] == (section,) and len(place) > 2}
    assert inside == LATER_SECTIONS[section]


def test_elements_of_ours_are_known() -> None:
    """What we read beyond the schema is on a short list."""
    tags = {tag for place in PLACES for tag in place} | {"worldbody"}
    ours = set(RULES) | set(SENSORS) | set(grammar_equality.INSIDE)
    assert ours - tags <= OWN | {"element", "numeric", "text", "tuple", "key", "keyframe", "custom"}


# ---------------------------------------------------------------------- keywords

#: words that MuJoCo takes and does not document
UNDOCUMENTED = {
    ("body", "site", "type"): {"sdf"},
    ("sensor", "user", "needstage"): {"none"},
    ("visual", "headlight", "active"): {"0", "1", "2"},
}
LABEL = re.compile(r"^\.\. _([\w-]+):$")
VALUES = re.compile(r"^:at:`(\w+)`: :at-val:`\[([^\]]+)\]")


def documented() -> dict[Place, set[str]]:
    """Keywords of attributes, by section, element and attribute, from MuJoCo's reference."""
    page = Path(mujoco.__file__).parent / "doc" / "XMLreference.rst"
    if not page.exists():
        pytest.skip("this build of MuJoCo comes without its documentation")
    found: dict[Place, set[str]] = {}
    label: Place = ()
    for line in page.read_text(encoding="utf-8").splitlines():
        mark, values = LABEL.match(line), VALUES.match(line)
        if mark:
            label = tuple(mark[1].split("-"))
        elif values and label and label[-1] == values[1]:
            found[label] = {word.strip().strip('"') for word in values[2].split(",")}
    return found


def test_every_keyword_is_read_or_refused() -> None:
    """Words that an attribute can take are MuJoCo's, with those for later."""
    wrong, checked = [], 0
    for label, words in documented().items():
        rule = rule_at(("mujoco", *label[:-1]))
        if rule is None or label[-1] not in rule.attributes:
            continue
        attribute = rule.attributes[label[-1]]
        if attribute.kind is Kind.BOOLEAN:
            ours = {"true", "false"}
        elif attribute.kind in (Kind.KEYWORD, Kind.KEYWORDS):
            ours = set(attribute.keywords) | set(attribute.later)
        else:
            continue
        checked += 1
        if ours - UNDOCUMENTED.get(label, set()) - OWN_WORDS.get(label, set()) != words:
            wrong.append(f"{'-'.join(label)}: ours {sorted(ours)}, MuJoCo's {sorted(words)}")
    assert not wrong
    assert checked > 50
