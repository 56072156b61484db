"""`replicate`: copies of a subtree, each in a frame of its own and with a suffix on its names.

The copies' poses accumulate: each is offset and turned with respect to the one before it.  Objects
that refer to something inside a replicate are copied with it (tendons, actuators, sensors,
tuples, ...) or follow it (targets of cameras and lights); keyframes are not touched, as in
MuJoCo 4.0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import RULES
from cortenforge.problems import give_warning
from cortenforge.spec.editing.keyframes import drop_shares
from cortenforge.spec.element import Element
from cortenforge.spec.replicate.actuators import copy_actuators
from cortenforge.spec.replicate.tuples import copy_tuples
from cortenforge.spec.replicate.wiring import copy_wiring
from cortenforge.spec.rotation import ZERO_VECTOR, Vector, add, from_euler, radians, rotate, vector
from cortenforge.spec.sensor_targets import copy_sensors
from cortenforge.spec.spec import Spec

NAME_ATTRIBUTES = {
    "body": ("body", "xbody"),
    "joint": ("joint",),
    "freejoint": ("joint",),
    "geom": ("geom",),
    "site": ("site",),
    "camera": ("camera",),
    "light": ("light",),
}


def replica_count(element: Element) -> int:
    """Number of replicas of a `replicate` element."""
    count = element["count"] if element.tag == "replicate" else 1
    return count if isinstance(count, int) else 1


def referring_element_count(spec: Spec) -> int:
    """Elements that refer to the tree, and those inside them."""
    sections = (spec.contacts, spec.tendons, spec.equalities, spec.actuators, spec.sensors)
    return sum(1 + len(one.children) for section in (*sections, spec.tuples) for one in section)


def replicas(element: Element, spec: Spec, most: int) -> list[Element]:
    """Frames that take the place of a replicate, which has no other replicate in it any more.

    What refers to the inside is copied in the lists of the description; `most` bounds the
    elements of all lists together.
    """

    def room() -> int:
        return max(0, most - referring_element_count(spec))

    names = _names_inside(element)
    for soft in spec.softs:
        for tie in soft.children_of("tie"):
            for kind in ("body", "site"):
                if (kind, tie[kind]) in names:
                    raise tie.error("elements in a <replicate> cannot be tied to vertices", kind)
    if element["prefix"] is not None:
        give_warning(
            f"{element.where}: prefix has no effect, as in MuJoCo: replicas get a suffix, see sep",
        )
    suffixes = _suffixes(element)
    lists = {"contact": spec.contacts, "tendon": spec.tendons, "equality": spec.equalities}
    copy_wiring(names, lists, suffixes, room)
    spec.actuators[:] = copy_actuators(spec.actuators, names, suffixes, room())
    before = list(spec.sensors)
    spec.sensors[:] = copy_sensors(spec.sensors, names, suffixes, room())
    kept = {one.name for one in spec.sensors}
    names |= {("sensor", one.name) for one in before if one.name and one.name not in kept}
    if spec.tuples:
        spec.tuples[:] = copy_tuples(spec, names, suffixes, room())
    return _replica_frames(element, suffixes, spec.compiler)


def _suffixes(element: Element) -> list[str]:
    """The separator and a number, padded with zeros to the width of the count."""
    count = replica_count(element)
    width = len(str(count))
    return [f"{element['sep']}{index:0{width}d}" for index in range(count)]


def _replica_frames(element: Element, suffixes: list[str], compiler: Element) -> list[Element]:
    """One frame a replica, posed after the one before it."""
    offset, euler = _vector3_attribute(element, "offset"), _vector3_attribute(element, "euler")
    unit = radians if compiler["angle"] == "degree" else float
    frames: list[Element] = []
    pos = ZERO_VECTOR
    for index, suffix in enumerate(suffixes):
        # turning by a multiple of the angles keeps full precision over many replicas
        turns = (unit(index * angle) for angle in euler)
        quat = from_euler(turns, str(compiler["eulerseq"]))
        attributes: dict[str, Value] = {"pos": np.array(pos), "quat": np.array(quat)}
        if "childclass" in element.attributes:
            attributes["childclass"] = element.attributes["childclass"]
        where = replace(element.where, element="frame")
        frame = Element("frame", where, attributes, fallback=RULES["frame"].fallback)
        frame.children = [_replica(child, suffix) for child in element.children]
        if index == 0:
            # keyframes of attached models are about the first replica only
            drop_shares(element)
        frames.append(frame)
        pos = add(pos, rotate(quat, offset))
    return frames


def _vector3_attribute(element: Element, name: str) -> Vector:
    """An attribute of three numbers."""
    value = element[name]
    return vector(value) if isinstance(value, np.ndarray) else ZERO_VECTOR


def _replica(element: Element, suffix: str) -> Element:
    """A copy of an element and all below it, with the suffix on names and on targets."""
    copy = element.copy()
    for one in copy.walk():
        if one.name:
            one.rename(one.name + suffix)
        target = one.attributes.get("target")
        if isinstance(target, str) and target:
            one.attributes["target"] = target + suffix
    return copy


def _names_inside(element: Element) -> set[tuple[str, str]]:
    """Kind and name of every object inside a replicate."""
    return {
        (kind, inner.name)
        for inner in element.walk()
        if inner.name
        for kind in NAME_ATTRIBUTES.get(inner.tag, ())
    }
