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
from cortenforge.spec.attribute import orientation_attribute
from cortenforge.spec.attribute_text import attribute_texts, value_text
from cortenforge.spec.editing.attach import attach_subtree as attach_copy
from cortenforge.spec.editing.keyframe_layout import KeyframeLayout
from cortenforge.spec.element import CLASS, MAIN, Element
from cortenforge.spec.from_nodes.classes import DefaultClasses
from cortenforge.spec.from_nodes.single import (
    check_child_allowed,
    element_from_node,
    element_rule,
    reapply_class,
)
from cortenforge.spec.references import element_kind, element_name, named_references, owning_element
from cortenforge.spec.spec import Spec

PACKAGE_FOLDER = str(Path(os.path.abspath(__file__)).parents[2])
#: elements that are changed without what is inside them
CONTAINER_TAGS = ("worldbody", "body", "frame", "default", "compiler")
#: elements that reading a file replaces by what they stand for, and what to do instead
EXPANDED_TAGS = {
    "replicate": "add each replica, in a loop",
    "attach": "use spec.attach",
    "model": "read it with Spec.from_mjcf and use spec.attach",
}
#: lists of the sections that have several, by the tag of what is in them
LISTED_TAGS = {
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
SECTION_PLACES = ("worldbody", "body", "frame", "site")
PART_TAGS = ("body", "frame")
#: lists whose elements go when a body that they refer to goes
DEPENDENT_LISTS = ("contacts", "equalities", "tendons", "actuators", "sensors", "tuples")


def caller_location(tag: str, name: str = "") -> Location:
    """The line of the program that called into this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE_FOLDER + os.sep):
        frame = frame.f_back
    return Location(frame.f_code.co_filename, frame.f_lineno, tag, name, script=True)


def add_element(
    parent: Element, tag: str, attributes: Mapping[str, Any], inside: Iterable[Node] = ()
) -> Element:
    """A new element at the end of another one, or of a section."""
    _check_type("tag", tag, str, "the name of an element")
    spec = _owning_spec(parent)
    texts = {k: text for k, text in _attribute_texts(tag, attributes).items() if text is not None}
    node = Node(tag, caller_location(tag, texts.get("name", "")), texts, list(inside))
    check_child_allowed(node, parent)
    if tag in EXPANDED_TAGS:
        raise MjcfError(f"<{tag}> exists only in files", node.where, hint=EXPANDED_TAGS[tag])
    if parent.tag in ("asset", "custom"):  # sections of several lists
        parent = spec.section_for(LISTED_TAGS[tag])
    element = element_from_node(node, parent, spec.classes)
    for one in element.walk():
        for child in one.children:
            child.home = one
    element.home = parent
    spec.names.check_free(element)
    parent.children.append(element)
    try:
        _refresh_dependents(parent, spec)
    except MjcfError:
        parent.children.remove(element)
        raise
    spec.names.add(element)
    return element


def change_attributes(element: Element, attributes: Mapping[str, Any]) -> None:
    """Give an element other values; None takes one away.

    A value replaces what excludes it: `euler` an earlier `quat`, `tendon` an earlier `joint`.
    """
    spec = _owning_spec(element)
    before = element_name(element)
    given = _attribute_texts(element.tag, attributes)
    texts = _attributes_after_change(element, given)
    inside = [] if element.tag in CONTAINER_TAGS else [_node_of(one) for one in element.children]
    node = Node(element.tag, caller_location(element.tag, texts.get("name", "")), texts, inside)
    fresh = element_from_node(node, element.parent, spec.classes, element)
    fresh.home = element.home
    renamed = element_name(fresh) != before
    if renamed:
        spec.names.check_free(fresh)
    saved = element.attributes, element.partial, element.defaults
    element.attributes, element.partial = fresh.attributes, fresh.partial
    element.defaults = fresh.defaults
    if renamed:
        element.where = replace(element.where, name=element.name)
        _rename_references_to(spec, element_kind(element), before, element_name(element))
    try:
        _refresh_dependents(element, spec)
    except MjcfError:
        element.attributes, element.partial, element.defaults = saved
        raise
    if "childclass" in given:
        for one in element.walk():
            reapply_class(one, spec.classes)


def delete_element(spec: Spec, element: Element) -> None:
    """Take an element out, with what is inside it; after a body, also what refers to that."""
    _check_type("element", element, Element, "an element of this description")
    parent = element.parent
    if element.spec is not spec:
        raise ArgumentError(f"{element!r} does not belong to this description")
    if parent is None and element.tag != CLASS:
        raise element.error(f"<{element.tag}> is a part of every model and cannot be deleted")
    layout = KeyframeLayout(spec) if spec.keys and element.tag in ("body", "frame") else None
    siblings = spec.defaults if parent is None else parent.children
    position = next(i for i, one in enumerate(siblings) if one is element)
    del siblings[position]
    try:
        _refresh_dependents(element if parent is None else parent, spec)
    except MjcfError:
        siblings.insert(position, element)
        raise
    element.home = None
    spec.names.forget()
    if element.tag in ("body", "frame"):
        _delete_dependents(spec, element)
    if layout is not None:
        layout.keep(spec)


def attach_model(
    spec: Spec, child: Spec, to: Element | None, part: Element | None, prefix: str, suffix: str
) -> Element:
    """Put a copy of another model, or of a body or frame of it, into a description."""
    _check_type("child", child, Spec, "a Spec")
    for name, one in (("to", to), ("part", part)):
        _check_type(name, one, (Element, type(None)), "an element")
    for name, text in (("prefix", prefix), ("suffix", suffix)):
        _check_type(name, text, str, "text")
    place = to or spec.worldbody
    where = caller_location(place.tag, place.name)
    if place.spec is not spec or (part is not None and part.spec is not child):
        raise ArgumentError("the place is in the one model, the part in the other")
    for one, tags in ((place, SECTION_PLACES), (part, PART_TAGS)):
        if one is not None and one.tag not in tags:
            raise MjcfError(f"expected one of {', '.join(tags)}", replace(where, element=one.tag))
    for one in (part or child.worldbody).walk():
        name = f"{prefix}{one.name}{suffix}"
        if one.name and (element_kind(one), name) in spec.names.known:
            raise MjcfError(
                f"there is a {element_kind(one)} '{name}' already",
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
    form = orientation_attribute(site)
    if site["fromto"] is not None or site.parent is None:
        raise site.error("the pose of this site follows from its ends", "fromto")
    pose = {"pos": site["pos"]} | ({} if form is None else {form: site[form]})
    return add_element(site.parent, "frame", pose)


def _counterpart(element: Element, spec: Spec, copy: Spec) -> Element:
    """The element of a copied description that an element of the original became."""
    pairs = zip(spec.worldbody.walk(), copy.worldbody.walk(), strict=True)
    return next(other for one, other in pairs if one is element)


def _delete_dependents(spec: Spec, gone: Element) -> None:
    """What refers to anything inside a deleted body goes too, and what refers to that."""
    lost = {(element_kind(one), one.name) for one in gone.walk() if one.name}
    growing = True
    while growing:
        growing = False
        for name in DEPENDENT_LISTS:
            listed: list[Element] = getattr(spec, name)
            dead = [one for one in listed if _refers_to(one, lost)]
            lost |= {(element_kind(one), one.name) for one in dead if one.name}
            growing = growing or bool(dead)
            for one in dead:
                listed.remove(one)
                one.home = None


def _refers_to(element: Element, names: set[tuple[str, str]]) -> bool:
    return any(
        (kind, str(one.attributes[attribute])) in names
        for one in element.walk()
        for attribute, kind in named_references(one)
    )


def _rename_references_to(spec: Spec, kind: str, before: str, name: str) -> None:
    """References to a name that changed get the new one."""
    spec.names.forget()
    if not before:
        return
    touched: list[Element] = []
    for section in spec.sections():
        for element in section.walk():
            for attribute, referred in named_references(element):
                if referred == kind and element.attributes[attribute] == before:
                    element.attributes[attribute] = name
                    touched.append(element)
    if kind == CLASS or any(_is_in_default_class(one) for one in touched):
        reapply_classes(spec)
    else:
        for one in touched:
            reapply_class(owning_element(one), spec.classes)


def _refresh_dependents(element: Element, spec: Spec) -> None:
    """Update what depends on the contents of a changed element."""
    if _is_in_default_class(element):
        reapply_classes(spec)
    elif element.tag == "material":
        reapply_class(element, spec.classes)


def reapply_classes(spec: Spec) -> None:
    """Compute the default classes again, and the values of all elements from them."""
    classes = DefaultClasses(spec.defaults)
    sections = [section for section in spec.sections() if section.tag != CLASS]
    # a class that something needs and that is gone is found before anything changes
    for section in sections:
        for element in section.walk():
            for attribute, kind in named_references(element):
                if kind == CLASS:
                    classes.find(str(element.attributes[attribute]), element.where, attribute)
    spec.classes = classes
    for section in sections:
        for element in section.walk():
            reapply_class(element, classes)


def main_class(spec: Spec) -> Element:
    """The first default section; an empty one is made if there is none."""
    if not spec.defaults:
        spec.defaults.append(Element(CLASS, caller_location(CLASS, MAIN), home=spec))
    return spec.defaults[0]


def _is_in_default_class(element: Element | None) -> bool:
    """True for a default class, and for what is in one."""
    while element is not None:
        if element.tag == CLASS:
            return True
        element = element.parent
    return False


def _check_type(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    if not isinstance(value, kind):
        raise ArgumentError(f"{name}: expected {wanted}, got {value!r}"[:300])


def _owning_spec(element: Element) -> Spec:
    spec = element.spec
    if spec is None:
        raise ArgumentError(f"{element!r} belongs to no description: it was deleted, or is a copy")
    return spec


def _attribute_texts(tag: str, attributes: Mapping[str, Any]) -> dict[str, str | None]:
    """Values of a program as text; names of Python's own words end with an underscore."""
    texts: dict[str, str | None] = {}
    for key, value in attributes.items():
        name = key.rstrip("_")
        try:
            texts[name] = None if value is None else value_text(value)
        except TypeError as problem:
            raise MjcfError(str(problem), caller_location(tag), attribute=name, got=value) from None
    return texts


def _attributes_after_change(element: Element, given: Mapping[str, str | None]) -> dict[str, str]:
    """All that an element gives after a change, without what the new values exclude."""
    texts = attribute_texts(element)
    rule = element_rule(element)
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
        old = attribute_texts(element).get("data", "").split()
        if texts.get("size") == str(len(old)):
            del texts["size"]
    return texts


def nested_nodes(tag: str, entries: Iterable[Mapping[str, Any]]) -> list[Node]:
    """Elements that a program gives together with the one around them."""
    texts = (_attribute_texts(tag, entry) for entry in entries)
    return [
        Node(tag, caller_location(tag), {k: v for k, v in one.items() if v is not None})
        for one in texts
    ]


def _node_of(element: Element) -> Node:
    """An element as it would be written."""
    return Node(
        element.tag,
        element.where,
        attribute_texts(element),
        [_node_of(c) for c in element.children],
    )
