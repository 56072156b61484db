"""The asset section: textures, materials and height fields, each with its default class."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import RULES
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class

if TYPE_CHECKING:
    from cortenforge.spec.from_nodes.classes import DefaultClasses

# what is read by itself: skins may stand elsewhere, too
SEPARATE_TAGS = ("model", "skin")
MAX_GRID_CELLS = 12
NAMED_BY_FILE = ("texture", "hfield")


def asset_elements(sections: list[Node], classes: DefaultClasses) -> dict[str, list[Element]]:
    """Assets of all sections by tag, each list in document order."""
    found: dict[str, list[Element]] = {
        tag: [] for tag in RULES["asset"].children if tag not in SEPARATE_TAGS
    }
    for section in sections:
        read_attributes(section, RULES["asset"])
        check_children(section, RULES["asset"])
        assets = [node for node in section.children if node.tag not in SEPARATE_TAGS]
        for element in each_valid(asset_element, assets, classes):
            found[element.tag].append(element)
    return found


def asset_element(node: Node, classes: DefaultClasses) -> Element:
    """One asset; without a name it is called like its file."""
    rule = RULES[node.tag]
    check_children(node, rule)
    given = read_attributes(node, rule)
    class_name = given.get("class")
    own_class = MAIN
    if isinstance(class_name, str):
        own_class = classes.find(class_name, node.where, "class")
    element = element_over_class(node, rule, given, classes.values(own_class, node.tag))
    element.children = all_or_none(layer_element, node.children)
    element.defaults = apply_asset_rules(element, element.attributes, element.defaults)
    if node.tag in NAMED_BY_FILE and not element.name:
        element.attributes["name"] = file_stem(str(given.get("file", "")))
    return element


def layer_element(node: Node) -> Element:
    """One texture of a material."""
    rule = RULES["layer"]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule))


def apply_asset_rules(
    element: Element, given: dict[str, Value], inherited: Mapping[str, Value]
) -> Mapping[str, Value]:
    """Apply rules of materials and textures to values; returns inherited ones that still count."""
    if element.tag == "material":
        _add_layers(element, given)
    if element.tag == "texture":
        return _checked_grid(element, given, inherited)
    return inherited


def _add_layers(element: Element, given: dict[str, Value]) -> None:
    """Textures by role: `layer/rgb`, from the attribute or from child elements."""
    if "texture" in given:
        given["layer/rgb"] = given["texture"]
    for child in element.children:
        if "texture" in given:
            raise MjcfError(
                "a material with a texture attribute cannot have layers",
                child.where,
                hint='use <layer role="rgb" texture="..."/> instead of the attribute',
            )
        given[f"layer/{child['role']}"] = child["texture"]


def _checked_grid(
    element: Element, given: dict[str, Value], inherited: Mapping[str, Value]
) -> Mapping[str, Value]:
    """The layout of a grid has a letter a cell; another grid size forgets an inherited layout."""
    before = np.asarray(inherited.get("gridsize", RULES["texture"].fallback["gridsize"]))
    size = np.asarray(given.get("gridsize", before))
    layout = given.get("gridlayout")
    if layout is None:
        if not np.array_equal(size, before):
            return {name: value for name, value in inherited.items() if name != "gridlayout"}
        return inherited
    cells = int(np.prod(size))
    if len(str(layout)) != cells or cells > MAX_GRID_CELLS:
        raise MjcfError(
            f"the layout has {len(str(layout))} letters for a grid of {cells} cells "
            f"(at most {MAX_GRID_CELLS})",
            element.where,
            attribute="gridlayout",
            got=layout,
        )
    return inherited


def file_stem(file: str) -> str:
    """A file's name without its folder and its last extension."""
    name = file.replace("\\", "/").rpartition("/")[2]
    return os.path.splitext(name)[0] if not name.startswith(".") else name.rpartition(".")[0]
