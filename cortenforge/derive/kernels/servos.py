"""Partial derivative by position of orientation servos' torques.

torque = kp e - kv w,       e: rotation vector from the orientation to the setpoint
de/dq by the inverse of the right Jacobian; arms of the three outputs rotate with their site
"""

from __future__ import annotations

from cortenforge.derive.kernels.motion import bend_site, clear_bend, speed_change, turn_rate
from cortenforge.derive.kernels.springs import unit_along
from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector_rate
from cortenforge.math.vector import cross, dot, into_frame, norm
from cortenforge.step.actuation.force import torque_about, turning_error
from cortenforge.step.derivative.actuators import at_joint_limit


@kernel
def add_servo(m, d, a: int):
    """R -= d/dq of the torque of an orientation servo.

    Three outputs, about the axes of a ball joint or of a site, with the same dofs each.
    """
    error = turning_error(m, d, a)
    out = m.actuator_outadr[a]
    if m.actuator_trnid[a, 1] < 0:
        for k in range(3):
            torque = torque_change(m, d, a, error, unit_along(k), vec3(0.0, 0.0, 0.0))
            column = m.moment_colind[m.moment_rowadr[out + k]]
            add_torque(m, d, out, 0, column, torque)
    else:
        count = m.moment_rownnz[out]
        for c in range(count):
            d.servo_speed[c] = vec3(0.0, 0.0, 0.0)
        for axis in range(3):
            turn_axis(m, d, a, axis, count)
        for c in range(count):
            k = m.moment_colind[m.moment_rowadr[out] + c]
            torque = torque_change(m, d, a, error, turning(m, d, a, k), d.servo_speed[c])
            for r in range(count):
                add_torque(m, d, out, r, k, torque)


@kernel
def turn_axis(m, d, a: int, axis: int, count: int):
    """R -= dJ'/dq torque, for one axis of a site."""
    out = m.actuator_outadr[a] + axis
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    start = m.moment_rowadr[out]
    none = vec3(0.0, 0.0, 0.0)
    along = d.site_xmat[site] @ unit_along(axis)
    clear_bend(d, count)
    for c in range(count):
        k = m.moment_colind[start + c]
        change = cross(turn_rate(m, d, k, m.site_bodyid[site]), along)
        bend_site(m, d, out, c, count, k, site, none, along, none, change)
        bend_site(m, d, out, c, count, k, other, none, -along, none, -change)
        speed = speed_change(d, m.moment_colind, start, count, c)
        d.servo_speed[c] = d.servo_speed[c] + unit_along(axis) * speed
        for r in range(count):
            dof = m.moment_colind[start + r]
            if not at_joint_limit(m, d, m.dof_jntid[dof]):
                d.R[dof * d.ncol + k] -= d.actuator_force[out] * d.bend[r * count + c]


@kernel
def turning(m, d, a: int, k: int):
    """Angular Jacobian column of a site relative to the other one, in its own axes."""
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    here = turn_rate(m, d, k, m.site_bodyid[site])
    return into_frame(d.site_xmat[site], here - turn_rate(m, d, k, m.site_bodyid[other]))


@kernel
def torque_change(m, d, a: int, error, rotation, speed):
    """d torque for a rotation and a change of velocity; a torque at its limit keeps its norm."""
    change = rotation_vector_rate(-error, rotation) * -m.actuator_gainprm[a, 0]
    change = change + speed * m.actuator_biasprm[a, 2]
    if m.actuator_forcelimited[a] != 0:
        torque = vec3(
            torque_about(m, d, a, 0, error.x),
            torque_about(m, d, a, 1, error.y),
            torque_about(m, d, a, 2, error.z),
        )
        magnitude, max_torque = norm(torque), m.actuator_forcerange[a, 1]
        if magnitude > max_torque:
            along = torque * (1.0 / magnitude)
            change = (change - along * dot(along, change)) * (max_torque / magnitude)
    return change


@kernel
def add_torque(m, d, out: int, r: int, column: int, torque):
    """R -= J' d torque, for the dofs in place r of all three outputs."""
    for axis in range(3):
        at = m.moment_rowadr[out + axis] + r
        dof = m.moment_colind[at]
        share = dot(unit_along(axis), torque)
        if not at_joint_limit(m, d, m.dof_jntid[dof]):
            d.R[dof * d.ncol + column] -= d.actuator_moment[at] * share
