"""A description as MJCF that is read back as the same description.

Numbers are written with the shortest digits that give the same bits.  Includes and replicas are
expanded in a description already; default classes, frames and compiler settings are written as
they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from lxml import etree

from cortenforge.errors import MjcfError
from cortenforge.spec.element import Element
from cortenforge.spec.spec import LISTS, Spec
from cortenforge.spec.text import own_texts

#: new names of files by the id of an element and by the attribute
Files = dict[int, dict[str, str]]

FOLDERS = ("meshdir", "texturedir", "assetdir", "strippath")
#: sections that are lists: what bodies refer to comes before them, what refers to them after
BEFORE = ("custom", "asset")
AFTER = tuple(dict.fromkeys(tag for tag in LISTS.values() if tag not in BEFORE))


def to_xml(spec: Spec, folder: str | None = None) -> str:
    """MJCF text; file names are relative to the model's folder, or else to a given one."""
    files = _file_names(spec, folder)
    root = etree.Element("mujoco", model=spec.modelname)
    _add_settings(root, spec, moved=bool(files))
    for section in spec.defaults:
        _add(root, section)
    for tag in BEFORE:
        _add_lists(root, spec, tag, files)
    if spec.worldbody.children:
        _add(root, spec.worldbody)
    for tag in AFTER:
        _add_lists(root, spec, tag, files)
    etree.indent(root, "  ")
    return etree.tostring(root, encoding="unicode") + "\n"


def _add_settings(root: etree._Element, spec: Spec, *, moved: bool) -> None:
    """Sections about which there is one of a kind; those that say nothing are left out."""
    compiler = _add(root, spec.compiler)
    for name in FOLDERS:
        if moved and name in compiler.attrib:
            del compiler.attrib[name]
    option = _add(root, spec.option)
    _add(option, spec.flag)
    _add(root, spec.size)
    visual = etree.SubElement(root, "visual")
    for group in spec.visual.values():
        _add(visual, group)
    _add(root, spec.statistic)
    for section in (option, visual, root):
        for element in list(section):
            if not element.attrib and not len(element):
                section.remove(element)


def _add_lists(root: etree._Element, spec: Spec, tag: str, files: Files) -> None:
    """One section with everything that is written in it."""
    section = etree.Element(tag)
    for name in (name for name, written in LISTS.items() if written == tag):
        for element in getattr(spec, name):
            made = _add(section, element)
            for attribute, file in files.get(id(element), {}).items():
                made.set(attribute, file)
    if len(section):
        root.append(section)


def _add(parent: etree._Element, element: Element) -> etree._Element:
    """An element and all below it."""
    made = etree.SubElement(parent, element.tag)
    for name, text in own_texts(element).items():
        try:
            made.set(name, text)
        except ValueError:
            raise MjcfError(
                "this text has characters that XML cannot hold",
                element.where,
                attribute=name,
                got=text,
            ) from None
    for child in element.children:
        _add(made, child)
    return made


def _file_names(spec: Spec, folder: str | None) -> Files:
    """New names of files, all of them; empty if the old ones hold.

    Old names hold while the model stays in its folder, unless a file was found beside an included
    file.  New names are whole: they need no folder of the compiler's.
    """
    old: Files = {}
    new: Files = {}
    stays = folder is None or os.path.realpath(folder) == os.path.realpath(spec.library.folder)
    rename = _renamer(spec, None if stays else folder)
    for name, tag in LISTS.items():
        for element in getattr(spec, name) if tag == "asset" else ():
            given = [one for one in element.attributes if one.startswith("file") and element[one]]
            for attribute in given:
                plain, found = rename(element, attribute)
                old.setdefault(id(element), {})[attribute] = plain
                new.setdefault(id(element), {})[attribute] = found
    return {} if old == new else new


def _renamer(spec: Spec, folder: str | None) -> Callable[[Element, str], tuple[str, str]]:
    """For an element and an attribute: the name that is written, and a name that holds."""
    from cortenforge.compile.assets import asset_files

    def names(element: Element, attribute: str) -> tuple[str, str]:
        files = asset_files(spec, "texturedir" if element.tag == "texture" else "meshdir")
        found = files.name(element, attribute)
        plain = os.path.join(files.folder, files.written(element, attribute))
        if folder is None or os.path.isabs(found) or spec.library.in_memory(found):
            return plain, found
        path = os.path.join(spec.library.folder, found)
        return plain, os.path.relpath(path, folder).replace(os.sep, "/")

    return names
