"""Tree of elements to bodies; frames are composed into the poses of what they contain."""

from __future__ import annotations

from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body, BodyPart, Camera, Geom, Joint, Light, Site
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag
from cortenforge.spec.rotation import IDENTITY_POSE, Pose, compose_poses

BODY_PART_TAGS = {
    "joint": ("joints", Joint),
    "freejoint": ("joints", Joint),
    "geom": ("geoms", Geom),
    "site": ("sites", Site),
    "camera": ("cameras", Camera),
    "light": ("lights", Light),
}
#: an element that is still to be placed, with the body and the frame that it belongs to
PendingElement = tuple[Element, Body, Pose]


def gather_bodies(worldbody: Element, settings: CompilerSettings) -> Body:
    """The world with everything below it, in document order, each with the frame around it."""
    world = Body(worldbody)
    # elements still to place, with the body and frame they belong to; last in is next out
    pending: list[PendingElement] = []
    _push_children(pending, worldbody, world, IDENTITY_POSE)
    while pending:
        element, body, frame = pending.pop()
        if element.tag == "frame":
            pose = attempt(element_pose, element, settings) or IDENTITY_POSE
            _push_children(pending, element, body, compose_poses(frame, pose))
        elif element.tag == "body":
            child = Body(element, frame, body, mocap=flag(element, "mocap"))
            body.bodies.append(child)
            _push_children(pending, element, child, IDENTITY_POSE)
        else:
            attempt(_add_to_body, element, body, frame)
    return world


def _push_children(
    pending: list[PendingElement], element: Element, body: Body, frame: Pose
) -> None:
    pending.extend((child, body, frame) for child in reversed(element.children))


def _add_to_body(element: Element, body: Body, frame: Pose) -> None:
    """Add one element to its body."""
    if element.tag in ("joint", "freejoint") and body.parent is None:
        raise element.error("the world body cannot have joints")
    if element.tag == "inertial":
        if body.inertial is not None:
            raise element.error("a body has at most one inertial")
        body.inertial = BodyPart(element, frame)
    elif element.tag in BODY_PART_TAGS:
        place, kind = BODY_PART_TAGS[element.tag]
        getattr(body, place).append(kind(element, frame))
    else:
        raise element.error("not supported yet")
