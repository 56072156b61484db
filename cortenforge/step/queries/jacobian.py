"""Jacobians of points, bodies and subtree centres of mass; joint forces of an applied force.

    jacr[:, i] = a_i,    jacp[:, i] = l_i + a_i x (point - com of the tree),  cdof_i = (a_i, l_i)
    subtree com: sum of mass jacp over the part that a dof moves, divided by the subtree's mass

for the dofs i that move the body. Source: Featherstone, Rigid Body Dynamics Algorithms (2008),
ch. 2; MuJoCo: Computation, "General framework".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, cross_motion, linear, linear_at
from cortenforge.math.vector import MINVAL, abs_sum, cross
from cortenforge.step.apply_force import apply_force, last_dof_of_body
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.position.objects import motion_at_point, object_body, object_position


@kernel(lanes=True)
def clear_jacobians(m, d):
    """Set both query Jacobians to zero."""
    for i in range(3 * m.nv):
        d.query_jacp[i] = 0.0
        d.query_jacr[i] = 0.0


@kernel(lanes=True)
def write_jacobian_column(m, field, i: int, v):
    """Write column i of a matrix (3, nv)."""
    field[i] = v.x
    field[m.nv + i] = v.y
    field[2 * m.nv + i] = v.z


@kernel(lanes=True, unit=True)
def point_jacobian(m, d, b: int):
    """query_jacp, query_jacr (3, nv) of query_point, fixed in body b.  Mirrors mj_jac."""
    jacobians_at(m, d, b, d.query_point)


@kernel(lanes=True, unit=True)
def object_jacobian(m, d, kind: int, number: int):
    """query_jacp, query_jacr (3, nv) of the position of an object, by type and id.

    Mirrors mj_jacBody, mj_jacBodyCom, mj_jacGeom and mj_jacSite.
    """
    jacobians_at(m, d, object_body(m, kind, number), object_position(d, kind, number))


@kernel(lanes=True)
def jacobians_at(m, d, b: int, point):
    """query_jacp, query_jacr (3, nv) of a point fixed in body b, in world axes."""
    clear_jacobians(m, d)
    offset = point - d.subtree_com[m.body_rootid[b]]
    i = last_dof_of_body(m, b)
    while i >= 0:
        write_jacobian_column(m, d.query_jacr, i, angular(d.cdof[i]))
        write_jacobian_column(m, d.query_jacp, i, linear_at(d.cdof[i], offset))
        i = m.dof_parentid[i]


@kernel(lanes=True, unit=True)
def point_jacobian_rate(m, d, b: int):
    """Time derivative of both Jacobians, for a point fixed in body b.  Mirrors mj_jacDot."""
    clear_jacobians(m, d)
    offset = d.query_point - d.subtree_com[m.body_rootid[b]]
    point_velocity = linear(motion_at_point(m, d, b, d.query_point, d.cvel[b]))
    i = last_dof_of_body(m, b)
    while i >= 0:
        axis = d.cdof[i]
        axis_rate = motion_axis_rate(m, d, i)
        write_jacobian_column(m, d.query_jacr, i, angular(axis_rate))
        change = linear_at(axis_rate, offset) + cross(angular(axis), point_velocity)
        write_jacobian_column(m, d.query_jacp, i, change)
        i = m.dof_parentid[i]


@kernel(lanes=True)
def motion_axis_rate(m, d, i: int):
    """Time derivative of a dof's motion axis; axes of balls are fixed in the body itself."""
    j = m.dof_jntid[i]
    kind = m.jnt_type[j]
    turning = kind == BALL or (kind == FREE and i >= m.jnt_dofadr[j] + 3)
    change = d.cdof_dot[i]
    if turning:
        change = cross_motion(d.cvel[m.dof_bodyid[i]], d.cdof[i])
    return change


@kernel(lanes=True, unit=True)
def subtree_jacobian(m, d, b: int):
    """query_jacp of the com of a subtree.  Mirrors mj_jacSubtreeCom.

    A dof moves everything below its body: the whole subtree, or a part of it with its own com.
    """
    clear_jacobians(m, d)
    whole = 1.0 / max(MINVAL, m.body_subtreemass[b])
    for i in range(m.nv):
        carrier = m.dof_bodyid[i]
        if is_ancestor_body(m, carrier, b) or is_ancestor_body(m, b, carrier):
            moved = b if carrier < b else carrier
            offset = d.subtree_com[moved] - d.subtree_com[m.body_rootid[moved]]
            motion = linear_at(d.cdof[i], offset)
            write_jacobian_column(m, d.query_jacp, i, motion * (m.body_subtreemass[moved] * whole))


@kernel(lanes=True)
def is_ancestor_body(m, body: int, descendant: int):
    """Whether a body is an ancestor of another, or the same."""
    b = descendant
    while b > body:
        b = m.body_parentid[b]
    return b == body


@kernel(lanes=True, unit=True)
def apply_force_torque(m, d, b: int):
    """query_vec = J' (force, torque) at a point of body b.  Mirrors mj_applyFT."""
    for i in range(m.nv):
        d.query_vec[i] = 0.0
    # true for NaN, so that it propagates
    active = abs_sum(d.query_force) + abs_sum(d.query_torque) != 0.0
    apply_force(m, d, d.query_vec, b, d.query_point, d.query_force, d.query_torque, active)
