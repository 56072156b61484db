"""Contact pairs, equalities and tendons that refer to replicated objects.

What refers to something inside a replicate is copied once a replica, behind what does not.  Pairs,
excludes and tendons may join replicated objects with others; an equality may not.  (MuJoCo drops
such an equality without a word.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cortenforge.spec.element import Element

Names = set[tuple[str, str]]
Lists = dict[str, list[Element]]

# attributes that refer to an object, with its kind, by the tag of the element
WIRING_REFERENCES = {
    "pair": (("geom1", "geom"), ("geom2", "geom")),
    "exclude": (("body1", "body"), ("body2", "body")),
    "connect": (("body1", "body"), ("body2", "body"), ("site1", "site"), ("site2", "site")),
    "weld": (("body1", "body"), ("body2", "body"), ("site1", "site"), ("site2", "site")),
    "joint": (("joint1", "joint"), ("joint2", "joint")),
    "tendon": (("tendon1", "tendon"), ("tendon2", "tendon")),
    "distance": (("geom1", "geom"), ("geom2", "geom")),
}
PATH_REFERENCES = {
    "site": (("site", "site"),),
    "geom": (("geom", "geom"), ("sidesite", "site")),
    "joint": (("joint", "joint"),),
}


def check_replica_room(copied: list[Element], replicas: int, room: int) -> None:
    """Refuse copies for which a model has no room, before any is made."""
    if sum(1 + len(one.children) for one in copied) * replicas > room:
        raise copied[0].error("replicas of this would be more elements than a model can have")


def copy_wiring(names: Names, lists: Lists, suffixes: list[str], room: Callable[[], int]) -> None:
    """Copy what refers to these names, in place; names of what is copied are added to them."""
    for section in ("contact", "tendon", "equality"):
        listed = lists[section]
        inside = [one for one in listed if _is_inside(one, names)]
        if not inside:
            continue
        check_replica_room(inside, len(suffixes), room())
        chosen = {id(one) for one in inside}
        kept = [one for one in listed if id(one) not in chosen]
        listed[:] = kept + [
            _copy_wiring_element(one, names, suffix) for suffix in suffixes for one in inside
        ]
        kinds = ((one.tag if section == "contact" else section, one.name) for one in inside)
        names |= {(kind, name) for kind, name in kinds if name}


def wiring_references(element: Element) -> Iterator[tuple[Element, tuple[tuple[str, str], ...]]]:
    """The element, or the steps of a tendon's path, with the references each makes."""
    if element.tag in ("spatial", "fixed"):
        for step in element.children:
            yield step, PATH_REFERENCES.get(step.tag, ())
    else:
        yield element, WIRING_REFERENCES[element.tag]


def _is_inside(element: Element, names: Names) -> bool:
    """True when something it refers to is replicated; refuses mixtures that mean nothing."""
    found = False
    for one, attributes in wiring_references(element):
        given = [(name, kind) for name, kind in attributes if one.attributes.get(name)]
        if one.tag in ("connect", "weld"):
            given = [pair for pair in given if one.attributes[pair[0]] != "world"]
        hits = [(kind, one.attributes[name]) in names for name, kind in given]
        found = found or any(hits)
        if any(hits) and not all(hits) and one.tag not in ("pair", "exclude"):
            attribute = given[hits.index(False)][0]
            raise one.error(
                f"a <{one.tag}> cannot mix objects inside a replicate with others", attribute
            )
    return found


def _copy_wiring_element(element: Element, names: Names, suffix: str) -> Element:
    """One replica: a suffix on its name, and on every reference into the replicate."""
    copy = element.copy()
    if element.name:
        copy.rename(element.name + suffix)
    for one, attributes in wiring_references(copy):
        for name, kind in attributes:
            if (kind, one.attributes.get(name)) in names:
                one.attributes[name] = f"{one.attributes[name]}{suffix}"
    return copy
