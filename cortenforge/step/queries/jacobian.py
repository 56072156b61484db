"""How dofs move points, bodies and subtrees."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, cross_motion, linear
from cortenforge.math.vector import MINVAL, abs_sum, cross
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.push import last_dof, push
from cortenforge.step.sensing.objects import motion_at


@kernel(lanes=True)
def clear_jacobians(m, d):
    """Nothing moves anything."""
    for i in range(3 * m.nv):
        d.query_jacp[i] = 0.0
        d.query_jacr[i] = 0.0


@kernel(lanes=True)
def put_column(m, field, i: int, v):
    """Write the column of a dof in a matrix of three rows."""
    field[i] = v.x
    field[m.nv + i] = v.y
    field[2 * m.nv + i] = v.z


@kernel(lanes=True, unit=True)
def point_jacobian(m, d, b: int):
    """How dofs move a point of a body and turn the body.  Mirrors mj_jac."""
    clear_jacobians(m, d)
    offset = d.query_point - d.subtree_com[m.body_rootid[b]]
    i = last_dof(m, b)
    while i >= 0:
        turn = angular(d.cdof[i])
        put_column(m, d.query_jacr, i, turn)
        put_column(m, d.query_jacp, i, linear(d.cdof[i]) + cross(turn, offset))
        i = m.dof_parentid[i]


@kernel(lanes=True, unit=True)
def point_jacobian_rate(m, d, b: int):
    """How fast these change, for a point that moves with its body.  Mirrors mj_jacDot."""
    clear_jacobians(m, d)
    offset = d.query_point - d.subtree_com[m.body_rootid[b]]
    moving = linear(motion_at(m, d, b, d.query_point, d.cvel[b]))
    i = last_dof(m, b)
    while i >= 0:
        axis = d.cdof[i]
        change = rate_of_axis(m, d, i)
        put_column(m, d.query_jacr, i, angular(change))
        put_column(
            m,
            d.query_jacp,
            i,
            linear(change) + cross(angular(change), offset) + cross(angular(axis), moving),
        )
        i = m.dof_parentid[i]


@kernel(lanes=True)
def rate_of_axis(m, d, i: int):
    """How a dof's axis changes; those of a quaternion turn with the body itself."""
    j = m.dof_jntid[i]
    kind = m.jnt_type[j]
    turning = kind == BALL or (kind == FREE and i >= m.jnt_dofadr[j] + 3)
    change = d.cdof_dot[i]
    if turning:
        change = cross_motion(d.cvel[m.dof_bodyid[i]], d.cdof[i])
    return change


@kernel(lanes=True, unit=True)
def subtree_jacobian(m, d, b: int):
    """How dofs move the centre of mass of a subtree.  Mirrors mj_jacSubtreeCom.

    A dof moves all that hangs on its body: the whole subtree, or a part of it with its own centre.
    """
    clear_jacobians(m, d)
    whole = 1.0 / max(MINVAL, m.body_subtreemass[b])
    for i in range(m.nv):
        carrier = m.dof_bodyid[i]
        if is_above(m, carrier, b) or is_above(m, b, carrier):
            moved = b if carrier < b else carrier
            offset = d.subtree_com[moved] - d.subtree_com[m.body_rootid[moved]]
            motion = linear(d.cdof[i]) + cross(angular(d.cdof[i]), offset)
            put_column(m, d.query_jacp, i, motion * (m.body_subtreemass[moved] * whole))


@kernel(lanes=True)
def is_above(m, one: int, other: int):
    """Whether a body is another, or carries it."""
    b = other
    while b > one:
        b = m.body_parentid[b]
    return b == one


@kernel(lanes=True, unit=True)
def push_on_point(m, d, b: int):
    """Joint forces of a force and torque on a body at a point.  Mirrors mj_applyFT."""
    for i in range(m.nv):
        d.query_vec[i] = 0.0
    # true for nan, so that nan is seen
    felt = abs_sum(d.query_force) + abs_sum(d.query_torque) != 0.0
    push(m, d, d.query_vec, b, d.query_point, d.query_force, d.query_torque, felt)
