"""A model file, or a string of MJCF, to a `Spec`."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from cortenforge.errors import ArgumentError, Location, MjcfError
from cortenforge.garbage import collection_deferred
from cortenforge.grammar.attributes import (
    check_children,
    merge_with_inherited,
    read_attributes,
    refuse_unsupported_section,
)
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import LATER_SECTIONS, RULES
from cortenforge.grammar.tables.visual import GROUPS
from cortenforge.problems import each_valid, finish_reading
from cortenforge.read.include import splice_includes
from cortenforge.read.name_checks import check_spec_names
from cortenforge.read.plugin_replacement import replace_plugins
from cortenforge.read.xml import parse_xml, root_location
from cortenforge.spec import Element, Spec
from cortenforge.spec.editing.expansion import expand_replicates_and_attaches
from cortenforge.spec.files import (
    STRING_LABEL,
    Library,
    Source,
    in_memory,
    is_in_folder,
    read_from_disk,
)
from cortenforge.spec.from_nodes.actuators import actuator_elements
from cortenforge.spec.from_nodes.assets import asset_elements
from cortenforge.spec.from_nodes.classes import DefaultClasses, default_sections
from cortenforge.spec.from_nodes.custom import custom_elements, key_element
from cortenforge.spec.from_nodes.deformables import soft_elements
from cortenforge.spec.from_nodes.sensors import sensor_elements
from cortenforge.spec.from_nodes.skins import skin_elements
from cortenforge.spec.from_nodes.tree import TreeContext, tree_element
from cortenforge.spec.from_nodes.wiring import wiring_elements
from cortenforge.spec.spec import Visual

# models that attach models that attach ...
MOST_NESTED = 50

URDF_ROOT = "robot"


@collection_deferred()
def read_mjcf(
    model: str | os.PathLike[str],
    *,
    assets: Mapping[str, bytes] | None = None,
    sandbox: bool = False,
) -> Spec:
    """Read a model from a path, or from a string that begins with `<`.

    `assets` are files in memory, by name, looked up before the disk.  With `sandbox=True` no file
    outside the model's folder is read; a model given as a string has no folder, so then only
    `assets` can be included.
    """
    source = open_model(model, sandbox)
    library = Library(source.folder, in_memory(assets), sandbox, main=source.label)
    place = root_location(source)
    if place.element == URDF_ROOT:
        raise MjcfError(
            "this is URDF, not MJCF", place, hint="Model.from_urdf reads it; load_model reads both"
        )
    return _read_document(source, library, ())


def _read_document(source: Source, library: Library, around: tuple[Source, ...]) -> Spec:
    """One document; `around` are the models that attach it, outermost first."""
    root = parse_xml(source)
    if root.tag != "mujoco":
        raise MjcfError(f"expected <mujoco> as the root element, found <{root.tag}>", root.where)
    splice_includes(root, source, library)
    return spec_from_root(root, source, library, around)


def _attachable_models(
    sections: list[Node], library: Library, chain: tuple[Source, ...]
) -> dict[str, Spec]:
    """Models that can be attached, by name; the first of a name counts."""
    models: dict[str, Spec] = {}
    for node in _nodes_inside(sections, "model"):
        check_children(node, RULES["model"])
        given = read_attributes(node, RULES["model"])
        _check_content_type(node)
        source = library.find(str(given["file"]), node.folder, node.where)
        loop = [one.label for one in chain]
        if source.identity in [one.identity for one in chain]:
            raise MjcfError(
                f"a model cannot contain itself: {' -> '.join((*loop, source.label))}",
                node.where,
                attribute="file",
                got=given["file"],
            )
        if len(chain) > MOST_NESTED:
            raise MjcfError(f"models are nested deeper than {MOST_NESTED} levels", node.where)
        if root_location(source).element == URDF_ROOT:
            from cortenforge.read.urdf.document import read_robot  # which reads MJCF in the end

            child = read_robot(source, library.of(source))
        else:
            child = _read_document(source, library.of(source), chain)
        models.setdefault(str(given.get("name", child.modelname)), child)
    return models


def _check_content_type(node: Node) -> None:
    """The format of a model's file: only XML can be read, whatever MuJoCo makes of the word."""
    content_type = node.attributes.get("content_type")
    if content_type not in (None, "text/xml"):
        raise MjcfError("expected text/xml", node.where, attribute="content_type", got=content_type)


def open_model(model: str | os.PathLike[str], sandbox: bool) -> Source:
    """The main document, from the string itself or from disk."""
    if not isinstance(model, (str, os.PathLike)) or not isinstance(os.fspath(model), str):
        raise ArgumentError(f"expected a path or a string of XML, got {model!r}"[:300])
    path = os.fspath(model)
    text = path.lstrip("\ufeff \t\r\n")
    if text.startswith("<") and isinstance(model, str):
        line = path[: len(path) - len(text)].count("\n") + 1
        data = text.encode("utf-8", errors="surrogatepass")
        return Source(data, STRING_LABEL, STRING_LABEL, "", line)
    if not text:
        raise MjcfError("expected the path of a model file or a string of XML, found nothing")
    where = Location(path)
    if not _file_exists(path):
        raise MjcfError(
            "there is no such file",
            where,
            hint="a string of XML begins with '<'" if "<" in path else None,
        )
    if sandbox and not is_in_folder(path, os.path.dirname(path) or "."):
        raise MjcfError("this link leads outside its folder, and sandbox=True forbids that", where)
    source = read_from_disk(path, where)
    return Source(source.data, source.label, source.identity, source.folder or ".")


def _file_exists(path: str) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def is_urdf(model: str | os.PathLike[str], *, sandbox: bool = False) -> bool:
    """True when a file, or a string of XML, has URDF's root element."""
    return root_location(open_model(model, sandbox)).element == URDF_ROOT


def spec_from_root(
    root: Node, source: Source, library: Library, around: tuple[Source, ...] = ()
) -> Spec:
    """Every section of the document, merged and expanded."""
    replace_plugins(root)
    check_root(root)
    attributes = read_attributes(root, RULES["mujoco"])
    sections: dict[str, list[Node]] = {}
    for node in root.children:
        sections.setdefault(node.tag, []).append(node)
    compiler = _merged_section("compiler", sections.get("compiler", []), root)
    numerics, texts, tuples = custom_elements(sections.get("custom", []))
    defaults = default_sections(sections.get("default", []))
    classes = DefaultClasses(defaults)
    models = _attachable_models(sections.get("asset", []), library, (*around, source))
    known = TreeContext(classes, defaults, models)
    actuators = actuator_elements(sections.get("actuator", []), classes)
    wiring = wiring_elements(sections, classes)
    assets = asset_elements(sections.get("asset", []), classes)
    option = _merged_section("option", sections.get("option", []), root)
    option.children.clear()
    world = tree_element(sections.get("worldbody", []), known, _section_location(root, "worldbody"))
    spec = Spec(
        modelname=str(attributes.get("model", RULES["mujoco"].fallback["model"])),
        file=source.label,
        compiler=compiler,
        option=option,
        flag=_merged_section("flag", _nodes_inside(sections.get("option", []), "flag"), root),
        size=_merged_section("size", sections.get("size", []), root),
        statistic=_merged_section("statistic", sections.get("statistic", []), root),
        visual=_visual_settings(sections.get("visual", []), root),
        defaults=defaults,
        classes=classes,
        worldbody=world,
        library=library,
        numerics=numerics,
        texts=texts,
        tuples=tuples,
        keys=_keyframe_elements(sections.get("keyframe", [])),
        textures=assets["texture"],
        materials=assets["material"],
        hfields=assets["hfield"],
        meshes=assets["mesh"],
        skins=skin_elements(sections.get("asset", []), sections.get("deformable", [])),
        softs=soft_elements(sections.get("deformable", []), classes),
        sensors=sensor_elements(sections.get("sensor", [])),
        contacts=wiring.contact,
        equalities=wiring.equality,
        tendons=wiring.tendon,
        actuators=actuators,
    )
    expand_replicates_and_attaches(spec, models)
    check_spec_names(spec)
    if not around:
        finish_reading()
    return spec


def check_root(root: Node) -> None:
    """Refuse top-level elements that are unknown or are not supported yet."""
    for node in root.children:
        if node.tag in LATER_SECTIONS:
            refuse_unsupported_section(node)
    root.children = [node for node in root.children if node.tag not in LATER_SECTIONS]
    check_children(root, RULES["mujoco"])


def _merged_section(tag: str, nodes: list[Node], root: Node) -> Element:
    """One element from all sections of a tag: later values replace earlier ones."""
    rule = RULES[tag]
    values: dict[str, Value] = {}
    children: dict[str, list[Node]] = {}
    for node in nodes:
        check_children(node, rule)
        given, _ = merge_with_inherited(rule, read_attributes(node, rule), values)
        values |= _with_earlier_groups(given, values)
        for child in node.children:
            children.setdefault(child.tag, []).append(child)
    where = nodes[-1].where if nodes else _section_location(root, tag)
    merged = Element(tag, where, values, fallback=rule.fallback)
    merged.children = [_merged_section(child, found, root) for child, found in children.items()]
    return merged


def _with_earlier_groups(given: dict[str, Value], earlier: Mapping[str, Value]) -> dict[str, Value]:
    """Disabled actuator groups add up over repeated option sections, where all else replaces."""
    name = "actuatorgroupdisable"
    before, now = earlier.get(name), given.get(name)
    if isinstance(before, np.ndarray) and isinstance(now, np.ndarray):
        return {**given, name: np.union1d(before, now)}
    return given


def _visual_settings(sections: list[Node], root: Node) -> Visual:
    for section in sections:
        read_attributes(section, RULES["visual"])
        check_children(section, RULES["visual"])
    return Visual(
        {group: _merged_section(group, _nodes_inside(sections, group), root) for group in GROUPS}
    )


def _keyframe_elements(sections: list[Node]) -> list[Element]:
    keys: list[Element] = []
    for section in sections:
        read_attributes(section, RULES["keyframe"])
        check_children(section, RULES["keyframe"])
        keys += each_valid(key_element, section.children)
    return keys


def _nodes_inside(sections: list[Node], tag: str) -> list[Node]:
    return [child for section in sections for child in section.children if child.tag == tag]


def _section_location(root: Node, tag: str) -> Location:
    """Where a section that the document does not have would be reported."""
    return Location(root.where.file, root.where.line, tag)
