"""Tendon armature in derivatives: terms J' a J of M and J' a (dJ/dt qvel) of the bias force.

    d(J' a J x)/dq        = a (dJ'/dq (J x) + J' (dJ/dq x))
    d(J' a Jdot qvel)/dq  = a (dJ'/dq (Jdot qvel) + J' d(Jdot qvel)/dq)
    d(J' a Jdot qvel)/dqvel_c = a J' (sum over r of (dJ_r/dq_c + dJ_c/dq_r) qvel_r)

for spatial tendons, with dJ/dq in `bend`.

Source: MuJoCo: XML reference, tendon/spatial, attribute "armature"; docs/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.moment_arms import clear_dmoment, dof_moves_body, point_dpos
from cortenforge.derive.kernels.tendon_dpos import path_dmoment_dpos
from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, cross_motion, linear, linear_at
from cortenforge.math.vector import MINVAL, cross, dot, norm
from cortenforge.step.armature_and_damping import tendon_armature_with_actuators
from cortenforge.step.constants import SPATIAL
from cortenforge.step.derivative.sparsity import on_one_branch
from cortenforge.step.position.objects import acceleration_at_point, motion_at_point
from cortenforge.step.velocity.tendons import tendon_jdot_qvel


@kernel
def add_tendon_armature_dpos(m, d, out, x, moving: int):
    """out += d/dq of tendon armature's part of M x, and of bias forces if moving.

    Needs what `add_rne_dpos` computes for the same x.
    """
    for i in range(m.ntendon):
        armature = tendon_armature_with_actuators(m, i)
        if m.tendon_type[i] == SPATIAL and armature != 0.0:
            clear_dmoment(d, m.ten_J_rownnz[i])
            path_dmoment_dpos(m, d, i)
            for c in range(m.ten_J_rownnz[i]):
                add_armature_inertia_dpos(m, d, out, x, i, c, armature)
            if moving != 0:
                rate = tendon_jdot_qvel(m, d, i)
                for c in range(m.ten_J_rownnz[i]):
                    add_armature_bias_dpos(m, d, out, x, i, c, armature, rate)


@kernel
def add_tendon_armature_dvel(m, d):
    """R += d/dqvel of the bias force of tendon armature."""
    for i in range(m.ntendon):
        armature = tendon_armature_with_actuators(m, i)
        if m.tendon_type[i] == SPATIAL and armature != 0.0:
            start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
            clear_dmoment(d, count)
            path_dmoment_dpos(m, d, i)
            for c in range(count):
                change = 0.0
                for r in range(count):
                    speed = d.qvel[m.ten_J_colind[start + r]]
                    change += (d.bend[r * count + c] + d.bend[c * count + r]) * speed
                column = m.nv + m.ten_J_colind[start + c]
                for r in range(count):
                    row = m.ten_J_colind[start + r] * d.ncol
                    d.R[row + column] += armature * d.ten_J[start + r] * change


@kernel
def add_armature_inertia_dpos(m, d, out, x, i: int, c: int, armature):
    """Column c of d(J' a J x)/dq; M has no entries for dofs on different branches."""
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    for r in range(count):
        row = m.ten_J_colind[start + r]
        along, change = 0.0, 0.0
        for j in range(count):
            dof = m.ten_J_colind[start + j]
            if on_one_branch(m, row, dof):
                along += d.ten_J[start + j] * x[dof]
                change += d.bend[j * count + c] * x[dof]
        value = d.bend[r * count + c] * along + d.ten_J[start + r] * change
        out[row * d.ncol + m.ten_J_colind[start + c]] += armature * value


@kernel
def add_armature_bias_dpos(m, d, out, x, i: int, c: int, armature, rate):
    """Column c of d(J' a Jdot qvel)/dq."""
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    k = m.ten_J_colind[start + c]
    change = jdot_qvel_dpos(m, d, i, k)
    for j in range(count):
        # without the part of joint accelerations
        change -= d.bend[j * count + c] * x[m.ten_J_colind[start + j]]
    for r in range(count):
        value = d.bend[r * count + c] * rate + d.ten_J[start + r] * change
        out[m.ten_J_colind[start + r] * d.ncol + k] += armature * value


@kernel
def jdot_qvel_dpos(m, d, i: int, k: int):
    """d/dq[k] of a tendon's second time derivative of length."""
    total = 0.0
    first = m.tenseg_adr[i]
    for s in range(first, first + m.tenseg_num[i]):
        if m.tenseg_bodyid[s, 0] != m.tenseg_bodyid[s, 1]:
            total += d.tenseg_share[s] * segment_jdot_qvel_dpos(m, d, s, k)
    return total


@kernel
def segment_jdot_qvel_dpos(m, d, s: int, k: int):
    """d/dq[k] of the second time derivative of the length L of a segment between two sites.

    With unit vector u, relative velocity v and relative acceleration a: u . a + (|v|^2 - (u . v)^2)
    / L.
    """
    body1, body2 = m.tenseg_bodyid[s, 0], m.tenseg_bodyid[s, 1]
    start, end = d.tenseg_start[s], d.tenseg_end[s]
    line = end - start
    length = norm(line)
    total = 0.0
    if length > MINVAL:
        u = line * (1.0 / length)
        v1, a1 = point_motion_at_acc(m, d, body1, start)
        v2, a2 = point_motion_at_acc(m, d, body2, end)
        x1, dv1, da1 = point_motion_dpos(m, d, body1, start, k, v1)
        x2, dv2, da2 = point_motion_dpos(m, d, body2, end, k, v2)
        v, dv = v2 - v1, dv2 - dv1
        dlength = dot(u, x2 - x1)
        du = (x2 - x1 - u * dlength) * (1.0 / length)
        speed = dot(u, v)
        bent = dot(v, dv) - speed * (dot(du, v) + dot(u, dv))
        total = dot(du, a2 - a1) + dot(u, da2 - da1) + 2.0 * bent / length
        total -= (dot(v, v) - speed * speed) * dlength / (length * length)
    return total


@kernel
def point_motion_at_acc(m, d, b: int, point):
    """(velocity, acceleration) of a point at given joint accelerations, in world axes."""
    velocity = motion_at_point(m, d, b, point, d.cvel[b])
    return linear(velocity), linear(acceleration_at_point(m, d, b, point, d.acc[b]))


@kernel
def point_motion_dpos(m, d, b: int, point, k: int, velocity):
    """d/dq[k] of (position, velocity, acceleration) of a point, in world axes."""
    none = vec3(0.0, 0.0, 0.0)
    moved, dv, da = none, none, none
    if dof_moves_body(m, k, b):
        arm = point - d.subtree_com[m.body_rootid[b]]
        moved = point_dpos(m, d, k, b, point)
        axis = d.cdof[k]
        front = cross_motion(d.vel_before[k], axis)
        by = front + cross_motion(axis, d.cvel[b])
        rate = d.drift[k] + cross_motion(front, d.cvel[b]) + cross_motion(axis, d.acc[b])
        spin = angular(d.cvel[b])
        dv = linear_at(by, arm) + cross(spin, moved)
        da = linear_at(rate, arm) + cross(angular(d.acc[b]), moved)
        da = da + cross(angular(by), velocity) + cross(spin, dv)
    return moved, dv, da
