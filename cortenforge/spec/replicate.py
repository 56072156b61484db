"""`replicate`: copies of a subtree, each in a frame of its own and with a suffix on its names.

The copies' poses accumulate: each is offset and turned with respect to the one before it.  Objects
that refer to something inside a replicate are copied with it (tendons, actuators, sensors,
tuples, ...) or follow it (targets of cameras and lights); keyframes are not touched, as in
MuJoCo 4.0.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.spec.element import Element, Value
from cortenforge.spec.replicate_actuators import copy_actuators
from cortenforge.spec.replicate_wiring import Lists, check_room, copy_wiring
from cortenforge.spec.sensor_targets import copy_for_replicas

Vector = tuple[float, ...]

# expanded elements of a model; a larger number is refused before any copy is made
MOST_ELEMENTS = 60_000

NAMED = {
    "body": ("body", "xbody"),
    "joint": ("joint",),
    "freejoint": ("joint",),
    "geom": ("geom",),
    "site": ("site",),
    "camera": ("camera",),
    "light": ("light",),
}


def expand_replicas(
    world: Element, tuples: list[Element], compiler: Element, lists: Lists
) -> list[Element]:
    """Replace every replicate in the tree by frames; returns the tuples, copied where needed.

    Lists of what else refers to the tree are changed in place.
    """
    most = MOST_ELEMENTS - _checked_size(world) + _listed(tuples, lists)
    return _expand(world, tuples, compiler, lists, most)


def _checked_size(world: Element) -> int:
    """Elements of the expanded tree, from counts alone; refused if they are too many."""
    totals: dict[int, int] = {}
    for element in reversed(list(world.walk())):
        inside = sum(totals[id(child)] for child in element.children)
        total = (1 + inside) * _count(element)
        if total > MOST_ELEMENTS:
            limit = f"{MOST_ELEMENTS:,}".replace(",", " ")
            attribute = "count" if element.tag == "replicate" else None
            raise element.error(
                f"the model would grow to {total} elements; the limit is {limit}", attribute
            )
        totals[id(element)] = total
    return totals[id(world)]


def _listed(tuples: list[Element], lists: Lists) -> int:
    """Elements that refer to the tree, and those inside them."""
    listed = (one for section in (tuples, *lists.values()) for one in section)
    return sum(1 + len(one.children) for one in listed)


def _count(element: Element) -> int:
    """How many replicas an element stands for."""
    count = element["count"] if element.tag == "replicate" else 1
    return count if isinstance(count, int) else 1


def _expand(
    parent: Element, tuples: list[Element], compiler: Element, lists: Lists, most: int
) -> list[Element]:
    """Expand below an element, innermost first, so that inner suffixes come first.

    `most` bounds the elements of all lists together.
    """

    def room() -> int:
        return max(0, most - _listed(tuples, lists))

    expanded: list[Element] = []
    for child in parent.children:
        tuples = _expand(child, tuples, compiler, lists, most)
        if child.tag == "replicate":
            suffixes = _suffixes(child)
            names = _names_inside(child)
            copy_wiring(names, lists, suffixes, room)
            lists["actuator"][:] = copy_actuators(lists["actuator"], names, suffixes, room())
            lists["sensor"][:] = copy_for_replicas(lists["sensor"], names, suffixes, room())
            tuples = _copy_tuples(names, tuples, suffixes, room())
            expanded += _frames(child, suffixes, compiler)
        else:
            expanded.append(child)
    parent.children = expanded
    return tuples


def _suffixes(element: Element) -> list[str]:
    """The separator and a number, padded with zeros to the width of the count."""
    count = _count(element)
    width = len(str(count))
    return [f"{element['sep']}{index:0{width}d}" for index in range(count)]


def _frames(element: Element, suffixes: list[str], compiler: Element) -> list[Element]:
    """One frame a replica, posed after the one before it."""
    offset, euler = _three(element, "offset"), _three(element, "euler")
    if compiler["angle"] == "degree":
        euler = tuple(math.radians(angle) for angle in euler)
    frames: list[Element] = []
    pos: Vector = (0.0, 0.0, 0.0)
    for index, suffix in enumerate(suffixes):
        # turning by a multiple of the angles keeps full precision over many replicas
        quat = _euler_quat(tuple(index * angle for angle in euler), str(compiler["eulerseq"]))
        attributes: dict[str, Value] = {"pos": np.array(pos), "quat": np.array(quat)}
        if "childclass" in element.attributes:
            attributes["childclass"] = element.attributes["childclass"]
        frame = Element("frame", replace(element.where, element="frame"), attributes)
        frame.children = [_replica(child, suffix) for child in element.children]
        frames.append(frame)
        pos = tuple(p + step for p, step in zip(pos, _rotate(quat, offset), strict=True))
    return frames


def _three(element: Element, name: str) -> Vector:
    """An attribute of three numbers."""
    value = element[name]
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else (0.0, 0.0, 0.0)


def _replica(element: Element, suffix: str) -> Element:
    """A copy of an element and all below it, with the suffix on names and on targets."""
    copy = element.copy()
    for one in copy.walk():
        for key in ("name", "target"):
            value = one.attributes.get(key)
            if isinstance(value, str) and value:
                one.attributes[key] = value + suffix
        one.where = replace(one.where, name=one.name)
    return copy


def _names_inside(element: Element) -> set[tuple[str, str]]:
    """Kind and name of every object inside a replicate."""
    return {
        (kind, inner.name)
        for inner in element.walk()
        if inner.name
        for kind in NAMED.get(inner.tag, ())
    }


def _copy_tuples(
    names: set[tuple[str, str]], tuples: list[Element], suffixes: list[str], room: int
) -> list[Element]:
    """Tuples of objects inside the replicate become one tuple a replica."""
    kept: list[Element] = []
    copied: list[Element] = []
    for entry in tuples:
        inside = [(item["objtype"], item["objname"]) in names for item in entry.children]
        if all(inside):
            copied.append(entry)
        elif any(inside):
            item = entry.children[inside.index(True)]
            raise MjcfError(
                "a tuple cannot mix objects inside a replicate with others",
                item.where,
                attribute="objname",
                got=item["objname"],
            )
        else:
            kept.append(entry)
    check_room(copied, len(suffixes), room)
    return kept + [_copy_tuple(entry, suffix) for suffix in suffixes for entry in copied]


def _copy_tuple(entry: Element, suffix: str) -> Element:
    copy = _replica(entry, suffix)
    for item in copy.children:
        item.attributes["objname"] = f"{item['objname']}{suffix}"
    return copy


def _euler_quat(angles: Vector, sequence: str) -> Vector:
    """Quaternion of rotations about x, y, z in sequence; capitals turn about fixed axes."""
    quat: Vector = (1.0, 0.0, 0.0, 0.0)
    for angle, axis in zip(angles, sequence, strict=True):
        vector = [0.0, 0.0, 0.0]
        vector["xyz".index(axis.lower())] = math.sin(angle / 2)
        turn = (math.cos(angle / 2), *vector)
        quat = _product(quat, turn) if axis.islower() else _product(turn, quat)
    norm = math.sqrt(sum(part * part for part in quat))
    return tuple(part / norm for part in quat)


def _product(a: Vector, b: Vector) -> Vector:
    """Product of two quaternions."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def _rotate(quat: Vector, vector: Vector) -> Vector:
    """A vector turned by a unit quaternion."""
    conjugate = (quat[0], -quat[1], -quat[2], -quat[3])
    return _product(_product(quat, (0.0, *vector)), conjugate)[1:]
