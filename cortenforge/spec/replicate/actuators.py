"""Actuators that act on replicated objects."""

from __future__ import annotations

from cortenforge.actuators import Transmission
from cortenforge.spec.editing.keyframes import drop_shares
from cortenforge.spec.element import Element
from cortenforge.spec.replicate.wiring import check_replica_room

Names = set[tuple[str, str]]

# attributes of actuators that name what they act on
TARGET_KINDS = {
    attribute: kind.target
    for kind in Transmission
    for attribute in (kind.attribute, kind.second)
    if attribute
}


def copy_actuators(
    actuators: list[Element], names: Names, suffixes: list[str], room: int
) -> list[Element]:
    """Actuators inside a replicate become one a replica, at the end; their names are added."""
    moved = [one for one in actuators if _acts_inside(one, names)]
    check_replica_room(moved, len(suffixes), room)
    names |= {("actuator", one.name) for one in moved if one.name}
    chosen = {id(one) for one in moved}
    kept = [one for one in actuators if id(one) not in chosen]
    copies = []
    for suffix in suffixes:
        copies += [_copy_actuator(one, suffix) for one in moved]
        for one in moved:
            drop_shares(one)
    return kept + copies


def _acts_inside(actuator: Element, names: Names) -> bool:
    """True when all that an actuator acts on is inside the replicate."""
    targets = [
        (kind, str(actuator.attributes[attribute]))
        for attribute, kind in TARGET_KINDS.items()
        if attribute in actuator.attributes
    ]
    return bool(targets) and all(target in names for target in targets)


def _copy_actuator(actuator: Element, suffix: str) -> Element:
    """A replica's copy of an actuator."""
    copy = actuator.copy()
    if actuator.name:
        copy.rename(actuator.name + suffix)
    for attribute in TARGET_KINDS:
        if copy.attributes.get(attribute):
            copy.attributes[attribute] = f"{copy.attributes[attribute]}{suffix}"
    return copy
