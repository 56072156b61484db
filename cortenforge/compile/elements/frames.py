"""Tree of elements to bodies; frames are composed into the poses of what they contain."""

from __future__ import annotations

from cortenforge.compile.elements.orientation import pose_of
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import (
    Body,
    Camera,
    Geom,
    Joint,
    Light,
    Placed,
    Site,
)
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag
from cortenforge.spec.rotation import IDENTITY, Pose, compose

PARTS = {
    "joint": ("joints", Joint),
    "freejoint": ("joints", Joint),
    "geom": ("geoms", Geom),
    "site": ("sites", Site),
    "camera": ("cameras", Camera),
    "light": ("lights", Light),
}
#: an element that is still to be placed, with the body and the frame that it belongs to
Waiting = tuple[Element, Body, Pose]


def gather_bodies(worldbody: Element, settings: CompilerSettings) -> Body:
    """The world with everything below it, in document order, each with the frame around it."""
    world = Body(worldbody)
    # elements still to place, with the body and frame they belong to; last in is next out
    pending: list[Waiting] = []
    _push_children(pending, worldbody, world, IDENTITY)
    while pending:
        element, body, frame = pending.pop()
        if element.tag == "frame":
            pose = attempt(pose_of, element, settings) or IDENTITY
            _push_children(pending, element, body, compose(frame, pose))
        elif element.tag == "body":
            child = Body(element, frame, body, mocap=flag(element, "mocap"))
            body.bodies.append(child)
            _push_children(pending, element, child, IDENTITY)
        else:
            attempt(_place, element, body, frame)
    return world


def _push_children(pending: list[Waiting], element: Element, body: Body, frame: Pose) -> None:
    pending.extend((child, body, frame) for child in reversed(element.children))


def _place(element: Element, body: Body, frame: Pose) -> None:
    """Add one element to its body."""
    if element.tag in ("joint", "freejoint") and body.parent is None:
        raise element.error("the world body cannot have joints")
    if element.tag == "inertial":
        if body.inertial is not None:
            raise element.error("a body has at most one inertial")
        body.inertial = Placed(element, frame)
    elif element.tag in PARTS:
        place, kind = PARTS[element.tag]
        getattr(body, place).append(kind(element, frame))
    else:
        raise element.error("not supported yet")
