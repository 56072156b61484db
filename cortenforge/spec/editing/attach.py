"""`attach`: a body, a frame or all of one model becomes part of another, with names of its own.

What comes along: the subtree, the child's default classes, all its assets, numerics and texts, its
keyframes, and everything outside the tree (pairs, tendons, actuators, sensors, ...) that refers to
what is attached.  What refers to something that stays behind stays behind, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import RULES
from cortenforge.problems import give_warning
from cortenforge.spec.editing.keyframes import assign_shares, attached_keyframes, drop_shares
from cortenforge.spec.editing.settings_conflicts import resolve_conflicts
from cortenforge.spec.element import CLASS, MAIN, Element, Origin
from cortenforge.spec.names import WORLD_BODY
from cortenforge.spec.references import element_name, surrounding_class
from cortenforge.spec.replicate.actuators import TARGET_KINDS
from cortenforge.spec.replicate.wiring import wiring_references
from cortenforge.spec.sensor_targets import sensor_objects
from cortenforge.spec.skins import bone_names
from cortenforge.spec.spec import Spec

if TYPE_CHECKING:
    from cortenforge.spec.from_nodes.classes import DefaultClasses

# elements of one model, and how deep they may be nested; more is refused
MAX_ELEMENTS = 45_000
# a part of so few elements may be attached to a model that is large already
UNCHECKED_ELEMENTS = 2000
MAX_TREE_DEPTH = 500

RENAMED_KINDS = {tag: tag for tag in ("body", "joint", "geom", "site", "camera", "light")}
RENAMED_KINDS["freejoint"] = "joint"
# lists that come along whole, with the kind of object that is in each
WHOLE_LISTS = {
    "meshes": "mesh",
    "hfields": "hfield",
    "textures": "texture",
    "materials": "material",
    "numerics": "numeric",
    "texts": "text",
}
# lists of which comes along what refers to the subtree; later ones may refer to earlier ones
REFERRING_LISTS = {
    "contacts": "",
    "tendons": "tendon",
    "equalities": "equality",
    "actuators": "actuator",
    "sensors": "sensor",
    "tuples": "tuple",
}
# attributes that name an asset, in any element
ASSET_ATTRIBUTES = ("material", "mesh", "hfield", "texture")
# lists in which every reference must lead into the subtree, not only one
STRICT_LISTS = ("equalities", "actuators", "tuples")
# kinds of objects that are not copied when a model is attached to itself
SHARED_KINDS = (*WHOLE_LISTS.values(), "skin", "key")


@dataclass
class Namespace:
    """How names change on the way into the parent."""

    prefix: str
    suffix: str
    within: bool  # a model attached to itself shares its assets and classes
    origin: Origin
    known: dict[int, Mapping[str, Value]] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)  # new names of default classes

    def __call__(self, name: str) -> str:
        return f"{self.prefix}{name}{self.suffix}" if name else name

    def key(self, name: str) -> str:
        """The name of a keyframe, which it has in any case."""
        return f"{self.prefix}{name}{self.suffix}"


Names = set[tuple[str, str]]
Reference = tuple[Element, str, str]  # the element, its attribute, the kind of what it names


def attach_subtree(
    parent: Spec,
    child: Spec,
    source: Element,
    place: Element,
    *,
    prefix: str = "",
    suffix: str = "",
) -> Element:
    """Put a copy of a body, frame or worldbody of a model at the end of a place in another.

    `place` is a body or frame of `parent`, or its worldbody; `source` belongs to `child`, which
    may be `parent` itself.  The contents of a worldbody come in a frame; frames around a source
    do not count.  Returns the copy.

    Raises MjcfError when both models set an option and the parent's `conflict` does not say whose
    counts, or when the model grows too large.
    """
    copy = attach_copy(
        source, attachment_namespace(parent, child, prefix, suffix), parent, child, place, place
    )
    parent.link()
    return copy


def attach_copy(
    source: Element,
    space: Namespace,
    parent: Spec,
    child: Spec,
    place: Element,
    asker: Element,
) -> Element:
    """Attach without linking the parent; errors are reported at `asker`."""
    _check_growth(parent, child, source, place, asker)
    if not space.within:
        for soft in child.softs:
            raise asker.error(
                f"a model with deformables cannot be attached: {soft.where}",
                hint="deformables are in world coordinates: add them to the whole model",
            )
        resolve_conflicts(parent, child, asker)
        parent.keys += _attached_keyframes(child, space)
        adopt_classes(parent.classes, parent.defaults, child, space)
    copy = _renamed_subtree(source, space)
    drop_shares(source)
    place.children.append(copy)
    copy.home = place
    names = all_names(parent)
    if not space.within:
        _copy_whole_lists(parent, child, space, names)
    _copy_referring_elements(parent, child, space, names)
    return copy


def adopt_classes(
    classes: DefaultClasses, defaults: list[Element], child: Spec, space: Namespace
) -> None:
    """Add the default sections of an attached model, with new names, beside those that are there.

    A class whose new name is taken gets another one: with an empty prefix, `main` always does.
    """
    guest = (child, space.prefix, space.suffix)
    if guest not in classes.guests:
        taken = set(classes)
        for name in child.classes:
            free = space(name)
            while free in taken:
                free += "_"
            taken.add(free)
            space.classes[name] = free
        classes.guests[guest] = space.classes
        sections = [section.copy() for section in child.defaults]
        if not any(element_name(section) == MAIN for section in child.defaults):
            sections.append(Element(CLASS, child.worldbody.where))
        for section in sections:
            _rename_class(section, space)
            classes.extend(section)
            defaults.append(section)
    space.classes = classes.guests[guest]


def _rename_class(section: Element, space: Namespace) -> None:
    """New names for a class, the classes inside, and the assets that they name."""
    for one in section.walk():
        if one.tag == CLASS:
            one.attributes["class"] = space.classes[str(one["class"] or MAIN)]
        one.attributes = dict(_renamed_assets(one.attributes, space))


def attachment_namespace(
    parent: Spec | None, child: Spec, prefix: str, suffix: str = ""
) -> Namespace:
    """How names change when a model is attached; a parent of None is another model."""
    origin = Origin(child.compiler, child.library)
    return Namespace(prefix, suffix, parent is child, origin)


def _attached_keyframes(child: Spec, space: Namespace) -> list[Element]:
    """Keyframes of the child, with the values of its elements."""
    keys = list(attached_keyframes(child, space.key, space.origin))
    for key, moment in keys:
        if moment is not None:
            assign_shares(key.name, moment)
    return [key for key, _ in keys]


def _check_growth(
    parent: Spec, child: Spec, source: Element, place: Element, asker: Element
) -> None:
    """Check the size and depth of the resulting model before copying; raises an error."""
    total = sum(1 for spec in (parent, child) for part in spec.sections() for _ in part.walk())
    if total > MAX_ELEMENTS and sum(1 for _ in source.walk()) > UNCHECKED_ELEMENTS:
        limit = f"{MAX_ELEMENTS:,}".replace(",", " ")
        raise asker.error(f"the model would grow to {total} elements; the limit is {limit}")
    depth, at = 0, place.parent
    while at is not None:
        depth, at = depth + 1, at.parent
    layer = [source]
    while layer:
        depth, layer = depth + 1, [below for one in layer for below in one.children]
    if depth > MAX_TREE_DEPTH:
        raise asker.error(f"elements are nested deeper than {MAX_TREE_DEPTH} levels")


def _renamed_subtree(source: Element, space: Namespace) -> Element:
    """The copy of what is attached, renamed."""
    around = surrounding_class(source)
    copy = source.copy()
    if source.tag == "worldbody":
        copy.tag, copy.where = "frame", replace(source.where, element="frame")
        copy.fallback = RULES["frame"].fallback
        # a link of a URDF that is the world may have one, which means nothing here
        copy.children = [one for one in copy.children if one.tag != "inertial"]
    for one in copy.walk():
        _rename_element(one, space)
    copy.attributes.setdefault("childclass", around if space.within else space.classes[around])
    return copy


def _rename_element(one: Element, space: Namespace) -> None:
    """New names for an element and for what it refers to, other than objects of the wiring."""
    for attribute in ("name", "target"):
        name = one.attributes.get(attribute)
        if isinstance(name, str):
            one.attributes[attribute] = space(name)
    for attribute in () if space.within else ("class", "childclass"):
        name = one.attributes.get(attribute)
        if isinstance(name, str):
            one.attributes[attribute] = space.classes[name]
    one.where = replace(one.where, name=one.name)
    if not space.within:
        one.origin = one.origin or space.origin
        one.attributes = dict(_renamed_assets(one.attributes, space))
        one.defaults = space.known.setdefault(
            id(one.defaults), _renamed_assets(one.defaults, space)
        )


def _renamed_assets(values: Mapping[str, Value], space: Namespace) -> Mapping[str, Value]:
    """Values with new names of the assets among them."""
    changed = {
        attribute: space(name)
        for attribute, name in values.items()
        if isinstance(name, str)
        and (attribute in ASSET_ATTRIBUTES or attribute.startswith("layer/"))
    }
    return {**values, **changed} if changed else values


def all_names(spec: Spec) -> Names:
    """Kind and name of everything in a model that can be referred to."""
    names = {("body", WORLD_BODY)}
    names |= {
        (RENAMED_KINDS[one.tag], one.name)
        for one in spec.worldbody.walk()
        if one.tag in RENAMED_KINDS
    }
    for listed, kind in (WHOLE_LISTS | REFERRING_LISTS | {"skins": "skin", "keys": "key"}).items():
        names |= {(kind or one.tag, element_name(one)) for one in getattr(spec, listed)}
    return {(kind, name) for kind, name in names if name}


def _copy_whole_lists(parent: Spec, child: Spec, space: Namespace, names: Names) -> None:
    """Assets, numerics and texts, whether the subtree uses them or not."""
    for listed, kind in WHOLE_LISTS.items():
        for one in getattr(child, listed):
            copy = one.copy()
            if element_name(one):
                copy.attributes["name"] = element_name(one)
            for part in copy.walk():
                _rename_element(part, space)
            getattr(parent, listed).append(copy)
            names.add((kind, copy.name))
    _copy_skins(parent, child, space, names)


def _copy_skins(parent: Spec, child: Spec, space: Namespace, names: Names) -> None:
    """Skins whose bones are all there; bones in a file are named as they are now."""
    for one in child.skins:
        copy = one.copy()
        if one["file"] and not one.children:
            named = bone_names(child, one)
            copy.children = [Element("bone", one.where, {"body": name}) for name in named]
        for bone in copy.children:
            bone.attributes["body"] = space(str(bone["body"]))
        if all(("body", bone["body"]) in names for bone in copy.children):
            _rename_element(copy, space)
            parent.skins.append(copy)
            names.add(("skin", copy.name))


def _copy_referring_elements(parent: Spec, child: Spec, space: Namespace, names: Names) -> None:
    """Copy elements outside of the tree that refer to the subtree."""
    in_child = names if space.within else all_names(child)
    for listed, kind in REFERRING_LISTS.items():
        for one in list(getattr(child, listed)):
            copy = one.copy()
            if not _rename_references(listed, copy, space, names, parent):
                _warn_unresolved_references(listed, one, in_child)
                continue
            drop_shares(one)
            _rename_outside(listed, copy, space)
            getattr(parent, listed).append(copy)
            names.add((kind or copy.tag, copy.name))


def _rename_outside(listed: str, copy: Element, space: Namespace) -> None:
    """The name, class and material of an element whose references are renamed already."""
    if listed == "tendons":
        _rename_element(copy, space)
    elif copy.name:
        copy.rename(space(copy.name))
    if space.within:
        return
    for one in copy.walk():
        one.origin = one.origin or space.origin
    if listed == "tendons" and "class" in copy.attributes:
        return  # it has its new class already
    if listed not in ("sensors", "tuples") and copy.tag != "exclude":
        copy.attributes["class"] = space.classes[str(copy.attributes.get("class", MAIN))]


def _references(listed: str, element: Element) -> list[Reference]:
    """What an element names, with the kind of each object."""
    if listed == "actuators":
        pairs = [(element, attribute, kind) for attribute, kind in TARGET_KINDS.items()]
    elif listed == "sensors":
        pairs = [(element, target.attribute, target.kind) for target in sensor_objects(element)]
    elif listed == "tuples":
        pairs = [(one, "objname", str(one["objtype"])) for one in element.children]
        pairs = [(one, name, "body" if kind == "xbody" else kind) for one, name, kind in pairs]
    else:
        pairs = [
            (one, name, kind) for one, given in wiring_references(element) for name, kind in given
        ]
    return [pair for pair in pairs if pair[0].attributes.get(pair[1])]


def _rename_references(
    listed: str, copy: Element, space: Namespace, names: Names, parent: Spec
) -> bool:
    """Rename what an element refers to; False when that is not there and it stays behind.

    A reference that leads nowhere under the new name may be to an object of the parent, as long
    as another one leads into the subtree.
    """
    found = _references(listed, copy)
    inside = False
    for one, attribute, kind in found:
        name = str(one.attributes[attribute])
        if listed == "equalities" and name == WORLD_BODY:
            continue
        if (kind, space(name)) in names:
            one.attributes[attribute] = space(name)
            inside = True
        elif listed == "tuples" and space.within and kind in SHARED_KINDS:
            inside = True
        elif (
            listed in STRICT_LISTS
            or (kind, name) not in names
            or (listed == "tendons" and kind == "geom" and not _can_be_wrapped(parent, name))
        ):
            return False
    return inside or (listed == "sensors" and not found)


def _can_be_wrapped(parent: Spec, name: str) -> bool:
    """True for a geom of the parent that a tendon can go around."""
    geoms = (one for one in parent.worldbody.walk() if one.tag == "geom" and one.name == name)
    return any(one["type"] in ("sphere", "cylinder") for one in geoms)


def _warn_unresolved_references(listed: str, element: Element, names: Names) -> None:
    """Warn of elements with unresolved references, which are left out, as in MuJoCo."""
    for one, attribute, kind in _references(listed, element):
        name = str(one.attributes[attribute])
        if (kind, name) not in names:
            give_warning(
                f"{one.where}: {attribute}={name!r}: left out, there is no {kind} of this name",
            )
