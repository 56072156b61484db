"""Every rule of the grammar broken once: small documents, each with one fault on line 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from cortenforge.grammar.rule import NUMBERS, Attribute, Kind, Rule
from cortenforge.grammar.rules import DEFAULT_RULES, RULES
from cortenforge.grammar.tables.equality import INSIDE
from cortenforge.grammar.tables.sensor import SENSORS
from cortenforge.grammar.tables.tendon import PATH

NONSENSE = "nonsense"
OF_BODIES = ("joint", "freejoint", "inertial")


@dataclass(frozen=True)
class Fault:
    """A document, and what must be blamed for what is wrong in it."""

    kind: str
    path: tuple[str, ...]
    element: str
    attribute: str | None
    xml: str

    def __str__(self) -> str:
        return f"{'/'.join(self.path)} {self.attribute or ''}: {self.kind}"


def faults() -> Iterator[Fault]:
    """One document for each way to break each rule."""
    for path, rule in places():
        yield from _broken_element(path, rule)
        for attribute in rule.attributes.values():
            yield from _broken_attribute(path, rule, attribute)


def places() -> Iterator[tuple[tuple[str, ...], Rule]]:
    """Every element with its rule, each at one place where it may stand."""
    waiting: list[tuple[tuple[str, ...], Rule]] = [(("mujoco",), RULES["mujoco"])]
    seen: set[int] = set()
    while waiting:
        path, rule = waiting.pop(0)
        if id(rule) in seen:
            continue
        seen.add(id(rule))
        yield path, rule
        # the world's rule has them, the world does not
        here = [
            tag
            for tag in rule.children
            if tag not in OF_BODIES or "worldbody" not in path or "body" in path
        ]
        waiting += [((*path, tag), _rule_inside(path, tag)) for tag in here]


def _rule_inside(path: tuple[str, ...], tag: str) -> Rule:
    """The rule of an element, which depends on where it stands."""
    around = path[-1]
    if around == "default":
        return RULES["default"] if tag == "default" else DEFAULT_RULES[tag]
    sections: dict[str, Mapping[str, Rule]] = {"equality": INSIDE, "sensor": SENSORS, **PATH}
    return sections.get(around, RULES).get(tag) or RULES[tag]


def _broken_element(path: tuple[str, ...], rule: Rule) -> Iterator[Fault]:
    good = _required(rule)
    yield Fault(
        "unknown attribute", path, path[-1], NONSENSE, _document(path, {**good, NONSENSE: "1"})
    )
    child = f"\n<{NONSENSE}/>"
    # the child is on line 3, its parent on line 2
    text = _document(path, good, child).replace("\n", "", 1)
    yield Fault("unknown child", path, NONSENSE, None, text)
    if "class" in rule.attributes and rule.tag != "default":
        yield Fault(
            "unknown class", path, path[-1], "class", _document(path, {**good, "class": NONSENSE})
        )
    for group in rule.exclusive:
        names = [name for name in group if name in rule.attributes][:2]
        both = {name: _good(rule.attributes[name]) for name in names}
        if len(names) == 2:
            yield Fault("exclusive", path, path[-1], names[1], _document(path, {**good, **both}))


def _broken_attribute(path: tuple[str, ...], rule: Rule, attribute: Attribute) -> Iterator[Fault]:
    good = _required(rule)
    for kind, value in _bad_values(attribute):
        document = _document(path, {**good, attribute.name: value})
        yield Fault(kind, path, path[-1], attribute.name, document)
    if attribute.required:
        rest = {name: value for name, value in good.items() if name != attribute.name}
        yield Fault("missing", path, path[-1], attribute.name, _document(path, rest))


def _bad_values(attribute: Attribute) -> Iterator[tuple[str, str]]:
    """Values that an attribute refuses, one for each reason."""
    if attribute.kind in (Kind.KEYWORD, Kind.KEYWORDS, Kind.BOOLEAN, Kind.BYTES):
        yield "keyword" if attribute.kind is not Kind.BYTES else "type", NONSENSE
    if attribute.kind not in NUMBERS:
        return
    count = max(1, attribute.least)
    yield "type", " ".join(["x"] * count)
    yield "not finite", " ".join(["nan"] * count)
    if attribute.kind is Kind.INTEGER:
        yield "type", " ".join(["1.5"] * count)
    if attribute.most is not None:
        yield "count", " ".join(["1"] * (attribute.most + 1))
    if attribute.least > 1:
        yield "count", " ".join(["1"] * (attribute.least - 1))
    if attribute.positive:
        yield "range", " ".join(["0"] * count)
    if attribute.minimum is not None:
        yield "range", " ".join([f"{attribute.minimum - 1:.0f}"] * count)
    if attribute.maximum is not None:
        yield "range", " ".join([f"{attribute.maximum + 1:.0f}"] * count)


def _good(attribute: Attribute) -> str:
    """A value that an attribute takes."""
    if attribute.kind in NUMBERS:
        low = 1 if attribute.minimum is None else max(1, int(attribute.minimum))
        return " ".join([str(low)] * max(1, attribute.least))
    if attribute.kind is Kind.BOOLEAN:
        return "true"
    if attribute.kind is Kind.BYTES:
        return "1K"
    return attribute.keywords[0] if attribute.keywords else "some"


def _required(rule: Rule) -> dict[str, str]:
    return {one.name: _good(one) for one in rule.attributes.values() if one.required}


def _document(path: tuple[str, ...], attributes: Mapping[str, str], inside: str = "") -> str:
    """A document with an element on its third line."""
    opened, closed = "\n", ""
    for depth, tag in enumerate(path[:-1]):
        around = _required(_rule_at(path[: depth + 1]))
        if tag == "default" and depth > 1:
            around = {"class": f"c{depth}"}
        opened += _tag(tag, around)
        closed = f"</{tag}>{closed}"
    own = dict(attributes)
    if path[-1] == "default" and len(path) > 2:
        own.setdefault("class", "own")
    return f"{opened}\n{_tag(path[-1], own)}{inside}</{path[-1]}>{closed}"


def _rule_at(path: tuple[str, ...]) -> Rule:
    return RULES["mujoco"] if len(path) == 1 else _rule_inside(path[:-1], path[-1])


def _tag(tag: str, attributes: Mapping[str, str]) -> str:
    return f"<{tag}{''.join(f' {key}={quoteattr(value)}' for key, value in attributes.items())}>"
