"""One body at a time: pose, geoms, inertia, joints, sites, cameras, lights."""

from __future__ import annotations

from cortenforge.compile.elements.body_inertia import (
    explicit_inertia,
    finish_inertia,
    inertia_from_geoms,
    mass_counts,
)
from cortenforge.compile.elements.cameras_and_lights import compile_camera, compile_light
from cortenforge.compile.elements.geoms import check_planes, compile_geom, compile_site
from cortenforge.compile.elements.joints import compile_joints
from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body
from cortenforge.enums import JointType
from cortenforge.errors import MjcfError
from cortenforge.problems import attempt, each_valid, raise_or_gather
from cortenforge.spec.attribute import integer
from cortenforge.spec.rotation import IDENTITY_POSE, compose_poses, inverse_pose, rotate


def compile_body(body: Body, settings: CompilerSettings, znear: float) -> None:
    """Fill in a body and what hangs on it; parents come before their children."""
    try:
        _fill_body(body, settings, znear)
    except ArithmeticError as problem:
        raise MjcfError(
            f"values of this body overflow or underflow ({problem})", body.element.where
        ) from problem


def _fill_body(body: Body, settings: CompilerSettings, znear: float) -> None:
    if body.parent is not None:
        body.pose = attempt(element_pose, body.element, settings) or body.pose
    own = settings.of(body.element)
    attempt(explicit_inertia, body, own)
    for geom in body.geoms:
        weighed = mass_counts(body, integer(geom.element, "group"), own)
        attempt(compile_geom, geom, settings, weighed)
    _infer_inertia(body, own)
    body.pose = compose_poses(body.frame, body.pose)
    attempt(compile_joints, body, settings)
    attempt(check_planes, body)
    if body.mocap and body.parent and body.parent.parent is not None:
        raise_or_gather(body.element.error("a mocap body must be a child of the world", "mocap"))
    each_valid(compile_site, body.sites, settings)
    each_valid(compile_camera, body.cameras, settings, znear)
    each_valid(compile_light, body.lights)


def _infer_inertia(body: Body, settings: CompilerSettings) -> None:
    """Infer inertia from geoms where settings say so, then bound and check it."""
    body.inferred = body.parent is not None and (
        settings.inertiafromgeom == "true"
        or (body.ipose is None and settings.inertiafromgeom == "auto")
    )
    if body.inferred:
        attempt(inertia_from_geoms, body, settings)
    if body.ipose is None:
        # MuJoCo's choice for a body without inertia: the body's own numbers, frames left out
        body.ipose = body.pose
    if body.parent is not None:
        attempt(finish_inertia, body, settings)


def align_free_body(body: Body, settings: CompilerSettings) -> None:
    """Move the frame of a free body without children to its inertial frame, if asked."""
    if _wants_alignment(body, settings):
        _align_with_inertia(body)


def _wants_alignment(body: Body, settings: CompilerSettings) -> bool:
    """True when a free body's frame is to be moved to its inertial frame."""
    if len(body.joints) != 1 or body.bodies or body.joints[0].type != JointType.FREE:
        return False
    align = body.joints[0].align
    return align == "true" or (align == "auto" and settings.of(body.element).alignfree)


def _align_with_inertia(body: Body) -> None:
    """Move the body frame to the inertial frame; parts of the body keep their world poses."""
    back = inverse_pose(body.inertial_pose)
    body.pose = compose_poses(body.pose, body.inertial_pose)
    body.ipose = IDENTITY_POSE
    for part in (*body.geoms, *body.sites, *body.cameras, *body.lights):
        part.pos, part.quat = compose_poses(back, (part.pos, part.quat))
    for light in body.lights:
        light.dir = rotate(back[1], light.dir)
