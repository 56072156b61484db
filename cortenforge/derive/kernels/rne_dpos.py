"""Partial derivative of inertial forces by position: recursive Newton-Euler (RNE), derived.

When dof k moves by its axis s, everything below rotates along. Seen from the rotated frame, only
quantities in front of the dof change, velocity v and acceleration a there:

    dv = -s x v = n,        da = -s x a,       drift = -s x a - n x v

For a body below, this has the form of a change by velocities (see `rne_dvel`) with n for the axis
and `drift` for the drift. Sums over subtrees give the partials of dofs below; dofs above get the
rotated force, s x* f, in addition.
Source: Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms (RSS 2018),
with the tree's com as fixed reference point.
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.moment_arms import dof_moves_body, first_turning_dof, point_dpos
from cortenforge.kernel import kernel, mat3, spatial, vec3
from cortenforge.math.spatial import (
    angular,
    cross_force,
    cross_motion,
    inertia_times_motion,
    linear,
    spatial_dot,
    spatial_of,
    wrench_about,
)
from cortenforge.math.vector import abs_sum, cross, dot, into_frame
from cortenforge.step.apply_force import last_dof_of_body, wrench_on_body
from cortenforge.step.constants import BALL, FREE, NO_ACTUATION, NO_DAMPER, NO_GRAVITY, NO_SPRING
from cortenforge.step.derivative.actuator_dvel import joint_force_clamped
from cortenforge.step.velocity.rne import set_world_acceleration


@kernel
def add_rne_dpos(m, d, out, x, moving: int):
    """out += d(M x)/dq, and if moving of bias forces minus applied forces.

    Needs the sums over subtrees of `subtract_bias_dvel` (rne_turn, rne_momentum).
    """
    rne_forward_pass(m, d, x, moving)
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            d.frc[parent] = d.frc[parent] + d.frc[b]
            d.pushed[parent] = d.pushed[parent] + d.pushed[b]
            d.arms[parent] = d.arms[parent] + d.arms[b]
    for k in range(m.nv):
        # changes in front of a dof by its motion, seen from behind: velocity, and drift
        axis, velocity = d.cdof[k], d.vel_before[k]
        change = cross_motion(velocity, axis)
        d.change[k] = angular(change)
        d.drift[k] = cross_motion(d.acc_before[k], axis) - cross_motion(change, velocity)
    for i in range(m.nv):
        add_rne_dpos_entries(m, d, out, i, moving)


@kernel
def rne_forward_pass(m, d, x, moving: int):
    """Outward pass of RNE: velocity and acceleration in front of each dof, force on each body."""
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    d.acc[0] = still
    d.pushing = 0
    if moving != 0:
        set_world_acceleration(m, d.acc)
    for b in range(1, m.nbody):
        velocity = d.cvel[m.body_parentid[b]]
        if moving == 0:
            velocity = still
        acceleration = d.acc[m.body_parentid[b]]
        first = m.body_jntadr[b]
        for j in range(first, first + m.body_jntnum[b]):
            dof = m.jnt_dofadr[j]
            last = dof + 1
            if m.jnt_type[j] == FREE:
                velocity, acceleration = propagate_through_dofs(
                    d, x, dof, dof + 3, velocity, acceleration, moving
                )
                dof += 3
                last = dof + 3
            elif m.jnt_type[j] == BALL:
                last = dof + 3
            velocity, acceleration = propagate_through_dofs(
                d, x, dof, last, velocity, acceleration, moving
            )
        d.acc[b] = acceleration
        d.frc[b] = inertia_times_motion(d.cinert[b], acceleration)
        d.pushed[b] = still
        d.arms[b] = mat3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if moving != 0:
            momentum = inertia_times_motion(d.cinert[b], velocity)
            d.frc[b] = d.frc[b] + cross_force(velocity, momentum)
            subtract_applied_wrench(m, d, b)


@kernel
def propagate_through_dofs(d, x, first: int, end: int, velocity, acceleration, moving: int):
    """(velocity, acceleration) behind dofs first to end - 1, which rotate together."""
    for k in range(first, end):
        d.vel_before[k] = velocity
        d.acc_before[k] = acceleration
    for k in range(first, end):
        acceleration = acceleration + d.cdof[k] * x[k]
        if moving != 0:
            acceleration = acceleration + d.cdof_dot[k] * d.qvel[k]
            velocity = velocity + d.cdof[k] * d.qvel[k]
    return velocity, acceleration


@kernel
def subtract_applied_wrench(m, d, b: int):
    """Subtract applied forces of fixed world direction: xfrc_applied and gravity compensation."""
    force = vec3(d.xfrc_applied[b, 0], d.xfrc_applied[b, 1], d.xfrc_applied[b, 2])
    torque = vec3(d.xfrc_applied[b, 3], d.xfrc_applied[b, 4], d.xfrc_applied[b, 5])
    if has_gravity_compensation(m):
        force = force - m.opt_gravity * (m.body_mass[b] * m.body_gravcomp[b])
    if abs_sum(force) + abs_sum(torque) != 0.0:
        d.pushing = 1
    arm = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
    d.pushed[b] = wrench_about(force, torque, arm)
    d.frc[b] = d.frc[b] - d.pushed[b]
    along = dot(arm, force)
    d.arms[b] = mat3(
        arm.x * force.x - along,
        arm.x * force.y,
        arm.x * force.z,
        arm.y * force.x,
        arm.y * force.y - along,
        arm.y * force.z,
        arm.z * force.x,
        arm.z * force.y,
        arm.z * force.z - along,
    )


@kernel
def has_gravity_compensation(m):
    """Whether there is gravity compensation; it is a passive force."""
    off = m.opt_disableflags
    passive = off & NO_SPRING == 0 or off & NO_DAMPER == 0
    return passive and off & NO_GRAVITY == 0 and m.ngravcomp > 0


@kernel
def restore_gravcomp_dpos(m, d, acting: int):
    """Undo the gravity compensation of dofs on which actuators deliver it, where they do not.

    It was subtracted for all dofs. Without actuation, and on joints at their force limits, a dof
    does not get it.
    """
    idle = acting == 0 or m.nactuator == 0 or m.opt_disableflags & NO_ACTUATION != 0
    if has_gravity_compensation(m):
        for i in range(m.nv):
            joint = m.dof_jntid[i]
            if m.jnt_actgravcomp[joint] != 0 and (idle or joint_force_clamped(m, d, joint)):
                for b in range(m.dof_bodyid[i], m.nbody):
                    if m.body_gravcomp[b] != 0.0 and dof_moves_body(m, i, b):
                        add_gravcomp_dpos(m, d, i, b)


@kernel
def add_gravcomp_dpos(m, d, i: int, b: int):
    """Partial of the gravity compensation of a body on dof i."""
    force = m.opt_gravity * (-m.body_mass[b] * m.body_gravcomp[b])
    none = vec3(0.0, 0.0, 0.0)
    wrench = wrench_on_body(m, d, b, d.xipos[b], force, none)
    k = last_dof_of_body(m, b)
    while k >= 0:
        moved = cross(point_dpos(m, d, k, b, d.xipos[b]), force)
        rate = spatial_of(moved, none)
        if i >= first_turning_dof(m, k):
            rate = rate - cross_force(d.cdof[k], wrench)
        d.R[i * d.ncol + k] += spatial_dot(d.cdof[i], rate)
        k = m.dof_parentid[k]


@kernel
def rotate_in_one_joint(m, i: int, k: int):
    """Whether two dofs rotate in one joint, so that their axes follow each other."""
    joint = m.dof_jntid[k]
    same = m.dof_jntid[i] == joint
    first = m.jnt_dofadr[joint]
    if same and m.jnt_type[joint] == FREE:
        same = i >= first + 3 and k >= first + 3
    return same


@kernel
def applied_wrench_dpos(d, b: int, k: int):
    """The part of a subtree's applied wrench that does not rotate along with dof k."""
    axis = d.cdof[k]
    moved = cross(linear(axis), linear(d.pushed[b])) + d.arms[b] @ angular(axis)
    return cross_force(axis, d.pushed[b]) - spatial_of(moved, vec3(0.0, 0.0, 0.0))


@kernel
def add_rne_dpos_entries(m, d, out, i: int, moving: int):
    """Entries of dof i with itself and with its ancestors, in both triangles."""
    b = m.dof_bodyid[i]
    axis = d.cdof[i]
    # partial of this dof's force by its ancestors; of the ancestors' forces by this dof
    carried = inertia_times_motion(d.crb[b], axis)
    force_below = inertia_times_motion(d.crb[b], d.drift[i])
    torque = vec3(0.0, 0.0, 0.0)
    if moving != 0:
        turn, momentum = d.rne_turn[b], d.rne_momentum[b]
        torque = into_frame(turn, angular(axis)) + cross(momentum, linear(axis)) * 2.0
        spun = d.change[i]
        force_below = force_below + spatial_of(turn @ spun, cross(spun, momentum) * 2.0)
        if d.pushing != 0:
            force_below = force_below + applied_wrench_dpos(d, b, i)
    turned = cross_force(axis, d.frc[b])
    row = m.D_rowadr[i]
    for at in range(row, row + m.D_diag[i] + 1):
        k = m.D_colind[at]
        value = spatial_dot(d.drift[k], carried) + dot(d.change[k], torque)
        if moving != 0 and d.pushing != 0:
            value += spatial_dot(axis, applied_wrench_dpos(d, b, k))
        out[i * d.ncol + k] += value
        if k != i:
            back = spatial_dot(d.cdof[k], force_below)
            if not rotate_in_one_joint(m, k, i):
                back += spatial_dot(d.cdof[k], turned)
            out[k * d.ncol + i] += back
