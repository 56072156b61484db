"""References between elements by name, for renaming and deleting."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cortenforge.grammar.tables.soft import SOFTS
from cortenforge.spec.element import CLASS, MAIN, Element
from cortenforge.spec.replicate.actuators import TARGET_KINDS
from cortenforge.spec.replicate.wiring import PATH_REFERENCES, WIRING_REFERENCES
from cortenforge.spec.sensor_targets import sensor_objects

References = tuple[tuple[str, str], ...]

CLASS_ATTRIBUTES: References = (("class", CLASS), ("childclass", CLASS))
#: attributes that name other objects, with their kind, where the tag alone tells
TREE_REFERENCES: dict[str, References] = {
    "camera": (("target", "body"),),
    "light": (("target", "body"), ("texture", "texture")),
    "geom": (("mesh", "mesh"), ("material", "material"), ("hfield", "hfield")),
    "site": (("mesh", "mesh"), ("material", "material")),
}
ASSET_REFERENCES: dict[str, References] = {
    "mesh": (("material", "material"),),
    "material": (("texture", "texture"),),
    "layer": (("texture", "texture"),),
    "skin": (("material", "material"),),
    "bone": (("body", "body"),),
    "tie": (("body", "body"), ("site", "site")),
}
TENDON_REFERENCES: References = (("material", "material"),)
#: the kinds of objects that a section has, where it is not the tag
SECTION_KINDS = {
    "actuator": "actuator",
    "sensor": "sensor",
    "equality": "equality",
    "tendon": "tendon",
}


def element_kind(element: Element) -> str:
    """Kind of object of an element in references: "body", "joint", "actuator", ..."""
    parent = element.parent
    if element.tag == "freejoint":
        return "joint"
    if parent is not None and parent.tag == "deformable" and element.tag in SOFTS:
        return "soft"
    return element.tag if parent is None else SECTION_KINDS.get(parent.tag, element.tag)


def element_name(element: Element) -> str:
    """The name by which an element is referred to: its own, a class's, or its file's."""
    if element.tag == CLASS:
        return str(element["class"] or (MAIN if element.parent is None else ""))
    file = element.attributes.get("file")
    if element.name or element.tag not in ("mesh", "skin") or not isinstance(file, str):
        return element.name
    return os.path.splitext(os.path.basename(file.replace("\\", "/")))[0]


def surrounding_class(element: Element | None) -> str:
    """The class that elements in a body or frame have when they name none."""
    while element is not None:
        name = element.attributes.get("childclass")
        if isinstance(name, str):
            return name
        element = element.parent
    return MAIN


def named_references(element: Element) -> Iterator[tuple[str, str]]:
    """Attributes with which an element names other objects, each with the kind of object."""
    for attribute, kind in (*CLASS_ATTRIBUTES, *_attributes(element)):
        if element.attributes.get(attribute) and element.tag != CLASS:
            yield attribute, kind


def _attributes(element: Element) -> References:
    """Attributes that may name objects, by where the element is."""
    around = "" if element.parent is None else element.parent.tag
    if around == "sensor":
        return tuple((target.attribute, target.kind) for target in sensor_objects(element))
    if around == "actuator":
        return tuple(TARGET_KINDS.items())
    if around in ("contact", "equality"):
        return WIRING_REFERENCES.get(element.tag, ())
    if around in ("spatial", "fixed"):
        return PATH_REFERENCES.get(element.tag, ())
    if around == "tuple":
        kind = str(element["objtype"])
        return (("objname", "body" if kind == "xbody" else kind),)
    if element.tag in ("spatial", "fixed") or (around == CLASS and element.tag == "tendon"):
        return TENDON_REFERENCES
    return TREE_REFERENCES.get(element.tag, ()) or ASSET_REFERENCES.get(element.tag, ())


def owning_element(element: Element) -> Element:
    """The object that a part belongs to: the tendon of a step, the tuple of an entry."""
    parent = element.parent
    if parent is not None and parent.tag in ("spatial", "fixed", "tuple", "material", *SOFTS):
        return parent
    return element
