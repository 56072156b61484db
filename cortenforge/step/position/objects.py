"""Frames and spatial motions of objects by type and id: bodies, geoms, sites, cameras.

    motion at a point = (w, v + w x (point - com of the tree))     of a motion (w, v) at the com
    acceleration at a point = (alpha, a + alpha x (point - com) + w x v),   v: its velocity
    Jdot qvel = sum over the dofs above of cdof_dot qvel:   acceleration of a body when qacc = 0

Source: MuJoCo: API reference, mj_objectVelocity and mj_objectAcceleration.
"""

from __future__ import annotations

from cortenforge.enums import ObjType
from cortenforge.kernel import kernel, spatial
from cortenforge.math.spatial import angular, linear, linear_at, spatial_of
from cortenforge.math.vector import cross
from cortenforge.step.apply_force import last_dof_of_body

#: types of objects as plain numbers
ANYTHING = int(ObjType.UNKNOWN)
BODY = int(ObjType.BODY)
XBODY = int(ObjType.XBODY)
GEOM = int(ObjType.GEOM)
SITE = int(ObjType.SITE)
CAMERA = int(ObjType.CAMERA)


@kernel(lanes=True)
def object_body(m, kind: int, number: int):
    """Body that carries an object."""
    if kind == GEOM:
        return m.geom_bodyid[number]
    if kind == SITE:
        return m.site_bodyid[number]
    if kind == CAMERA:
        return m.cam_bodyid[number]
    return number


@kernel(lanes=True)
def object_position(d, kind: int, number: int):
    """World position of an object; of a body (in contrast to xbody) its com."""
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
def object_axes(d, kind: int, number: int):
    """Rotation matrix of an object."""
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
def object_quat(m, d, kind: int, number: int):
    """Quaternion of an object; of a camera, that of its mounting, whatever it tracks."""
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
def motion_at_point(m, d, body: int, point, motion):
    """Spatial motion of a body at a point, from that about its tree's com.

    Mirrors mju_transformSpatial.
    """
    offset = point - d.subtree_com[m.body_rootid[body]]
    return spatial_of(angular(motion), linear_at(motion, offset))


@kernel(lanes=True)
def acceleration_at_point(m, d, body: int, point, acceleration):
    """(angular, linear) acceleration of a point of a body, from that about its tree's com.

    The spatial acceleration at a point is of whatever passes there; w x v is what the body's own
    point has in addition.
    """
    velocity = motion_at_point(m, d, body, point, d.cvel[body])
    change = motion_at_point(m, d, body, point, acceleration)
    centripetal = cross(angular(velocity), linear(velocity))
    return spatial_of(angular(change), linear(change) + centripetal)


@kernel
def body_jdotv(m, d, body: int):
    """Jdot qvel of a body: its spatial acceleration when qacc = 0, about its tree's com."""
    total = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = last_dof_of_body(m, body)
    while i >= 0:
        total = total + d.cdof_dot[i] * d.qvel[i]
        i = m.dof_parentid[i]
    return total


@kernel(lanes=True)
def velocity_of_object(m, d, kind: int, number: int):
    """(angular, linear) velocity of an object, in world axes.  Mirrors mj_objectVelocity."""
    body = object_body(m, kind, number)
    return motion_at_point(m, d, body, object_position(d, kind, number), d.cvel[body])


@kernel(lanes=True)
def acceleration_of_object(m, d, kind: int, number: int):
    """(angular, linear) acceleration of an object, minus gravity, in world axes.

    Mirrors mj_objectAcceleration.
    """
    body = object_body(m, kind, number)
    return acceleration_at_point(m, d, body, object_position(d, kind, number), d.cacc[body])
