"""Objects with a frame, by type and number: bodies, geoms, sites and cameras."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, linear, spatial_of
from cortenforge.math.vector import cross
from cortenforge.step.sensing.kinds import BODY, CAMERA, GEOM, SITE, XBODY


@kernel(lanes=True)
def body_of(m, kind: int, number: int):
    """The body that carries an object."""
    if kind == GEOM:
        return m.geom_bodyid[number]
    if kind == SITE:
        return m.site_bodyid[number]
    if kind == CAMERA:
        return m.cam_bodyid[number]
    return number


@kernel(lanes=True)
def place_of(d, kind: int, number: int):
    """Where an object is; a body, in MuJoCo's words, is where its centre of mass is."""
    if kind == GEOM:
        return d.geom_xpos[number]
    if kind == SITE:
        return d.site_xpos[number]
    if kind == BODY:
        return d.xipos[number]
    if kind == XBODY:
        return d.xpos[number]
    return d.cam_xpos[number]


@kernel(lanes=True)
def axes_of(d, kind: int, number: int):
    """How an object is turned, as a matrix."""
    if kind == GEOM:
        return d.geom_xmat[number]
    if kind == SITE:
        return d.site_xmat[number]
    if kind == BODY:
        return d.ximat[number]
    if kind == XBODY:
        return d.xmat[number]
    return d.cam_xmat[number]


@kernel(lanes=True)
def rotation_of(m, d, kind: int, number: int):
    """How an object is turned, as a quaternion.

    As in MuJoCo, that of a camera is of how it is mounted, also if it looks elsewhere.
    """
    if kind == GEOM:
        return d.xquat[m.geom_bodyid[number]] * m.geom_quat[number]
    if kind == SITE:
        return d.xquat[m.site_bodyid[number]] * m.site_quat[number]
    if kind == BODY:
        return d.xquat[number] * m.body_iquat[number]
    if kind == XBODY:
        return d.xquat[number]
    return d.xquat[m.cam_bodyid[number]] * m.cam_quat[number]


@kernel(lanes=True)
def motion_at(m, d, body: int, point, motion):
    """A motion of a body about its tree's centre, as it is at a point.

    Mirrors mju_transformSpatial.
    """
    offset = point - d.subtree_com[m.body_rootid[body]]
    return spatial_of(angular(motion), linear(motion) + cross(angular(motion), offset))


@kernel(lanes=True)
def velocity_of(m, d, kind: int, number: int):
    """Angular and linear velocity of an object, in world axes.  Mirrors mj_objectVelocity."""
    body = body_of(m, kind, number)
    return motion_at(m, d, body, place_of(d, kind, number), d.cvel[body])


@kernel(lanes=True)
def acceleration_of(m, d, kind: int, number: int):
    """Angular and linear acceleration, gravity felt as one upwards, in world axes.

    Mirrors mj_objectAcceleration.
    """
    body = body_of(m, kind, number)
    point = place_of(d, kind, number)
    moving = motion_at(m, d, body, point, d.cvel[body])
    change = motion_at(m, d, body, point, d.cacc[body])
    # the frame in which the change is written turns along
    turned = cross(angular(moving), linear(moving))
    return spatial_of(angular(change), linear(change) + turned)
