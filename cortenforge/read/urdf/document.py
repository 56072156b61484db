"""A URDF file, or a string of URDF, to a `Spec`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from cortenforge.errors import MjcfError, UrdfError
from cortenforge.garbage import collection_deferred
from cortenforge.grammar.attributes import read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rules import RULES as MJCF
from cortenforge.problems import attempt, stop_if_problems
from cortenforge.read.document import URDF_ROOT, open_model, spec_from_root
from cortenforge.read.urdf.grammar import RULES
from cortenforge.read.urdf.joints import WORLD_LINK, Joints
from cortenforge.read.urdf.links import LinkContext, link_body, named_colours
from cortenforge.read.urdf.meshes import MeshTable
from cortenforge.read.urdf.nodes import (
    UniqueNames,
    UnusedNotes,
    note_unused_children,
    only_child,
    typed_attributes,
)
from cortenforge.read.urdf.packages import Packages
from cortenforge.read.urdf.tree import LinkTree, link_tree
from cortenforge.read.xml import parse_xml
from cortenforge.spec import Element, Spec
from cortenforge.spec.files import Library, Source, in_memory
from cortenforge.upward import PackagePath

# what a URDF says where MJCF would say the key
READ_ATTRIBUTES = {
    "fullinertia": "ixx iyy izz ixy ixz iyz",
    "range": "lower upper",
    "actuatorfrcrange": "effort",
    "frictionloss": "friction",
    "file": "filename",
}
# MuJoCo's settings for URDF: those that a file may change, and those that it may not
URDF_DEFAULTS = {"fusestatic": "true", "discardvisual": "true"}
URDF_SETTINGS = {"angle": "radian", "eulerseq": "XYZ"}


@collection_deferred()
def read_urdf(
    model: str | os.PathLike[str],
    *,
    assets: Mapping[str, bytes] | None = None,
    sandbox: bool = False,
    package_path: str | os.PathLike[str] | PackagePath | None = None,
    mimic: bool = True,
) -> Spec:
    """Read a robot from a path, or from a string that begins with `<`.

    `assets` and `sandbox` are as for MJCF.  `package_path` says where packages are: folders that
    hold them, or a folder for each name.  With `mimic=False` joints do not follow others.
    """
    with raising_urdf_errors():
        source = open_model(model, sandbox)
        library = Library(source.folder, in_memory(assets), sandbox, main=source.label)
    path = [package_path] if isinstance(package_path, str | os.PathLike) else package_path
    return _read_urdf_document(source, library, path or [], mimic=mimic)


def read_robot(source: Source, library: Library) -> Spec:
    """A robot that an MJCF model attaches."""
    return _read_urdf_document(source, library, [], mimic=True)


def _read_urdf_document(
    source: Source, library: Library, path: PackagePath, *, mimic: bool
) -> Spec:
    with raising_urdf_errors():
        root = parse_xml(source, loose=True)
        if root.tag != URDF_ROOT:
            raise UrdfError(
                f"expected <robot> as the root element, found <{root.tag}>",
                root.where,
                hint="load_model reads MJCF and URDF" if root.tag == "mujoco" else None,
            )
        notes = UnusedNotes(source.label)
        mjcf, inertial = _mjcf_document(root, notes, library, path, mimic=mimic)
        spec = spec_from_root(mjcf, source, library)
        if inertial is not None:
            spec.worldbody.children.append(_world_inertia(inertial, spec.worldbody))
        notes.warn()
        # a link that was refused is an empty body, which would be refused once more
        stop_if_problems()
        return spec


@contextmanager
def raising_urdf_errors() -> Iterator[None]:
    """Raise errors of the block as UrdfErrors, with URDF's names."""
    try:
        yield
    except MjcfError as error:
        raise in_urdf(error) from None


def in_urdf(error: MjcfError) -> UrdfError:
    """An error in URDF's words."""
    if isinstance(error, UrdfError):
        return error
    attribute = READ_ATTRIBUTES.get(error.attribute or "", error.attribute)
    hint = error.hint
    if hint is not None:
        hint = re.sub(r"<compiler [^>]*/>", r"<mujoco>\g<0></mujoco> in <robot>", hint)
    return UrdfError(error.message, error.where, attribute=attribute, got=error.got, hint=hint)


def _mjcf_document(
    root: Node, notes: UnusedNotes, library: Library, path: PackagePath, *, mimic: bool
) -> tuple[Node, Node | None]:
    """The robot as a MJCF document, and the inertia of its world, which MJCF cannot say."""
    _refuse_macros(root)
    name = typed_attributes(root, notes).get("name")
    note_unused_children(root, notes)
    for material in (node for node in root.children if node.tag == "material"):
        note_unused_children(material, notes)
    sections = _mujoco_sections(root, notes)
    settings = sections["compiler"].attributes
    meshdir = settings.get("meshdir") or settings.get("assetdir") or ""
    meshes = MeshTable(Packages(library, meshdir, path), settings.get("strippath") == "true")
    looks = LinkContext(
        notes,
        meshes,
        UniqueNames("geom", notes),
        named_colours(root, notes),
        settings.get("discardvisual") != "true",
    )
    tree = link_tree(root, notes)
    bodies = {number: _body_node(link, looks) for number, link in enumerate(tree.links)}
    equality = Node("equality", root.where, {}, _add_joints(root, tree, bodies, notes, mimic=mimic))
    world, inertial = _nest_bodies(tree, bodies, root)
    asset = Node("asset", root.where, {}, meshes.nodes)
    model = {} if name is None else {"model": str(name)}
    return Node("mujoco", root.where, model, [*sections.values(), asset, world, equality]), inertial


def _refuse_macros(root: Node) -> None:
    """Macros of xacro must be expanded by xacro."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.tag.startswith("xacro:"):
            raise UrdfError(
                f"<{node.tag}> is a macro, which only xacro expands",
                node.where,
                hint="xacro robot.urdf.xacro > robot.urdf writes the file to load",
            )
        pending.extend(reversed(node.children))


def _mujoco_sections(root: Node, notes: UnusedNotes) -> dict[str, Node]:
    """MuJoCo's own sections: what they say, over the settings that URDF usually has."""
    sections = {"compiler": Node("compiler", root.where, {})}
    extension = only_child(root, "mujoco")
    if extension is not None:
        note_unused_children(extension, notes)
        for tag in RULES["mujoco"].children:
            section = only_child(extension, tag)
            if section is not None:
                sections[tag] = _mjcf_section(section, notes)
    compiler = sections["compiler"]
    compiler.attributes = {**URDF_DEFAULTS, **compiler.attributes, **URDF_SETTINGS}
    return sections


def _mjcf_section(node: Node, notes: UnusedNotes) -> Node:
    """A section with the attributes and children that MJCF has; others are noted."""
    rule = MJCF[node.tag]
    kept = Node(node.tag, node.where, {}, folder=node.folder)
    for name, text in node.attributes.items():
        if name in rule.attributes or name in rule.later_attributes:
            kept.attributes[name] = text
        else:
            notes.leave_out(f"{node.tag}/{name}", node.where)
    for one in node.children:
        if one.tag in rule.children:
            kept.children.append(_mjcf_section(one, notes))
        else:
            notes.leave_out(f"{node.tag}/{one.tag}", one.where)
    return kept


def _body_node(link: Node, looks: LinkContext) -> Node:
    """A link's body, empty if it is refused and problems are gathered."""
    return attempt(link_body, link, looks) or Node("body", link.where, {"name": link.where.name})


def _add_joints(
    root: Node, tree: LinkTree, bodies: Mapping[int, Node], notes: UnusedNotes, *, mimic: bool
) -> list[Node]:
    """Give bodies their joints, in document order; returns equalities between joints."""
    lower = {id(joint): number for number, joint in enumerate(tree.above) if joint is not None}
    joints = Joints(notes, UniqueNames("joint", notes))
    found = [node for node in root.children if node.tag == "joint"]
    for node in found:
        attempt(joints.add, node, bodies[lower[id(node)]])
    if not mimic:
        return []
    made = [attempt(joints.mimic, node) for node in found]
    return [one for one in made if one is not None]


def _nest_bodies(
    tree: LinkTree, bodies: Mapping[int, Node], root: Node
) -> tuple[Node, Node | None]:
    """Hang every body below its parent; a link called world is the world."""
    world = Node("worldbody", root.where, {})
    inertial = None
    for number, parent in tree.downwards():
        body = bodies[number]
        above = world if parent is None else bodies[parent]
        if body.attributes.get("name") == WORLD_LINK:
            inertial = next((one for one in body.children if one.tag == "inertial"), None)
            world.children += [one for one in body.children if one is not inertial]
            body.children = world.children
        else:
            above.children.append(body)
    return world, inertial


def _world_inertia(node: Node, world: Element) -> Element:
    rule = MJCF["inertial"]
    values = read_attributes(node, rule)
    return Element("inertial", node.where, values, fallback=rule.fallback, home=world)
