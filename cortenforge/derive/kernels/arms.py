"""How forces of actuators on joints, sites and cranks change with positions."""

from __future__ import annotations

import math

from cortenforge.derive.kernels.motion import (
    add_output,
    bend_arms,
    bend_site,
    clear_bend,
    point_rate,
    turn_rate,
)
from cortenforge.derive.kernels.servos import add_servo
from cortenforge.derive.kernels.springs import unit_along
from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector, rotation_vector_rate, turn_between
from cortenforge.math.spatial import cross_force
from cortenforge.math.vector import cross, dot, into_frame
from cortenforge.step.actuation.activation import disabled
from cortenforge.step.constants import (
    BALL,
    IN_PARENT,
    NO_ACTUATION,
    ON_CRANK,
    ON_SITE,
    ON_TURN,
)
from cortenforge.step.derivative.actuators import felt_slope
from cortenforge.step.derivative.lengths import felt_length_slope
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.position.transmission import gear_of, site_wrench


@kernel
def arm_slopes(m, d):
    """Take the derivative of forces of actuators, but for those on tendons, out of R."""
    if m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            kind = m.actuator_trntype[a]
            if not disabled(m, a):
                if kind <= ON_CRANK or kind == ON_SITE:
                    add_actuator(m, d, a)
                elif kind == ON_TURN:
                    add_servo(m, d, a)


@kernel
def add_actuator(m, d, a: int):
    """An actuator of one output."""
    out = m.actuator_outadr[a]
    start, count = m.moment_rowadr[out], m.moment_rownnz[out]
    force, by_length, by_speed = (
        d.actuator_force[out],
        felt_length_slope(m, d, a),
        felt_slope(m, d, a),
    )
    bend_output(m, d, a, count)
    columns, arms = m.moment_colind, d.actuator_moment
    add_output(m, d, columns, arms, start, count, force, by_length, by_speed, 0)


@kernel
def bend_output(m, d, a: int, count: int):
    """How an output's arms and its length change with each dof: bend, growth."""
    clear_bend(d, count)
    for c in range(count):
        d.growth[c] = 0.0
    kind = m.actuator_trntype[a]
    if kind <= IN_PARENT:
        on_joint(m, d, a, count)
    else:
        for c in range(count):
            if kind == ON_CRANK:
                on_crank(m, d, a, c, count)
            elif m.actuator_trnid[a, 1] < 0:
                on_site(m, d, a, c, count)
            else:
                between_sites(m, d, a, c, count)


@kernel
def on_joint(m, d, a: int, count: int):
    """A joint: arms of a ball or a free one stay with the body, or with the parent."""
    out, joint = m.actuator_outadr[a], m.actuator_trnid[a, 0]
    kind, row = m.jnt_type[joint], m.moment_rowadr[out]
    if kind <= BALL:
        first = count - 3
        at = row + first
        arms = vec3(d.actuator_moment[at], d.actuator_moment[at + 1], d.actuator_moment[at + 2])
        turn = rotation_vector(quat_at(d.qpos, m.jnt_qposadr[joint] + first))
        for k in range(3):
            change = vec3(0.0, 0.0, 0.0)
            if m.actuator_trntype[a] == IN_PARENT:
                change = cross(arms, unit_along(k))
            c = first + k
            d.bend[first * count + c] = change.x
            d.bend[(first + 1) * count + c] = change.y
            d.bend[(first + 2) * count + c] = change.z
            if kind == BALL:
                rate = rotation_vector_rate(turn, unit_along(k))
                d.growth[c] = dot(rate, arms) + dot(turn, change)
    else:
        d.growth[0] = m.actuator_gear[out, 0]


@kernel
def on_site(m, d, a: int, c: int, count: int):
    """A wrench in the frame of a site: it is carried along."""
    out, site = m.actuator_outadr[a], m.actuator_trnid[a, 0]
    axes = d.site_xmat[site]
    wrench = site_wrench(m, d, site, axes @ gear_of(m, out, 0), axes @ gear_of(m, out, 3))
    start = m.moment_rowadr[out]
    rate = cross_force(d.cdof[m.moment_colind[start + c]], wrench)
    bend_arms(m, d, m.moment_colind, start, count, c, m.site_bodyid[site], wrench, rate)


@kernel
def between_sites(m, d, a: int, c: int, count: int):
    """A wrench on a site in the frame of another one, and against it."""
    out = m.actuator_outadr[a]
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    k = m.moment_colind[m.moment_rowadr[out] + c]
    pushing, turning = gear_of(m, out, 0), gear_of(m, out, 3)
    axes = d.site_xmat[other]
    force, torque = axes @ pushing, axes @ turning
    here, there = m.site_bodyid[site], m.site_bodyid[other]
    turned, spun = turn_rate(m, d, k, there), turn_rate(m, d, k, here)
    df, dt = cross(turned, force), cross(turned, torque)
    moved = bend_site(m, d, out, c, count, k, site, force, torque, df, dt)
    shifted = bend_site(m, d, out, c, count, k, other, -force, -torque, -df, -dt)
    apart = d.site_xpos[site] - d.site_xpos[other]
    turn = turn_between(d.site_xquat[site], d.site_xquat[other])
    spin = rotation_vector_rate(turn, into_frame(d.site_xmat[site], spun - turned))
    d.growth[c] = dot(force, moved - shifted - cross(turned, apart)) + dot(turning, spin)


@kernel
def on_crank(m, d, a: int, c: int, count: int):
    """A slider held by a rod: the forces that `act_on_crank` finds, and how they change."""
    out = m.actuator_outadr[a]
    crank, slider = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    gear, rod = m.actuator_gear[out, 0], m.actuator_cranklength[a]
    k = m.moment_colind[m.moment_rowadr[out] + c]
    frame = d.site_xmat[slider]
    axis = vec3(frame.xz, frame.yz, frame.zz)
    arm = d.site_xpos[crank] - d.site_xpos[slider]
    hand = point_rate(m, d, k, m.site_bodyid[crank], d.site_xpos[crank])
    foot = point_rate(m, d, k, m.site_bodyid[slider], d.site_xpos[slider])
    arm_rate = hand - foot
    axis_rate = cross(turn_rate(m, d, k, m.site_bodyid[slider]), axis)
    along, along_rate = dot(arm, axis), dot(arm_rate, axis) + dot(arm, axis_rate)
    square = along * along + rod * rod - dot(arm, arm)
    share, share_rate, inverse, inverse_rate = 1.0, 0.0, 0.0, 0.0
    if square > 0.0:
        inverse = 1.0 / math.sqrt(square)
        inverse_rate = (dot(arm, arm_rate) - along * along_rate) * inverse / square
        share = 1.0 - along * inverse
        share_rate = -along_rate * inverse - along * inverse_rate
    by_arm = (axis * share + arm * inverse) * gear
    by_arm_rate = axis_rate * share + axis * share_rate + arm_rate * inverse + arm * inverse_rate
    by_axis, by_axis_rate = arm * (share * gear), (arm_rate * share + arm * share_rate) * gear
    none = vec3(0.0, 0.0, 0.0)
    rate = by_arm_rate * gear
    bend_site(m, d, out, c, count, k, crank, by_arm, none, rate, none)
    torque = cross(axis, by_axis)
    torque_rate = cross(axis_rate, by_axis) + cross(axis, by_axis_rate)
    bend_site(m, d, out, c, count, k, slider, -by_arm, torque, -rate, torque_rate)
    d.growth[c] = dot(by_arm, arm_rate) + dot(by_axis, axis_rate)
