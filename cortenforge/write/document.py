"""A description as MJCF that is read back as the same description.

Numbers are written with the shortest digits that give the same bits.  Includes, replicas and
attached models are expanded in a description already; default classes, frames and compiler settings
are written as they are.  Where one file cannot say it in the same way (files of another folder,
classes and units of an attached model), attributes are written otherwise: these are `Changes`.
"""

from __future__ import annotations

from lxml import etree

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import DEEPEST
from cortenforge.spec.element import Element
from cortenforge.spec.spec import LISTS, Spec
from cortenforge.spec.text import own_texts
from cortenforge.write.classes import class_changes, class_sections
from cortenforge.write.files import Changes, file_changes
from cortenforge.write.keys import written_keys
from cortenforge.write.plugins import name_plugins
from cortenforge.write.units import unit_changes

#: sections that are lists: what bodies refer to comes before them, what refers to them after
BEFORE = ("custom", "asset")
AFTER = tuple(dict.fromkeys(tag for tag in LISTS.values() if tag not in BEFORE))


def to_xml(spec: Spec, folder: str | None = None) -> str:
    """MJCF text; file names are relative to the model's folder, or else to a given one."""
    for inertial in spec.worldbody.children_of("inertial"):
        raise inertial.error(
            "MJCF cannot express inertia of the world body",
            hint="spec.worldbody.children.remove(...) forgets it; it moves nothing",
        )
    changes: Changes = {}
    for part in (file_changes(spec, folder), class_changes(spec), unit_changes(spec)):
        for key, attributes in part.items():
            changes.setdefault(key, {}).update(attributes)
    root = etree.Element("mujoco", model=spec.modelname)
    _add_settings(root, spec, changes)
    for section in class_sections(spec):
        _add(root, section, changes)
    for tag in BEFORE:
        _add_lists(root, spec, tag, changes)
    if spec.worldbody.children:
        _add(root, spec.worldbody, changes)
    for tag in AFTER:
        _add_lists(root, spec, tag, changes)
    name_plugins(root)
    etree.indent(root, "  ")
    return etree.tostring(root, encoding="unicode") + "\n"


def _add_settings(root: etree._Element, spec: Spec, changes: Changes) -> None:
    """Sections about which there is one of a kind; those that say nothing are left out."""
    _add(root, spec.compiler, changes)
    option = _add(root, spec.option, changes)
    _add(option, spec.flag, changes)
    _add(root, spec.size, changes)
    visual = etree.SubElement(root, "visual")
    for group in spec.visual.values():
        _add(visual, group, changes)
    _add(root, spec.statistic, changes)
    for section in (option, visual, root):
        for element in list(section):
            if not element.attrib and not len(element):
                section.remove(element)


def _add_lists(root: etree._Element, spec: Spec, tag: str, changes: Changes) -> None:
    """One section with everything that is written in it."""
    section = etree.Element(tag)
    for name in (name for name, written in LISTS.items() if written == tag):
        for element in written_keys(spec) if name == "keys" else getattr(spec, name):
            _add(section, element, changes)
    if len(section):
        root.append(section)


def _add(parent: etree._Element, element: Element, changes: Changes) -> etree._Element:
    """An element and all below it."""
    whole = _add_one(parent, element, changes)
    waiting = [(element, whole, 2)]
    while waiting:
        around, made, depth = waiting.pop()
        if depth > DEEPEST:
            raise around.error(f"MJCF cannot nest elements deeper than {DEEPEST} levels")
        for child in around.children:
            waiting.append((child, _add_one(made, child, changes), depth + 1))
    return whole


def _add_one(parent: etree._Element, element: Element, changes: Changes) -> etree._Element:
    """An element without what is below it."""
    made = etree.SubElement(parent, element.tag)
    for name, text in (own_texts(element) | changes.get(id(element), {})).items():
        if text is None:
            continue
        try:
            made.set(name, text)
        except ValueError:
            raise MjcfError(
                "this text has characters that XML cannot hold",
                element.where,
                attribute=name,
                got=text,
            ) from None
    if element.tag == "skin" and element["file"] and element.children:
        raise element.error("a file names the bones of this skin, which was attached", "file")
    return made
