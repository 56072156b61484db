"""Partial derivative by position of actuator forces on joints, sites and slider-cranks.

    joint forces F = J' f(l, v, u),        v = J qvel
    dF/dq = (dJ'/dq) f + J' (df/dl dl/dq + df/dv d(J qvel)/dq)

`bend` is dJ/dq of one output and `growth` is dl/dq (see `moment_arms`); J are its moment arms.
Residuals R are M qacc minus forces, so dF/dq is subtracted from R.

Source: docs/derivatives.md, "Methods"; MuJoCo: Computation, "Actuation model".
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

import math

from cortenforge.derive.kernels.moment_arms import (
    add_site_dmoment,
    add_wrench_dmoment,
    clear_dmoment,
    point_dpos,
    rotation_dpos,
    subtract_output_dpos,
)
from cortenforge.derive.kernels.orientation_servo_dpos import subtract_orientation_servo_dpos
from cortenforge.derive.kernels.spring_dpos import basis_vector
from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector, rotation_vector_rate, subtract_quats
from cortenforge.math.spatial import cross_force
from cortenforge.math.vector import cross, dot, into_frame
from cortenforge.step.actuation.activation import actuator_disabled
from cortenforge.step.constants import (
    BALL,
    NO_ACTUATION,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
)
from cortenforge.step.derivative.actuator_dlength import actuator_dforce_dlength
from cortenforge.step.derivative.actuator_dvel import actuator_dforce_dvel
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.position.transmission import gear_vector, site_wrench


@kernel
def subtract_actuator_dpos(m, d):
    """R -= d qfrc_actuator / dq, of all actuators but those on tendons."""
    if m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            kind = m.actuator_trntype[a]
            if not actuator_disabled(m, a):
                if kind <= TRN_SLIDERCRANK or kind == TRN_SITE:
                    subtract_one_actuator_dpos(m, d, a)
                elif kind == TRN_SO3:
                    subtract_orientation_servo_dpos(m, d, a)


@kernel
def subtract_one_actuator_dpos(m, d, a: int):
    """R -= dF/dq of an actuator with one output."""
    out = m.actuator_outadr[a]
    start, count = m.moment_rowadr[out], m.moment_rownnz[out]
    force, dforce_dlength, dforce_dvel = (
        d.actuator_force[out],
        actuator_dforce_dlength(m, d, a),
        actuator_dforce_dvel(m, d, a),
    )
    output_dmoment_dpos(m, d, a, count)
    columns, arms = m.moment_colind, d.actuator_moment
    subtract_output_dpos(m, d, columns, arms, start, count, force, dforce_dlength, dforce_dvel, 0)


@kernel
def output_dmoment_dpos(m, d, a: int, count: int):
    """bend = dJ/dq and growth = dl/dq of an actuator's output."""
    clear_dmoment(d, count)
    for c in range(count):
        d.growth[c] = 0.0
    kind = m.actuator_trntype[a]
    if kind <= TRN_JOINTINPARENT:
        joint_dmoment_dpos(m, d, a, count)
    else:
        for c in range(count):
            if kind == TRN_SLIDERCRANK:
                slidercrank_dmoment_dpos(m, d, a, c, count)
            elif m.actuator_trnid[a, 1] < 0:
                site_dmoment_dpos(m, d, a, c, count)
            else:
                site_pair_dmoment_dpos(m, d, a, c, count)


@kernel
def joint_dmoment_dpos(m, d, a: int, count: int):
    """dJ/dq and dl/dq of a joint transmission.

    Arms of ball and free joints are constant in the body's frame, or in the parent's.
    """
    out, joint = m.actuator_outadr[a], m.actuator_trnid[a, 0]
    kind, row = m.jnt_type[joint], m.moment_rowadr[out]
    if kind <= BALL:
        first = count - 3
        at = row + first
        arms = vec3(d.actuator_moment[at], d.actuator_moment[at + 1], d.actuator_moment[at + 2])
        turn = rotation_vector(quat_at(d.qpos, m.jnt_qposadr[joint] + first))
        for k in range(3):
            change = vec3(0.0, 0.0, 0.0)
            if m.actuator_trntype[a] == TRN_JOINTINPARENT:
                change = cross(arms, basis_vector(k))
            c = first + k
            d.bend[first * count + c] = change.x
            d.bend[(first + 1) * count + c] = change.y
            d.bend[(first + 2) * count + c] = change.z
            if kind == BALL:
                rate = rotation_vector_rate(turn, basis_vector(k))
                d.growth[c] = dot(rate, arms) + dot(turn, change)
    else:
        d.growth[0] = m.actuator_gear[out, 0]


@kernel
def site_dmoment_dpos(m, d, a: int, c: int, count: int):
    """dJ/dq, column c, of a site transmission: its wrench moves along with the site."""
    out, site = m.actuator_outadr[a], m.actuator_trnid[a, 0]
    axes = d.site_xmat[site]
    wrench = site_wrench(m, d, site, axes @ gear_vector(m, out, 0), axes @ gear_vector(m, out, 3))
    start = m.moment_rowadr[out]
    rate = cross_force(d.cdof[m.moment_colind[start + c]], wrench)
    add_wrench_dmoment(m, d, m.moment_colind, start, count, c, m.site_bodyid[site], wrench, rate)


@kernel
def site_pair_dmoment_dpos(m, d, a: int, c: int, count: int):
    """dJ/dq and dl/dq, column c, of a site transmission with a reference site."""
    out = m.actuator_outadr[a]
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    k = m.moment_colind[m.moment_rowadr[out] + c]
    pushing, turning = gear_vector(m, out, 0), gear_vector(m, out, 3)
    axes = d.site_xmat[other]
    force, torque = axes @ pushing, axes @ turning
    here, there = m.site_bodyid[site], m.site_bodyid[other]
    turned, spun = rotation_dpos(m, d, k, there), rotation_dpos(m, d, k, here)
    df, dt = cross(turned, force), cross(turned, torque)
    moved = add_site_dmoment(m, d, out, c, count, k, site, force, torque, df, dt)
    shifted = add_site_dmoment(m, d, out, c, count, k, other, -force, -torque, -df, -dt)
    apart = d.site_xpos[site] - d.site_xpos[other]
    turn = subtract_quats(d.site_xquat[site], d.site_xquat[other])
    spin = rotation_vector_rate(turn, into_frame(d.site_xmat[site], spun - turned))
    d.growth[c] = dot(force, moved - shifted - cross(turned, apart)) + dot(turning, spin)


@kernel
def slidercrank_dmoment_dpos(m, d, a: int, c: int, count: int):
    """dJ/dq and dl/dq, column c, of a slider-crank: see `slidercrank_transmission`."""
    out = m.actuator_outadr[a]
    crank, slider = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    gear, rod = m.actuator_gear[out, 0], m.actuator_cranklength[a]
    k = m.moment_colind[m.moment_rowadr[out] + c]
    frame = d.site_xmat[slider]
    axis = vec3(frame.xz, frame.yz, frame.zz)
    slider_to_crank = d.site_xpos[crank] - d.site_xpos[slider]
    crank_rate = point_dpos(m, d, k, m.site_bodyid[crank], d.site_xpos[crank])
    slider_rate = point_dpos(m, d, k, m.site_bodyid[slider], d.site_xpos[slider])
    slider_to_crank_rate = crank_rate - slider_rate
    axis_rate = cross(rotation_dpos(m, d, k, m.site_bodyid[slider]), axis)
    along, along_rate = (
        dot(slider_to_crank, axis),
        dot(slider_to_crank_rate, axis) + dot(slider_to_crank, axis_rate),
    )
    square = along * along + rod * rod - dot(slider_to_crank, slider_to_crank)
    share, share_rate, inverse, inverse_rate = 1.0, 0.0, 0.0, 0.0
    if square > 0.0:
        inverse = 1.0 / math.sqrt(square)
        inverse_rate = (
            (dot(slider_to_crank, slider_to_crank_rate) - along * along_rate) * inverse / square
        )
        share = 1.0 - along * inverse
        share_rate = -along_rate * inverse - along * inverse_rate
    dlength_darm = (axis * share + slider_to_crank * inverse) * gear
    dlength_darm_rate = (
        axis_rate * share
        + axis * share_rate
        + slider_to_crank_rate * inverse
        + slider_to_crank * inverse_rate
    )
    dlength_daxis, dlength_daxis_rate = (
        slider_to_crank * (share * gear),
        (slider_to_crank_rate * share + slider_to_crank * share_rate) * gear,
    )
    none = vec3(0.0, 0.0, 0.0)
    rate = dlength_darm_rate * gear
    add_site_dmoment(m, d, out, c, count, k, crank, dlength_darm, none, rate, none)
    torque = cross(axis, dlength_daxis)
    torque_rate = cross(axis_rate, dlength_daxis) + cross(axis, dlength_daxis_rate)
    add_site_dmoment(m, d, out, c, count, k, slider, -dlength_darm, torque, -rate, torque_rate)
    d.growth[c] = dot(dlength_darm, slider_to_crank_rate) + dot(dlength_daxis, axis_rate)
