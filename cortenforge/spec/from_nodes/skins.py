"""Skins, from the sections where they may stand: `asset` and `deformable`."""

from __future__ import annotations

from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rules import RULES
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec.element import Element
from cortenforge.spec.from_nodes.assets import file_stem


def skin_elements(assets: list[Node], deformables: list[Node]) -> list[Element]:
    """All skins: those among assets, then those of deformable sections."""
    for section in deformables:
        read_attributes(section, RULES["deformable"])
        check_children(section, RULES["deformable"])
    sections = (*assets, *deformables)
    nodes = [node for section in sections for node in section.children if node.tag == "skin"]
    return each_valid(skin_element, nodes)


def skin_element(node: Node) -> Element:
    """One skin; without a name it is called like its file."""
    rule = RULES["skin"]
    check_children(node, rule)
    skin = Element("skin", node.where, read_attributes(node, rule), fallback=rule.fallback)
    if not skin.name and skin["file"]:
        skin.attributes["name"] = file_stem(str(skin["file"]))
    skin.children = all_or_none(bone_element, node.children)
    return skin


def bone_element(node: Node) -> Element:
    """One bone of a skin."""
    check_children(node, RULES["bone"])
    return Element("bone", node.where, read_attributes(node, RULES["bone"]))
