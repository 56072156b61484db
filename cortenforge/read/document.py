"""A model file, or a string of MJCF, to a `Spec`."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from cortenforge.errors import ArgumentError, Location, MjcfError
from cortenforge.garbage import collected_later
from cortenforge.grammar.attributes import (
    check_children,
    overlay,
    read_attributes,
    refuse_later_section,
)
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import LATER_SECTIONS, RULES
from cortenforge.grammar.tables.visual import GROUPS
from cortenforge.problems import each, end_of_reading
from cortenforge.read.include import splice_includes
from cortenforge.read.names import check_names
from cortenforge.read.plugins import replace_plugins
from cortenforge.read.xml import parse, root_place
from cortenforge.spec import Element, Spec
from cortenforge.spec.editing.expand import expand
from cortenforge.spec.files import STRING, Library, Source, from_disk, in_memory, inside
from cortenforge.spec.nodes.actuators import read_actuators
from cortenforge.spec.nodes.assets import read_assets
from cortenforge.spec.nodes.classes import DefaultClasses, read_defaults
from cortenforge.spec.nodes.custom import read_custom, read_key
from cortenforge.spec.nodes.sensors import read_sensors
from cortenforge.spec.nodes.skins import read_skins
from cortenforge.spec.nodes.softs import read_softs
from cortenforge.spec.nodes.tree import Known, read_tree
from cortenforge.spec.nodes.wiring import read_wiring
from cortenforge.spec.spec import Visual

# models that attach models that attach ...
MOST_NESTED = 50

URDF_ROOT = "robot"


@collected_later()
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
    library = Library(source.folder, in_memory(assets), sandbox)
    place = root_place(source)
    if place.element == URDF_ROOT:
        raise MjcfError(
            "this is URDF, not MJCF", place, hint="Model.from_urdf reads it; load_model reads both"
        )
    return _read(source, library, ())


def _read(source: Source, library: Library, around: tuple[Source, ...]) -> Spec:
    """One document; `around` are the models that attach it, outermost first."""
    root = parse(source)
    if root.tag != "mujoco":
        raise MjcfError(f"expected <mujoco> as the root element, found <{root.tag}>", root.where)
    splice_includes(root, source, library)
    return spec_of(root, source, library, around)


def _models(sections: list[Node], library: Library, chain: tuple[Source, ...]) -> dict[str, Spec]:
    """Models that can be attached, by name; the first of a name counts."""
    models: dict[str, Spec] = {}
    for node in _inside(sections, "model"):
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
        if root_place(source).element == URDF_ROOT:
            from cortenforge.read.urdf.document import read_robot  # which reads MJCF in the end

            child = read_robot(source, library.of(source))
        else:
            child = _read(source, library.of(source), chain)
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
        return Source(data, STRING, STRING, "", line)
    if not text:
        raise MjcfError("expected the path of a model file or a string of XML, found nothing")
    where = Location(path)
    if not _is_there(path):
        raise MjcfError(
            "there is no such file",
            where,
            hint="a string of XML begins with '<'" if "<" in path else None,
        )
    if sandbox and not inside(path, os.path.dirname(path) or "."):
        raise MjcfError("this link leads outside its folder, and sandbox=True forbids that", where)
    source = from_disk(path, where)
    return Source(source.data, source.label, source.identity, source.folder or ".")


def _is_there(path: str) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def is_urdf(model: str | os.PathLike[str], *, sandbox: bool = False) -> bool:
    """True when a file, or a string of XML, has URDF's root element."""
    return root_place(open_model(model, sandbox)).element == URDF_ROOT


def spec_of(root: Node, source: Source, library: Library, around: tuple[Source, ...] = ()) -> Spec:
    """Every section of the document, merged and expanded."""
    replace_plugins(root)
    check_root(root)
    attributes = read_attributes(root, RULES["mujoco"])
    sections: dict[str, list[Node]] = {}
    for node in root.children:
        sections.setdefault(node.tag, []).append(node)
    compiler = _merged("compiler", sections.get("compiler", []), root)
    numerics, texts, tuples = read_custom(sections.get("custom", []))
    defaults = read_defaults(sections.get("default", []))
    classes = DefaultClasses(defaults)
    models = _models(sections.get("asset", []), library, (*around, source))
    known = Known(classes, defaults, models)
    actuators = read_actuators(sections.get("actuator", []), classes)
    wiring = read_wiring(sections, classes)
    assets = read_assets(sections.get("asset", []), classes)
    option = _merged("option", sections.get("option", []), root)
    option.children.clear()
    world = read_tree(sections.get("worldbody", []), known, _place(root, "worldbody"))
    spec = Spec(
        modelname=str(attributes.get("model", RULES["mujoco"].fallback["model"])),
        file=source.label,
        compiler=compiler,
        option=option,
        flag=_merged("flag", _inside(sections.get("option", []), "flag"), root),
        size=_merged("size", sections.get("size", []), root),
        statistic=_merged("statistic", sections.get("statistic", []), root),
        visual=_visual(sections.get("visual", []), root),
        defaults=defaults,
        classes=classes,
        worldbody=world,
        library=library,
        numerics=numerics,
        texts=texts,
        tuples=tuples,
        keys=_keys(sections.get("keyframe", [])),
        textures=assets["texture"],
        materials=assets["material"],
        hfields=assets["hfield"],
        meshes=assets["mesh"],
        skins=read_skins(sections.get("asset", []), sections.get("deformable", [])),
        softs=read_softs(sections.get("deformable", []), classes),
        sensors=read_sensors(sections.get("sensor", [])),
        contacts=wiring.contact,
        equalities=wiring.equality,
        tendons=wiring.tendon,
        actuators=actuators,
    )
    expand(spec, models)
    check_names(spec)
    if not around:
        end_of_reading()
    return spec


def check_root(root: Node) -> None:
    """Refuse top-level elements that are unknown or are not supported yet."""
    for node in root.children:
        if node.tag in LATER_SECTIONS:
            refuse_later_section(node)
    root.children = [node for node in root.children if node.tag not in LATER_SECTIONS]
    check_children(root, RULES["mujoco"])


def _merged(tag: str, nodes: list[Node], root: Node) -> Element:
    """One element from all sections of a tag: later values replace earlier ones."""
    rule = RULES[tag]
    values: dict[str, Value] = {}
    children: dict[str, list[Node]] = {}
    for node in nodes:
        check_children(node, rule)
        given, _ = overlay(rule, read_attributes(node, rule), values)
        values |= _with_earlier_groups(given, values)
        for child in node.children:
            children.setdefault(child.tag, []).append(child)
    where = nodes[-1].where if nodes else _place(root, tag)
    merged = Element(tag, where, values, fallback=rule.fallback)
    merged.children = [_merged(child, found, root) for child, found in children.items()]
    return merged


def _with_earlier_groups(given: dict[str, Value], earlier: Mapping[str, Value]) -> dict[str, Value]:
    """Disabled actuator groups add up over repeated option sections, where all else replaces."""
    name = "actuatorgroupdisable"
    before, now = earlier.get(name), given.get(name)
    if isinstance(before, np.ndarray) and isinstance(now, np.ndarray):
        return {**given, name: np.union1d(before, now)}
    return given


def _visual(sections: list[Node], root: Node) -> Visual:
    for section in sections:
        read_attributes(section, RULES["visual"])
        check_children(section, RULES["visual"])
    return Visual({group: _merged(group, _inside(sections, group), root) for group in GROUPS})


def _keys(sections: list[Node]) -> list[Element]:
    keys: list[Element] = []
    for section in sections:
        read_attributes(section, RULES["keyframe"])
        check_children(section, RULES["keyframe"])
        keys += each(read_key, section.children)
    return keys


def _inside(sections: list[Node], tag: str) -> list[Node]:
    return [child for section in sections for child in section.children if child.tag == tag]


def _place(root: Node, tag: str) -> Location:
    """Where a section that the document does not have would be reported."""
    return Location(root.where.file, root.where.line, tag)
