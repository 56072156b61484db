"""Optional simplifications of the tree: weld static bodies to parents, drop visual geoms."""

from __future__ import annotations

from cortenforge.compile.elements.body_inertia import (
    MIN_BODY_INERTIA,
    combined_inertia,
    finish_inertia,
    inertia_from_geoms,
)
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body, depth_first
from cortenforge.spec.attribute import keyword, number
from cortenforge.spec.rotation import MIN_NORM, compose_poses, rotate


def fuse_static_bodies(
    world: Body,
    kept: set[str],
    settings: CompilerSettings,
    *,
    in_fluid: bool,
    force_sites: set[str],
) -> None:
    """Merge static bodies into their parents, unless named elsewhere or used by the physics.

    kept:        names of bodies that others refer to.
    force_sites: names of sites of force and torque sensors: their bodies stay.
    """
    for body in depth_first(world)[1:]:
        static = not body.joints and not body.mocap and body.name not in kept
        static = static and force_sites.isdisjoint(site.name for site in body.sites if site.name)
        if static and _can_fuse(body, settings, in_fluid=in_fluid):
            _fuse_into_parent(body, settings)


def _can_fuse(body: Body, settings: CompilerSettings, *, in_fluid: bool) -> bool:
    """True when a body can become part of its parent without a change of the physics."""
    element, parent = body.element, body.holder
    if keyword(element, "fuse") == "false" or keyword(element, "sleep") != "auto":
        return False
    if parent.parent is None:
        return True
    empty = body.mass < MIN_BODY_INERTIA and not body.geoms
    from_geoms = settings.of(element).inertiafromgeom == "true"
    if from_geoms and (body.adjusted or parent.adjusted) and not empty:
        return False
    if in_fluid and any(geom.fluid[0] for geom in body.geoms):
        return False
    lifted = number(element, "gravcomp") != number(parent.element, "gravcomp")
    return body.mass < MIN_BODY_INERTIA or not (in_fluid or lifted)


def _fuse_into_parent(body: Body, settings: CompilerSettings) -> None:
    parent = body.holder
    _hand_over_children(body, parent)
    for kind in ("geoms", "sites", "cameras", "lights"):
        for part in getattr(body, kind):
            part.pos, part.quat = compose_poses(body.pose, (part.pos, part.quat))
            getattr(parent, kind).append(part)
    for light in body.lights:
        light.dir = rotate(body.pose[1], light.dir)
    if parent.parent is not None:
        _add_inertia(body, parent, settings)


def _hand_over_children(body: Body, parent: Body) -> None:
    """Replace the body by its children in the parent's list, with their poses in the parent."""
    for child in body.bodies:
        child.parent = parent
        child.pose = compose_poses(body.pose, child.pose)
    at = parent.bodies.index(body)
    parent.bodies[at : at + 1] = body.bodies


def _add_inertia(body: Body, parent: Body, settings: CompilerSettings) -> None:
    """Add the body's inertia to the parent's; from all geoms if both inferred theirs."""
    settings = settings.of(parent.element)
    from_geoms = body.inferred and parent.inferred and not body.adjusted and not parent.adjusted
    if from_geoms:
        inertia_from_geoms(parent, settings)
        finish_inertia(parent, settings)
    elif body.mass >= MIN_BODY_INERTIA:
        parts = [
            (parent.mass, parent.inertia, parent.inertial_pose),
            (body.mass, body.inertia, compose_poses(body.pose, body.inertial_pose)),
        ]
        parent.mass, parent.inertia, parent.ipose = combined_inertia(parts, body.element, settings)
        parent.inferred = False


def discard_visual_geoms(world: Body, kept: set[str], settings: CompilerSettings) -> None:
    """Drop geoms without effect on the physics, unless named elsewhere; inertia stays as it is."""
    for body in depth_first(world):
        dropped = {
            geom
            for geom in body.geoms
            if geom.visual and not geom.fluid[0] and not (geom.name and geom.name in kept)
        }
        for geom in dropped:
            if settings.of(body.element).inertiafromgeom == "true" and geom.mass > MIN_NORM:
                raise geom.element.error(
                    "cannot be discarded: the inertia of the body is inferred from it",
                    hint='<compiler inertiafromgeom="auto"/> keeps the inertia',
                )
            body.inferred = body.inferred and geom.mass <= MIN_NORM
        body.geoms = [geom for geom in body.geoms if geom not in dropped]
