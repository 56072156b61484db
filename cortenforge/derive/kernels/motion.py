"""How points and axes move while one dof moves on, and what that does to moment arms.

An output of forces, a tendon or an actuator, has the arm J_i = s_i . W at dof i: the dof's axis
times a wrench W on a body. While dof k moves on, W changes, and axes behind k turn along with it.
How arms of one output change is a matrix, `bend`, with a place for each two dofs of the output.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, cross_force, linear, pairing, spatial_of
from cortenforge.math.vector import cross
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.derivative.actuators import at_joint_limit
from cortenforge.step.derivative.pattern import coupled
from cortenforge.step.position.transmission import site_wrench
from cortenforge.step.push import last_dof


@kernel
def moves(m, k: int, b: int):
    """Whether a dof moves a body."""
    last = last_dof(m, b)
    found = False
    if last >= k:
        found = coupled(m, last, k)
    return found


@kernel
def front_of(m, k: int):
    """The first of the dofs whose axes turn along with a dof: of a ball's dofs, all do."""
    joint = m.dof_jntid[k]
    first = m.jnt_dofadr[joint]
    front = k
    if m.jnt_type[joint] == BALL:
        front = first
    elif m.jnt_type[joint] == FREE and k >= first + 3:
        front = first + 3
    return front


@kernel
def turn_rate(m, d, k: int, b: int):
    """How a body turns while a dof moves on."""
    rate = vec3(0.0, 0.0, 0.0)
    if moves(m, k, b):
        rate = angular(d.cdof[k])
    return rate


@kernel
def point_rate(m, d, k: int, b: int, point):
    """How a point of a body moves while a dof moves on."""
    rate = vec3(0.0, 0.0, 0.0)
    if moves(m, k, b):
        axis = d.cdof[k]
        arm = point - d.subtree_com[m.body_rootid[b]]
        rate = linear(axis) + cross(angular(axis), arm)
    return rate


@kernel
def clear_bend(d, count: int):
    """No changes so far, of an output with so many arms."""
    for at in range(count * count):
        d.bend[at] = 0.0


@kernel
def wrench_rate(m, d, b: int, point, force, moved, force_rate, torque_rate):
    """How a force and a torque on a body change as a wrench, while their point moves."""
    arm = point - d.subtree_com[m.body_rootid[b]]
    return spatial_of(torque_rate + cross(moved, force) + cross(arm, force_rate), force_rate)


@kernel
def bend_arms(m, d, columns, start: int, count: int, c: int, b: int, wrench, rate):
    """Add what arms of a wrench on a body change by, while the dof in place c moves on.

    columns: dofs in their places, from start on, rising. Dofs that have no place are left out:
    those that move both ends of an output alike.
    """
    k = columns[start + c]
    front = m.nv
    loose = rate
    if moves(m, k, b):
        front = front_of(m, k)
        loose = rate - cross_force(d.cdof[k], wrench)
    at = start + count - 1
    i = last_dof(m, b)
    while i >= 0 and at >= start:
        while at > start and columns[at] > i:
            at -= 1
        if columns[at] == i:
            value = pairing(d.cdof[i], rate)
            if i >= front:
                value = pairing(d.cdof[i], loose)
            d.bend[(at - start) * count + c] += value
        i = m.dof_parentid[i]


@kernel
def bend_site(m, d, out: int, c: int, count: int, k: int, site: int, force, torque, df, dt):
    """Arms of a force and a torque on a site; returns how the site moves."""
    b, point = m.site_bodyid[site], d.site_xpos[site]
    moved = point_rate(m, d, k, b, point)
    wrench = site_wrench(m, d, site, force, torque)
    rate = wrench_rate(m, d, b, point, force, moved, df, dt)
    bend_arms(m, d, m.moment_colind, m.moment_rowadr[out], count, c, b, wrench, rate)
    return moved


@kernel
def add_output(m, d, columns, arms, start: int, count: int, force, by_length, by_speed, own: int):
    """Take the change of an output's force on joints out of R.

    force: along the output. by_length, by_speed: how it changes with the output's length, whose
    derivative is `growth`, and with its speed, arms times velocities. own: 1 for what is no
    actuator's, and felt by joints at their limits, too.
    """
    if force != 0.0 or by_length != 0.0 or by_speed != 0.0:
        for c in range(count):
            change = by_length * d.growth[c] + by_speed * speed_change(d, columns, start, count, c)
            k = columns[start + c]
            for r in range(count):
                dof = columns[start + r]
                if own != 0 or not at_joint_limit(m, d, m.dof_jntid[dof]):
                    missing = arms[start + r] * change + force * d.bend[r * count + c]
                    d.R[dof * d.ncol + k] -= missing


@kernel
def speed_change(d, columns, start: int, count: int, c: int):
    """How an output's speed changes while the dof in place c moves on."""
    speed = 0.0
    for r in range(count):
        speed += d.bend[r * count + c] * d.qvel[columns[start + r]]
    return speed
