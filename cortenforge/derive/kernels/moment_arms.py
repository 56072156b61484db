"""Derivatives of points, axes and moment arms by single positions.

A force output (tendon or actuator) has the moment arm J_i = s_i . W at dof i: its motion axis times
a wrench W on a body. While dof k moves, W changes, and the axes of dofs behind k rotate along:

    dJ_i/dq_k = s_i . dW/dq_k                  for dofs in front of k
              = s_i . (dW/dq_k - s_k x* W)     for dofs behind it, seen from the moved axes

`bend` holds dJ of one output, (count, count) with a place for each of its dofs.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2 (derivative of a moving axis).
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, cross_force, linear, spatial_dot, spatial_of
from cortenforge.math.vector import cross
from cortenforge.step.apply_force import last_dof_of_body
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.derivative.actuator_dvel import joint_force_clamped
from cortenforge.step.derivative.sparsity import on_one_branch
from cortenforge.step.position.objects import motion_at_point
from cortenforge.step.position.transmission import site_wrench


@kernel
def dof_moves_body(m, k: int, b: int):
    """Whether a dof moves a body."""
    last = last_dof_of_body(m, b)
    found = False
    if last >= k:
        found = on_one_branch(m, last, k)
    return found


@kernel
def first_turning_dof(m, k: int):
    """First dof whose axis rotates along with a dof: for a ball's dofs, the ball's first."""
    joint = m.dof_jntid[k]
    first = m.jnt_dofadr[joint]
    front = k
    if m.jnt_type[joint] == BALL:
        front = first
    elif m.jnt_type[joint] == FREE and k >= first + 3:
        front = first + 3
    return front


@kernel
def rotation_dpos(m, d, k: int, b: int):
    """Angular Jacobian column of dof k at a body, in world axes."""
    rate = vec3(0.0, 0.0, 0.0)
    if dof_moves_body(m, k, b):
        rate = angular(d.cdof[k])
    return rate


@kernel
def point_dpos(m, d, k: int, b: int, point):
    """Jacobian column of dof k at a point of a body, in world axes."""
    rate = vec3(0.0, 0.0, 0.0)
    if dof_moves_body(m, k, b):
        rate = linear(motion_at_point(m, d, b, point, d.cdof[k]))
    return rate


@kernel
def clear_dmoment(d, count: int):
    """Set dJ of an output with `count` dofs to zero."""
    for at in range(count * count):
        d.bend[at] = 0.0


@kernel
def wrench_dpos(m, d, b: int, point, force, moved, force_rate, torque_rate):
    """d of the wrench of a force and torque at a point that moves.

    moved, force_rate, torque_rate: d of the point, of the force, of the torque.
    """
    arm = point - d.subtree_com[m.body_rootid[b]]
    return spatial_of(torque_rate + cross(moved, force) + cross(arm, force_rate), force_rate)


@kernel
def add_wrench_dmoment(m, d, columns, start: int, count: int, c: int, b: int, wrench, rate):
    """Add column c of dJ, for a wrench on body b and its rate.

    columns: the output's dofs from `start` on, rising. Dofs without a place are left out: those
    that move both ends of the output alike.
    """
    k = columns[start + c]
    first_behind = m.nv
    rate_behind = rate
    if dof_moves_body(m, k, b):
        first_behind = first_turning_dof(m, k)
        rate_behind = rate - cross_force(d.cdof[k], wrench)
    at = start + count - 1
    i = last_dof_of_body(m, b)
    while i >= 0 and at >= start:
        while at > start and columns[at] > i:
            at -= 1
        if columns[at] == i:
            value = spatial_dot(d.cdof[i], rate)
            if i >= first_behind:
                value = spatial_dot(d.cdof[i], rate_behind)
            d.bend[(at - start) * count + c] += value
        i = m.dof_parentid[i]


@kernel
def add_site_dmoment(m, d, out: int, c: int, count: int, k: int, site: int, force, torque, df, dt):
    """Add column c of dJ, for a force and torque on a site; returns the site's Jacobian column."""
    b, point = m.site_bodyid[site], d.site_xpos[site]
    moved = point_dpos(m, d, k, b, point)
    wrench = site_wrench(m, d, site, force, torque)
    rate = wrench_dpos(m, d, b, point, force, moved, df, dt)
    add_wrench_dmoment(m, d, m.moment_colind, m.moment_rowadr[out], count, c, b, wrench, rate)
    return moved


@kernel
def subtract_output_dpos(
    m, d, columns, arms, start: int, count: int, force, dforce_dlength, dforce_dvel, own: int
):
    """R -= d(J' f)/dq of an output.

    force: f. dforce_dlength, dforce_dvel: partials of f by length (whose derivative is `growth`)
    and by velocity J qvel.  own: 1 if f is no actuator's, so that joints' force limits do not clamp
    it.
    """
    if force != 0.0 or dforce_dlength != 0.0 or dforce_dvel != 0.0:
        for c in range(count):
            change = dforce_dlength * d.growth[c] + dforce_dvel * output_velocity_dpos(
                d, columns, start, count, c
            )
            k = columns[start + c]
            for r in range(count):
                dof = columns[start + r]
                if own != 0 or not joint_force_clamped(m, d, m.dof_jntid[dof]):
                    missing = arms[start + r] * change + force * d.bend[r * count + c]
                    d.R[dof * d.ncol + k] -= missing


@kernel
def output_velocity_dpos(d, columns, start: int, count: int, c: int):
    """Column c of d(J qvel)/dq of an output."""
    speed = 0.0
    for r in range(count):
        speed += d.bend[r * count + c] * d.qvel[columns[start + r]]
    return speed
