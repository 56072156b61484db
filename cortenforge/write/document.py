"""A description as MJCF that is read back as the same description.

Numbers are written with the shortest digits that give the same bits.  Includes, replicas and
attached models are expanded in a description already; default classes, frames and compiler settings
are written as they are.  Where one file cannot say it in the same way (files of another folder,
classes and units of an attached model), attributes are written otherwise: `AttributeChanges`.
"""

from __future__ import annotations

from lxml import etree

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import MAX_NESTING
from cortenforge.spec.attribute_text import attribute_texts
from cortenforge.spec.element import Element
from cortenforge.spec.spec import SPEC_LISTS, Spec
from cortenforge.write.default_classes import class_changes, class_sections
from cortenforge.write.file_names import AttributeChanges, file_changes
from cortenforge.write.keyframes import keyframes_to_write
from cortenforge.write.plugins import restore_plugins
from cortenforge.write.units import unit_changes

#: sections that are lists: what bodies refer to comes before them, what refers to them after
SECTIONS_BEFORE = ("custom", "asset")
SECTIONS_AFTER = tuple(
    dict.fromkeys(tag for tag in SPEC_LISTS.values() if tag not in SECTIONS_BEFORE)
)


def to_xml(spec: Spec, folder: str | None = None) -> str:
    """MJCF text; file names are relative to the model's folder, or else to a given one."""
    for inertial in spec.worldbody.children_of("inertial"):
        raise inertial.error(
            "MJCF cannot express inertia of the world body",
            hint="spec.worldbody.children.remove(...) removes it; the world body does not move",
        )
    changes: AttributeChanges = {}
    for part in (file_changes(spec, folder), class_changes(spec), unit_changes(spec)):
        for key, attributes in part.items():
            changes.setdefault(key, {}).update(attributes)
    root = etree.Element("mujoco", model=spec.modelname)
    _write_settings(root, spec, changes)
    for section in class_sections(spec):
        _write_subtree(root, section, changes)
    for tag in SECTIONS_BEFORE:
        _write_lists(root, spec, tag, changes)
    if spec.worldbody.children:
        _write_subtree(root, spec.worldbody, changes)
    for tag in SECTIONS_AFTER:
        _write_lists(root, spec, tag, changes)
    restore_plugins(root)
    etree.indent(root, "  ")
    return etree.tostring(root, encoding="unicode") + "\n"


def _write_settings(root: etree._Element, spec: Spec, changes: AttributeChanges) -> None:
    """Sections about which there is one of a kind; those that say nothing are left out."""
    _write_subtree(root, spec.compiler, changes)
    option = _write_subtree(root, spec.option, changes)
    _write_subtree(option, spec.flag, changes)
    _write_subtree(root, spec.size, changes)
    visual = etree.SubElement(root, "visual")
    for group in spec.visual.values():
        _write_subtree(visual, group, changes)
    _write_subtree(root, spec.statistic, changes)
    for section in (option, visual, root):
        for element in list(section):
            if not element.attrib and not len(element):
                section.remove(element)


def _write_lists(root: etree._Element, spec: Spec, tag: str, changes: AttributeChanges) -> None:
    """One section with everything that is written in it."""
    section = etree.Element(tag)
    for name in (name for name, written in SPEC_LISTS.items() if written == tag):
        for element in keyframes_to_write(spec) if name == "keys" else getattr(spec, name):
            _write_subtree(section, element, changes)
    if len(section):
        root.append(section)


def _write_subtree(
    parent: etree._Element, element: Element, changes: AttributeChanges
) -> etree._Element:
    """An element and all below it."""
    whole = _write_element(parent, element, changes)
    waiting = [(element, whole, 2)]
    while waiting:
        around, made, depth = waiting.pop()
        if depth > MAX_NESTING:
            raise around.error(f"MJCF cannot nest elements deeper than {MAX_NESTING} levels")
        for child in around.children:
            waiting.append((child, _write_element(made, child, changes), depth + 1))
    return whole


def _write_element(
    parent: etree._Element, element: Element, changes: AttributeChanges
) -> etree._Element:
    """An element without what is below it."""
    made = etree.SubElement(parent, element.tag)
    for name, text in (attribute_texts(element) | changes.get(id(element), {})).items():
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
