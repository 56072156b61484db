"""What actuators act on: the length of each transmission, and its moment arms.

An output's moment arms stand in the order of `moment_colind`, which the model knows: all dofs that
it can act on, also where an arm happens to be zero.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.rotation import conjugate, rotate, rotation_vector, turn_between
from cortenforge.math.spatial import pairing, wrench_about
from cortenforge.math.vector import abs_sum, cross, dot, into_frame
from cortenforge.step.constants import (
    BALL,
    FREE,
    IN_PARENT,
    ON_BODY,
    ON_CRANK,
    ON_SITE,
    ON_TENDON,
    ON_TURN,
)
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.push import last_dof


@kernel(lanes=True, unit=True)
def transmission(m, d):
    """Length and moment arms of each force output.  Mirrors mj_transmission."""
    for a in range(m.nactuator):
        kind = m.actuator_trntype[a]
        if kind <= IN_PARENT:
            act_on_joint(m, d, a)
        elif kind == ON_CRANK:
            act_on_crank(m, d, a)
        elif kind == ON_TENDON:
            act_on_tendon(m, d, a)
        elif kind == ON_SITE:
            act_on_site(m, d, a)
        elif kind == ON_BODY:
            act_on_contacts(m, d, a)
        elif kind == ON_TURN and m.actuator_trnid[a, 1] < 0:
            act_on_ball(m, d, a)
        elif kind == ON_TURN:
            act_on_turn(m, d, a)


@kernel(lanes=True)
def gear_of(m, out: int, first: int):
    """Three numbers of an output's gear."""
    return vec3(
        m.actuator_gear[out, first],
        m.actuator_gear[out, first + 1],
        m.actuator_gear[out, first + 2],
    )


@kernel(lanes=True)
def store_arms(d, at: int, arms):
    """Three moment arms that follow each other."""
    d.actuator_moment[at] = arms.x
    d.actuator_moment[at + 1] = arms.y
    d.actuator_moment[at + 2] = arms.z


@kernel(lanes=True)
def act_on_joint(m, d, a: int):
    """A joint moves by its gear; gears that turn can be given in the frame of the parent."""
    out = m.actuator_outadr[a]
    joint = m.actuator_trnid[a, 0]
    at = m.jnt_qposadr[joint]
    row = m.moment_rowadr[out]
    if m.jnt_type[joint] == FREE:
        turning = gear_of(m, out, 3)
        if m.actuator_trntype[a] == IN_PARENT:
            turning = rotate(conjugate(quat_at(d.qpos, at + 3)), turning)
        d.actuator_length[out] = 0.0
        store_arms(d, row, gear_of(m, out, 0))
        store_arms(d, row + 3, turning)
    elif m.jnt_type[joint] == BALL:
        turning = gear_of(m, out, 0)
        rot = quat_at(d.qpos, at)
        if m.actuator_trntype[a] == IN_PARENT:
            turning = rotate(conjugate(rot), turning)
        d.actuator_length[out] = dot(rotation_vector(rot), turning)
        store_arms(d, row, turning)
    else:
        d.actuator_length[out] = d.qpos[at] * m.actuator_gear[out, 0]
        d.actuator_moment[row] = m.actuator_gear[out, 0]


@kernel(lanes=True)
def act_on_contacts(m, d, a: int):
    """A body sticks to what it touches: nothing, until contacts are known."""
    out = m.actuator_outadr[a]
    d.actuator_length[out] = 0.0
    row = m.moment_rowadr[out]
    for k in range(m.moment_rownnz[out]):
        d.actuator_moment[row + k] = 0.0


@kernel(lanes=True)
def act_on_tendon(m, d, a: int):
    """A tendon is pulled by its gear, and moves all dofs that change its length."""
    out = m.actuator_outadr[a]
    tendon = m.actuator_trnid[a, 0]
    gear = m.actuator_gear[out, 0]
    d.actuator_length[out] = d.ten_length[tendon] * gear
    start = m.ten_J_rowadr[tendon]
    row = m.moment_rowadr[out]
    for k in range(m.moment_rownnz[out]):
        d.actuator_moment[row + k] = d.ten_J[start + k] * gear


@kernel(lanes=True)
def act_on_site(m, d, a: int):
    """A wrench in the frame of a site; with a reference site, in that one's and against it."""
    out = m.actuator_outadr[a]
    site = m.actuator_trnid[a, 0]
    other = m.actuator_trnid[a, 1]
    pushing = gear_of(m, out, 0)
    turning = gear_of(m, out, 3)
    if other < 0:
        d.actuator_length[out] = 0.0
        wrench = site_wrench(m, d, site, d.site_xmat[site] @ pushing, d.site_xmat[site] @ turning)
        store_row(m, d, out, last_dof(m, m.site_bodyid[site]), wrench, -1, wrench)
    else:
        apart = into_frame(d.site_xmat[other], d.site_xpos[site] - d.site_xpos[other])
        length = dot(apart, pushing)
        turns = abs_sum(turning) != 0.0
        if any_lane(turns):
            turn = turn_between(d.site_xquat[site], d.site_xquat[other])
            length = select(turns, length + dot(turn, turning), length)
        d.actuator_length[out] = length
        force = d.site_xmat[other] @ pushing
        torque = d.site_xmat[other] @ turning
        store_between(m, d, out, site, other, force, torque)


@kernel(lanes=True)
def act_on_ball(m, d, a: int):
    """The orientation of a ball joint, as a rotation vector."""
    out = m.actuator_outadr[a]
    turn = rotation_vector(quat_at(d.qpos, m.jnt_qposadr[m.actuator_trnid[a, 0]]))
    d.actuator_length[out] = turn.x
    d.actuator_length[out + 1] = turn.y
    d.actuator_length[out + 2] = turn.z
    for k in range(3):
        d.actuator_moment[m.moment_rowadr[out + k]] = 1.0


@kernel(lanes=True)
def act_on_turn(m, d, a: int):
    """The orientation of a site in another one's frame; torques are in its own axes."""
    out = m.actuator_outadr[a]
    site = m.actuator_trnid[a, 0]
    other = m.actuator_trnid[a, 1]
    turn = turn_between(d.site_xquat[site], d.site_xquat[other])
    axes = d.site_xmat[site]
    none = vec3(0.0, 0.0, 0.0)
    d.actuator_length[out] = turn.x
    d.actuator_length[out + 1] = turn.y
    d.actuator_length[out + 2] = turn.z
    store_between(m, d, out, site, other, none, vec3(axes.xx, axes.yx, axes.zx))
    store_between(m, d, out + 1, site, other, none, vec3(axes.xy, axes.yy, axes.zy))
    store_between(m, d, out + 2, site, other, none, vec3(axes.xz, axes.yz, axes.zz))


@kernel(lanes=True)
def act_on_crank(m, d, a: int):
    """A slider that moves along its z axis, held at a distance from the crank by a rod."""
    out = m.actuator_outadr[a]
    crank = m.actuator_trnid[a, 0]
    slider = m.actuator_trnid[a, 1]
    gear = m.actuator_gear[out, 0]
    rod = m.actuator_cranklength[a]
    frame = d.site_xmat[slider]
    axis = vec3(frame.xz, frame.yz, frame.zz)
    arm = d.site_xpos[crank] - d.site_xpos[slider]
    along = dot(arm, axis)
    square = along * along + rod * rod - dot(arm, arm)
    # a rod that is too short to reach is as if it had no length
    reaches = square > 0.0
    root = math.sqrt(select(reaches, square, 1.0))
    d.actuator_length[out] = select(reaches, along - root, along) * gear
    share = select(reaches, 1.0 - along / root, 1.0)
    # how the length changes with the arm, and with the axis
    by_arm = select(reaches, axis * share + arm * (1.0 / root), axis) * gear
    by_axis = arm * (share * gear)
    none = vec3(0.0, 0.0, 0.0)
    pulling = site_wrench(m, d, crank, by_arm, none)
    sliding = site_wrench(m, d, slider, -by_arm, cross(axis, by_axis))
    i = last_dof(m, m.site_bodyid[crank])
    store_row(m, d, out, i, pulling, last_dof(m, m.site_bodyid[slider]), sliding)


@kernel(lanes=True)
def site_wrench(m, d, s: int, force, torque):
    """A force and torque on a site, about the centre of its tree."""
    centre = d.subtree_com[m.body_rootid[m.site_bodyid[s]]]
    return wrench_about(force, torque, d.site_xpos[s] - centre)


@kernel(lanes=True)
def store_between(m, d, out: int, site: int, other: int, force, torque):
    """Moment arms of a wrench on a site and of the opposite one on another site."""
    there = site_wrench(m, d, site, force, torque)
    back = site_wrench(m, d, other, -force, -torque)
    i = last_dof(m, m.site_bodyid[site])
    store_row(m, d, out, i, there, last_dof(m, m.site_bodyid[other]), back)


@kernel(lanes=True)
def store_row(m, d, out: int, i: int, first, j: int, second):
    """Moment arms of a wrench on the body that dofs from i up move, and another on that of j.

    Dofs rise in a row, so it is filled from its end; the larger of two dofs is in one chain only.
    """
    start = m.moment_rowadr[out]
    at = start + m.moment_rownnz[out] - 1
    while i != j:
        if i > j:
            d.actuator_moment[at] = pairing(d.cdof[i], first)
            i = m.dof_parentid[i]
        else:
            d.actuator_moment[at] = pairing(d.cdof[j], second)
            j = m.dof_parentid[j]
        at -= 1
    # dofs that move both are in the row of a crank only
    while at >= start:
        d.actuator_moment[at] = pairing(d.cdof[i], first + second)
        i = m.dof_parentid[i]
        at -= 1
