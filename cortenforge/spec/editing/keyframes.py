"""Keyframes of attached models: each value stays with the joint, body or actuator it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cortenforge.spec.element import Element, Origin

if TYPE_CHECKING:
    from cortenforge.spec.spec import Spec


@dataclass(frozen=True, eq=False)
class AttachedKeyframe:
    """A keyframe of a model as it was when it was attached, and what its numbers are for.

    The lists are in the order in which that model would be compiled.
    """

    key: Element
    joints: list[Element]
    mocaps: list[Element]
    actuators: list[Element]


def bodies_with_parts(world: Element) -> Iterator[tuple[Element, list[Element]]]:
    """Every body in the order of compiled ids, with what is directly in it, frames taken out."""
    stack = [world]
    while stack:
        body = stack.pop()
        own: list[Element] = []
        inner: list[Element] = []
        pending = list(reversed(body.children))
        while pending:
            one = pending.pop()
            if one.tag == "frame":
                pending.extend(reversed(one.children))
            else:
                (inner if one.tag == "body" else own).append(one)
        yield body, own
        stack.extend(reversed(inner))


def attached_keyframes(
    child: Spec, rename: Callable[[str], str], origin: Origin
) -> Iterable[tuple[Element, AttachedKeyframe | None]]:
    """Keyframes that a model brings when it is attached, each with its values.

    Those that the model itself got from attached models keep their names, as in MuJoCo.
    """
    joints: list[Element] = []
    mocaps: list[Element] = []
    for body, own in bodies_with_parts(child.worldbody):
        joints += [one for one in own if one.tag in ("joint", "freejoint")]
        mocaps += [body] if body["mocap"] else []
    for key in child.keys:
        if key.origin is not None:
            yield key.copy(), None
            continue
        name = rename(key.name)
        fresh = Element("key", replace(key.where, name=name), {"name": name}, origin=origin)
        fresh.fallback = key.fallback
        if "time" in key.attributes:
            fresh.attributes["time"] = key.attributes["time"]
        yield fresh, AttachedKeyframe(key, joints, mocaps, list(child.actuators))


def assign_shares(name: str, moment: AttachedKeyframe) -> None:
    """Give each element of a model its share of a keyframe, for copies of it to keep."""
    for group in (moment.joints, moment.mocaps, moment.actuators):
        for place, element in enumerate(group):
            element.moments[name] = (moment, place)


def drop_shares(element: Element) -> None:
    """Only the first copy of an element has its values in keyframes."""
    for one in element.walk():
        one.moments.clear()
