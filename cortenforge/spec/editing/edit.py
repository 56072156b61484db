"""Adding, changing, renaming and deleting elements of a description.

What a program gives is turned into text and read by the rules of MJCF.  So it is checked as a file
is, and a mistake gives the same error, at the line of the program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cortenforge.errors import ArgumentError, Location, MjcfError
from cortenforge.grammar.node import Node
from cortenforge.grammar.tables.soft import SOFTS
from cortenforge.spec.attribute import form_in_force
from cortenforge.spec.editing.attach import attach as attach_copy
from cortenforge.spec.editing.key_layout import KeyLayout
from cortenforge.spec.element import CLASS, MAIN, Element
from cortenforge.spec.nodes.classes import DefaultClasses
from cortenforge.spec.nodes.one import check_place, lay_over_class, read_one, rule_of
from cortenforge.spec.references import kind_of, name_of, owner_of, references
from cortenforge.spec.spec import Spec
from cortenforge.spec.text import own_texts, text_of

PACKAGE = str(Path(os.path.abspath(__file__)).parents[2])
#: elements that are changed without what is inside them
CONTAINERS = ("worldbody", "body", "frame", "default", "compiler")
#: elements that reading a file replaces by what they stand for, and what to do instead
EXPANDED = {
    "replicate": "add each replica, in a loop",
    "attach": "use spec.attach",
    "model": "read it with Spec.from_mjcf and use spec.attach",
}
#: lists of the sections that have several, by the tag of what is in them
LISTED = {
    **{"mesh": "meshes", "material": "materials", "texture": "textures", "hfield": "hfields"},
    **{
        "skin": "skins",
        **dict.fromkeys(SOFTS, "softs"),
        "numeric": "numerics",
        "text": "texts",
        "tuple": "tuples",
    },
}
#: where models can be attached, and what of them
PLACES = ("worldbody", "body", "frame", "site")
PARTS = ("body", "frame")
#: lists whose elements go when a body that they refer to goes
DEPENDENT = ("contacts", "equalities", "tendons", "actuators", "sensors", "tuples")


def caller(tag: str, name: str = "") -> Location:
    """The line of the program that called into this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE + os.sep):
        frame = frame.f_back
    return Location(frame.f_code.co_filename, frame.f_lineno, tag, name, script=True)


def add(
    parent: Element, tag: str, attributes: Mapping[str, Any], inside: Iterable[Node] = ()
) -> Element:
    """A new element at the end of another one, or of a section."""
    _expect("tag", tag, str, "the name of an element")
    spec = _spec_of(parent)
    texts = {k: text for k, text in _texts(tag, attributes).items() if text is not None}
    node = Node(tag, caller(tag, texts.get("name", "")), texts, list(inside))
    check_place(node, parent)
    if tag in EXPANDED:
        raise MjcfError(f"<{tag}> is a way to write files", node.where, hint=EXPANDED[tag])
    if parent.tag in ("asset", "custom"):  # sections of several lists
        parent = spec.section_for(LISTED[tag])
    element = read_one(node, parent, spec.classes)
    for one in element.walk():
        for child in one.children:
            child.home = one
    element.home = parent
    spec.names.check_free(element)
    parent.children.append(element)
    try:
        _settle(parent, spec)
    except MjcfError:
        parent.children.remove(element)
        raise
    spec.names.add(element)
    return element


def change(element: Element, attributes: Mapping[str, Any]) -> None:
    """Give an element other values; None takes one away.

    A value replaces what excludes it: `euler` an earlier `quat`, `tendon` an earlier `joint`.
    """
    spec = _spec_of(element)
    before = name_of(element)
    given = _texts(element.tag, attributes)
    texts = _replaced(element, given)
    inside = [] if element.tag in CONTAINERS else [_node(one) for one in element.children]
    node = Node(element.tag, caller(element.tag, texts.get("name", "")), texts, inside)
    fresh = read_one(node, element.parent, spec.classes, element)
    fresh.home = element.home
    renamed = name_of(fresh) != before
    if renamed:
        spec.names.check_free(fresh)
    saved = element.attributes, element.partial, element.defaults
    element.attributes, element.partial = fresh.attributes, fresh.partial
    element.defaults = fresh.defaults
    if renamed:
        element.where = replace(element.where, name=element.name)
        _follow(spec, kind_of(element), before, name_of(element))
    try:
        _settle(element, spec)
    except MjcfError:
        element.attributes, element.partial, element.defaults = saved
        raise
    if "childclass" in given:
        for one in element.walk():
            lay_over_class(one, spec.classes)


def delete(spec: Spec, element: Element) -> None:
    """Take an element out, with what is inside it; after a body, also what refers to that."""
    _expect("element", element, Element, "an element of this description")
    parent = element.parent
    if element.spec is not spec:
        raise ArgumentError(f"{element!r} does not belong to this description")
    if parent is None and element.tag != CLASS:
        raise element.error(f"<{element.tag}> is a part of every model and cannot be deleted")
    layout = KeyLayout(spec) if spec.keys and element.tag in ("body", "frame") else None
    siblings = spec.defaults if parent is None else parent.children
    position = next(i for i, one in enumerate(siblings) if one is element)
    del siblings[position]
    try:
        _settle(element if parent is None else parent, spec)
    except MjcfError:
        siblings.insert(position, element)
        raise
    element.home = None
    spec.names.forget()
    if element.tag in ("body", "frame"):
        _delete_dependents(spec, element)
    if layout is not None:
        layout.keep(spec)


def attach(
    spec: Spec, child: Spec, to: Element | None, part: Element | None, prefix: str, suffix: str
) -> Element:
    """Put a copy of another model, or of a body or frame of it, into a description."""
    _expect("child", child, Spec, "a Spec")
    for name, one in (("to", to), ("part", part)):
        _expect(name, one, (Element, type(None)), "an element")
    for name, text in (("prefix", prefix), ("suffix", suffix)):
        _expect(name, text, str, "text")
    place = to or spec.worldbody
    where = caller(place.tag, place.name)
    if place.spec is not spec or (part is not None and part.spec is not child):
        raise ArgumentError("the place is in the one model, the part in the other")
    for one, tags in ((place, PLACES), (part, PARTS)):
        if one is not None and one.tag not in tags:
            raise MjcfError(f"expected one of {', '.join(tags)}", replace(where, element=one.tag))
    for one in (part or child.worldbody).walk():
        name = f"{prefix}{one.name}{suffix}"
        if one.name and (kind_of(one), name) in spec.names.known:
            raise MjcfError(
                f"there is a {kind_of(one)} '{name}' already",
                where,
                hint="give what is attached a prefix of its own",
            )
    if place.tag == "site":
        place = _frame_at(place)
    # the copy keeps settings and keyframes of its model, so later changes of that must not count
    guest = child.copy()
    source = guest.worldbody if part is None else _counterpart(part, child, guest)
    return attach_copy(spec, guest, source, place, prefix=prefix, suffix=suffix)


def _frame_at(site: Element) -> Element:
    """A frame with the pose of a site, beside it."""
    form = form_in_force(site)
    if site["fromto"] is not None or site.parent is None:
        raise site.error("the pose of this site follows from its ends", "fromto")
    pose = {"pos": site["pos"]} | ({} if form is None else {form: site[form]})
    return add(site.parent, "frame", pose)


def _counterpart(element: Element, spec: Spec, copy: Spec) -> Element:
    """The element of a copied description that an element of the original became."""
    pairs = zip(spec.worldbody.walk(), copy.worldbody.walk(), strict=True)
    return next(twin for one, twin in pairs if one is element)


def _delete_dependents(spec: Spec, gone: Element) -> None:
    """What refers to anything inside a deleted body goes too, and what refers to that."""
    lost = {(kind_of(one), one.name) for one in gone.walk() if one.name}
    growing = True
    while growing:
        growing = False
        for name in DEPENDENT:
            listed: list[Element] = getattr(spec, name)
            dead = [one for one in listed if _refers_to(one, lost)]
            lost |= {(kind_of(one), one.name) for one in dead if one.name}
            growing = growing or bool(dead)
            for one in dead:
                listed.remove(one)
                one.home = None


def _refers_to(element: Element, names: set[tuple[str, str]]) -> bool:
    return any(
        (kind, str(one.attributes[attribute])) in names
        for one in element.walk()
        for attribute, kind in references(one)
    )


def _follow(spec: Spec, kind: str, before: str, name: str) -> None:
    """References to a name that changed get the new one."""
    spec.names.forget()
    if not before:
        return
    touched: list[Element] = []
    for section in spec.sections():
        for element in section.walk():
            for attribute, referred in references(element):
                if referred == kind and element.attributes[attribute] == before:
                    element.attributes[attribute] = name
                    touched.append(element)
    if kind == CLASS or any(_in_class(one) for one in touched):
        reclass(spec)
    else:
        for one in touched:
            lay_over_class(owner_of(one), spec.classes)


def _settle(element: Element, spec: Spec) -> None:
    """After a change of what is in an element: bring up to date what depends on it."""
    if _in_class(element):
        reclass(spec)
    elif element.tag == "material":
        lay_over_class(element, spec.classes)


def reclass(spec: Spec) -> None:
    """Work out the default classes anew, and what every element takes from its class."""
    classes = DefaultClasses(spec.defaults)
    sections = [section for section in spec.sections() if section.tag != CLASS]
    # a class that something needs and that is gone is found before anything changes
    for section in sections:
        for element in section.walk():
            for attribute, kind in references(element):
                if kind == CLASS:
                    classes.find(str(element.attributes[attribute]), element.where, attribute)
    spec.classes = classes
    for section in sections:
        for element in section.walk():
            lay_over_class(element, classes)


def main_class(spec: Spec) -> Element:
    """The first default section; an empty one is made if there is none."""
    if not spec.defaults:
        spec.defaults.append(Element(CLASS, caller(CLASS, MAIN), home=spec))
    return spec.defaults[0]


def _in_class(element: Element | None) -> bool:
    """True for a default class, and for what is in one."""
    while element is not None:
        if element.tag == CLASS:
            return True
        element = element.parent
    return False


def _expect(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    if not isinstance(value, kind):
        raise ArgumentError(f"{name}: expected {wanted}, got {value!r}"[:300])


def _spec_of(element: Element) -> Spec:
    spec = element.spec
    if spec is None:
        raise ArgumentError(f"{element!r} belongs to no description: it was deleted, or is a copy")
    return spec


def _texts(tag: str, attributes: Mapping[str, Any]) -> dict[str, str | None]:
    """Values of a program as text; names of Python's own words end with an underscore."""
    texts: dict[str, str | None] = {}
    for key, value in attributes.items():
        name = key.rstrip("_")
        try:
            texts[name] = None if value is None else text_of(value)
        except TypeError as problem:
            raise MjcfError(str(problem), caller(tag), attribute=name, got=value) from None
    return texts


def _replaced(element: Element, given: Mapping[str, str | None]) -> dict[str, str]:
    """All that an element gives after a change, without what the new values exclude."""
    texts = own_texts(element)
    rule = rule_of(element)
    for name, text in given.items():
        if text is None and name in rule.attributes:
            texts.pop(name, None)
            continue
        for group in rule.exclusive:
            for other in group if name in group else ():
                if other not in given:
                    texts.pop(other, None)
        texts[name] = text or ""
    if element.tag == "numeric" and "data" in given and "size" not in given:
        # a size that only counted the old numbers does not hold
        old = own_texts(element).get("data", "").split()
        if texts.get("size") == str(len(old)):
            del texts["size"]
    return texts


def nodes(tag: str, entries: Iterable[Mapping[str, Any]]) -> list[Node]:
    """Elements that a program gives together with the one around them."""
    texts = (_texts(tag, entry) for entry in entries)
    return [
        Node(tag, caller(tag), {k: v for k, v in one.items() if v is not None}) for one in texts
    ]


def _node(element: Element) -> Node:
    """An element as it would be written."""
    return Node(
        element.tag, element.where, own_texts(element), [_node(c) for c in element.children]
    )
