"""Partial derivative by position of orientation servos' torques.

torque = kp e - kv w,       e: rotation vector from the orientation to the setpoint
de/dq by the inverse of the right Jacobian; arms of the three outputs rotate with their site

Source: Sola, Deray and Atchuthan, A micro Lie theory for state estimation in robotics (2018);
docs/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.moment_arms import (
    add_site_dmoment,
    clear_dmoment,
    output_velocity_dpos,
    rotation_dpos,
)
from cortenforge.derive.kernels.spring_dpos import basis_vector
from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector_rate
from cortenforge.math.vector import cross, dot, into_frame, norm
from cortenforge.step.actuation.actuator_force import orientation_error, servo_torque
from cortenforge.step.derivative.actuator_dvel import joint_force_clamped


@kernel
def subtract_orientation_servo_dpos(m, d, a: int):
    """R -= d/dq of the torque of an orientation servo.

    Three outputs, about the axes of a ball joint or of a site, with the same dofs each.
    """
    error = orientation_error(m, d, a)
    out = m.actuator_outadr[a]
    if m.actuator_trnid[a, 1] < 0:
        for k in range(3):
            torque = servo_dtorque(m, d, a, error, basis_vector(k), vec3(0.0, 0.0, 0.0))
            column = m.moment_colind[m.moment_rowadr[out + k]]
            subtract_servo_dtorque(m, d, out, 0, column, torque)
    else:
        count = m.moment_rownnz[out]
        for c in range(count):
            d.servo_speed[c] = vec3(0.0, 0.0, 0.0)
        for axis in range(3):
            subtract_axis_dmoment(m, d, a, axis, count)
        for c in range(count):
            k = m.moment_colind[m.moment_rowadr[out] + c]
            torque = servo_dtorque(
                m, d, a, error, relative_rotation_dpos(m, d, a, k), d.servo_speed[c]
            )
            for r in range(count):
                subtract_servo_dtorque(m, d, out, r, k, torque)


@kernel
def subtract_axis_dmoment(m, d, a: int, axis: int, count: int):
    """R -= dJ'/dq torque, for one axis of a site."""
    out = m.actuator_outadr[a] + axis
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    start = m.moment_rowadr[out]
    none = vec3(0.0, 0.0, 0.0)
    along = d.site_xmat[site] @ basis_vector(axis)
    clear_dmoment(d, count)
    for c in range(count):
        k = m.moment_colind[start + c]
        change = cross(rotation_dpos(m, d, k, m.site_bodyid[site]), along)
        add_site_dmoment(m, d, out, c, count, k, site, none, along, none, change)
        add_site_dmoment(m, d, out, c, count, k, other, none, -along, none, -change)
        speed = output_velocity_dpos(d, m.moment_colind, start, count, c)
        d.servo_speed[c] = d.servo_speed[c] + basis_vector(axis) * speed
        for r in range(count):
            dof = m.moment_colind[start + r]
            if not joint_force_clamped(m, d, m.dof_jntid[dof]):
                d.R[dof * d.ncol + k] -= d.actuator_force[out] * d.bend[r * count + c]


@kernel
def relative_rotation_dpos(m, d, a: int, k: int):
    """Angular Jacobian column of a site relative to the other one, in its own axes."""
    site, other = m.actuator_trnid[a, 0], m.actuator_trnid[a, 1]
    here = rotation_dpos(m, d, k, m.site_bodyid[site])
    return into_frame(d.site_xmat[site], here - rotation_dpos(m, d, k, m.site_bodyid[other]))


@kernel
def servo_dtorque(m, d, a: int, error, rotation, speed):
    """d torque for a rotation and a change of velocity; a torque at its limit keeps its norm."""
    change = rotation_vector_rate(-error, rotation) * -m.actuator_gainprm[a, 0]
    change = change + speed * m.actuator_biasprm[a, 2]
    if m.actuator_forcelimited[a] != 0:
        torque = vec3(
            servo_torque(m, d, a, 0, error.x),
            servo_torque(m, d, a, 1, error.y),
            servo_torque(m, d, a, 2, error.z),
        )
        magnitude, max_torque = norm(torque), m.actuator_forcerange[a, 1]
        if magnitude > max_torque:
            along = torque * (1.0 / magnitude)
            change = (change - along * dot(along, change)) * (max_torque / magnitude)
    return change


@kernel
def subtract_servo_dtorque(m, d, out: int, r: int, column: int, torque):
    """R -= J' d torque, for the dofs in place r of all three outputs."""
    for axis in range(3):
        at = m.moment_rowadr[out + axis] + r
        dof = m.moment_colind[at]
        share = dot(basis_vector(axis), torque)
        if not joint_force_clamped(m, d, m.dof_jntid[dof]):
            d.R[dof * d.ncol + column] -= d.actuator_moment[at] * share
