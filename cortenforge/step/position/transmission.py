"""Actuator transmission: length l(q) of each force output, and its moment arms dl/dq.

    qfrc_actuator += moment' force,      actuator_velocity = moment qvel
    joint:     l = gear q  (ball: gear . rotation vector; free: 0)
    tendon:    l = gear ten_length,            moment = gear ten_J
    site:      moment = cdof . wrench of the gear in the site's frame; with a reference site, the
               pose relative to it, l = gear . (position difference, rotation vector)
    slider-crank: l = gear (a . v - sqrt((a . v)^2 + rod^2 - v . v)),   v = crank - slider, a: axis
    body:      adhesion, whose moment follows from contacts
    so3:       three outputs, the rotation vector of a ball joint or between two sites

Moment arms are sparse rows in the order of moment_colind: all dofs that an output can act on, also
where an arm is zero. Source: MuJoCo: Computation, "Transmission".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.rotation import conjugate, rotate, rotation_vector, subtract_quats
from cortenforge.math.spatial import spatial_dot
from cortenforge.math.vector import abs_sum, cross, dot, into_frame
from cortenforge.step.apply_force import last_dof_of_body, wrench_on_body
from cortenforge.step.constants import (
    BALL,
    FREE,
    TRN_BODY,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
)
from cortenforge.step.position.kinematics import quat_at


@kernel(lanes=True, unit=True)
def transmission(m, d):
    """actuator_length and actuator_moment of each force output.  Mirrors mj_transmission."""
    for a in range(m.nactuator):
        kind = m.actuator_trntype[a]
        if kind <= TRN_JOINTINPARENT:
            joint_transmission(m, d, a)
        elif kind == TRN_SLIDERCRANK:
            slidercrank_transmission(m, d, a)
        elif kind == TRN_TENDON:
            tendon_transmission(m, d, a)
        elif kind == TRN_SITE:
            site_transmission(m, d, a)
        elif kind == TRN_BODY:
            body_transmission(m, d, a)
        elif kind == TRN_SO3 and m.actuator_trnid[a, 1] < 0:
            ball_orientation_transmission(m, d, a)
        elif kind == TRN_SO3:
            site_orientation_transmission(m, d, a)


@kernel(lanes=True)
def gear_vector(m, out: int, first: int):
    """Three of the six numbers of an output's gear, from `first` on."""
    return vec3(
        m.actuator_gear[out, first],
        m.actuator_gear[out, first + 1],
        m.actuator_gear[out, first + 2],
    )


@kernel(lanes=True)
def store_three_moments(d, at: int, arms):
    """Write three consecutive moment arms."""
    d.actuator_moment[at] = arms.x
    d.actuator_moment[at + 1] = arms.y
    d.actuator_moment[at + 2] = arms.z


@kernel(lanes=True)
def joint_transmission(m, d, a: int):
    """Joint transmission; for ball and free joints the gear may be in the parent's frame."""
    out = m.actuator_outadr[a]
    joint = m.actuator_trnid[a, 0]
    at = m.jnt_qposadr[joint]
    row = m.moment_rowadr[out]
    if m.jnt_type[joint] == FREE:
        turning = gear_vector(m, out, 3)
        if m.actuator_trntype[a] == TRN_JOINTINPARENT:
            turning = rotate(conjugate(quat_at(d.qpos, at + 3)), turning)
        d.actuator_length[out] = 0.0
        store_three_moments(d, row, gear_vector(m, out, 0))
        store_three_moments(d, row + 3, turning)
    elif m.jnt_type[joint] == BALL:
        turning = gear_vector(m, out, 0)
        rot = quat_at(d.qpos, at)
        if m.actuator_trntype[a] == TRN_JOINTINPARENT:
            turning = rotate(conjugate(rot), turning)
        d.actuator_length[out] = dot(rotation_vector(rot), turning)
        store_three_moments(d, row, turning)
    else:
        d.actuator_length[out] = d.qpos[at] * m.actuator_gear[out, 0]
        d.actuator_moment[row] = m.actuator_gear[out, 0]


@kernel(lanes=True)
def body_transmission(m, d, a: int):
    """Body transmission (adhesion): zeros here, contacts fill in the moments later."""
    out = m.actuator_outadr[a]
    d.actuator_length[out] = 0.0
    row = m.moment_rowadr[out]
    for k in range(m.moment_rownnz[out]):
        d.actuator_moment[row + k] = 0.0


@kernel(lanes=True)
def tendon_transmission(m, d, a: int):
    """Tendon transmission: length and Jacobian of the tendon, times the gear."""
    out = m.actuator_outadr[a]
    tendon = m.actuator_trnid[a, 0]
    gear = m.actuator_gear[out, 0]
    d.actuator_length[out] = d.ten_length[tendon] * gear
    start = m.ten_J_rowadr[tendon]
    row = m.moment_rowadr[out]
    for k in range(m.moment_rownnz[out]):
        d.actuator_moment[row + k] = d.ten_J[start + k] * gear


@kernel(lanes=True)
def site_transmission(m, d, a: int):
    """Site transmission: gear wrench in the site's frame, or in that of a reference site."""
    out = m.actuator_outadr[a]
    site = m.actuator_trnid[a, 0]
    other = m.actuator_trnid[a, 1]
    pushing = gear_vector(m, out, 0)
    turning = gear_vector(m, out, 3)
    if other < 0:
        d.actuator_length[out] = 0.0
        wrench = site_wrench(m, d, site, d.site_xmat[site] @ pushing, d.site_xmat[site] @ turning)
        store_moment_row(m, d, out, last_dof_of_body(m, m.site_bodyid[site]), wrench, -1, wrench)
    else:
        apart = into_frame(d.site_xmat[other], d.site_xpos[site] - d.site_xpos[other])
        length = dot(apart, pushing)
        turns = abs_sum(turning) != 0.0
        if any_lane(turns):
            turn = subtract_quats(d.site_xquat[site], d.site_xquat[other])
            length = select(turns, length + dot(turn, turning), length)
        d.actuator_length[out] = length
        force = d.site_xmat[other] @ pushing
        torque = d.site_xmat[other] @ turning
        store_site_pair_moments(m, d, out, site, other, force, torque)


@kernel(lanes=True)
def ball_orientation_transmission(m, d, a: int):
    """Orientation of a ball joint: its rotation vector, with torques in the child's axes."""
    out = m.actuator_outadr[a]
    turn = rotation_vector(quat_at(d.qpos, m.jnt_qposadr[m.actuator_trnid[a, 0]]))
    d.actuator_length[out] = turn.x
    d.actuator_length[out + 1] = turn.y
    d.actuator_length[out + 2] = turn.z
    for k in range(3):
        d.actuator_moment[m.moment_rowadr[out + k]] = 1.0


@kernel(lanes=True)
def site_orientation_transmission(m, d, a: int):
    """Orientation of a site relative to another: rotation vector, torques in its own axes."""
    out = m.actuator_outadr[a]
    site = m.actuator_trnid[a, 0]
    other = m.actuator_trnid[a, 1]
    turn = subtract_quats(d.site_xquat[site], d.site_xquat[other])
    axes = d.site_xmat[site]
    none = vec3(0.0, 0.0, 0.0)
    d.actuator_length[out] = turn.x
    d.actuator_length[out + 1] = turn.y
    d.actuator_length[out + 2] = turn.z
    store_site_pair_moments(m, d, out, site, other, none, vec3(axes.xx, axes.yx, axes.zx))
    store_site_pair_moments(m, d, out + 1, site, other, none, vec3(axes.xy, axes.yy, axes.zy))
    store_site_pair_moments(m, d, out + 2, site, other, none, vec3(axes.xz, axes.yz, axes.zz))


@kernel(lanes=True)
def slidercrank_transmission(m, d, a: int):
    """Slider-crank transmission: the slider's z axis, and a rod of fixed length to the crank."""
    out = m.actuator_outadr[a]
    crank = m.actuator_trnid[a, 0]
    slider = m.actuator_trnid[a, 1]
    gear = m.actuator_gear[out, 0]
    rod = m.actuator_cranklength[a]
    frame = d.site_xmat[slider]
    axis = vec3(frame.xz, frame.yz, frame.zz)
    slider_to_crank = d.site_xpos[crank] - d.site_xpos[slider]
    along = dot(slider_to_crank, axis)
    square = along * along + rod * rod - dot(slider_to_crank, slider_to_crank)
    # a rod that is too short counts as one of zero length
    reaches = square > 0.0
    root = math.sqrt(select(reaches, square, 1.0))
    d.actuator_length[out] = select(reaches, along - root, along) * gear
    share = select(reaches, 1.0 - along / root, 1.0)
    # partials of the length by the arm, and by the axis
    dlength_darm = select(reaches, axis * share + slider_to_crank * (1.0 / root), axis) * gear
    dlength_daxis = slider_to_crank * (share * gear)
    none = vec3(0.0, 0.0, 0.0)
    crank_wrench = site_wrench(m, d, crank, dlength_darm, none)
    slider_wrench = site_wrench(m, d, slider, -dlength_darm, cross(axis, dlength_daxis))
    i = last_dof_of_body(m, m.site_bodyid[crank])
    store_moment_row(
        m, d, out, i, crank_wrench, last_dof_of_body(m, m.site_bodyid[slider]), slider_wrench
    )


@kernel(lanes=True)
def site_wrench(m, d, s: int, force, torque):
    """Force and torque on a site as a wrench about its tree's com, in world axes."""
    return wrench_on_body(m, d, m.site_bodyid[s], d.site_xpos[s], force, torque)


@kernel(lanes=True)
def store_site_pair_moments(m, d, out: int, site: int, other: int, force, torque):
    """Moment arms of a wrench on a site and of the opposite wrench on another site."""
    wrench = site_wrench(m, d, site, force, torque)
    reaction = site_wrench(m, d, other, -force, -torque)
    i = last_dof_of_body(m, m.site_bodyid[site])
    store_moment_row(m, d, out, i, wrench, last_dof_of_body(m, m.site_bodyid[other]), reaction)


@kernel(lanes=True)
def store_moment_row(m, d, out: int, i: int, wrench1, j: int, wrench2):
    """Write a moment row: wrench1 acts on dof i and its ancestors, wrench2 on dof j and its own.

    Dofs rise along a row, so it is filled from its end; until the chains meet, the larger of both
    dofs belongs to one chain only.
    """
    start = m.moment_rowadr[out]
    at = start + m.moment_rownnz[out] - 1
    while i != j:
        if i > j:
            d.actuator_moment[at] = spatial_dot(d.cdof[i], wrench1)
            i = m.dof_parentid[i]
        else:
            d.actuator_moment[at] = spatial_dot(d.cdof[j], wrench2)
            j = m.dof_parentid[j]
        at -= 1
    # common ancestors: in rows of slider-cranks only
    while at >= start:
        d.actuator_moment[at] = spatial_dot(d.cdof[i], wrench1 + wrench2)
        i = m.dof_parentid[i]
        at -= 1
