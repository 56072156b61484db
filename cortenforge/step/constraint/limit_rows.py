"""Rows of friction loss and of limits, of joints and tendons.

    friction loss   J = e_dof or ten_J,   no position,   |force| <= frictionloss
    lower limit     dist = q - range_0,   J = +1 (or ten_J)
    upper limit     dist = range_1 - q,   J = -1 (or -ten_J)
    a limit is active where dist < margin;  its force is >= 0

Source: MuJoCo: Computation, "Constraint model", sections "Friction loss" and "Limit".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.rotation import rotation_vector, unit_quat
from cortenforge.math.vector import norm, unit
from cortenforge.step.constants import (
    BALL,
    FREE,
    FRICTION_DOF,
    FRICTION_TENDON,
    LIMIT_JOINT,
    LIMIT_TENDON,
    WITH_SLEEP,
)
from cortenforge.step.constraint.impedance import set_frictionloss_impedance, set_limit_impedance
from cortenforge.step.constraint.row_list import (
    append_rows,
    describe_row,
    keep_unless_zero,
    set_jacobian_entry,
)
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.sleeping.sleep_constants import ASLEEP
from cortenforge.step.sleeping.sleep_state import is_tree_asleep, tendon_sleep_state


@kernel
def add_frictionloss_rows(m, d):
    """Append friction loss rows of dofs and tendons.  Mirrors mj_instantiateFriction."""
    for i in range(m.nv):
        if m.dof_frictionloss[i] != 0.0 and not is_dof_asleep(m, d, i):
            row = append_rows(d, 1, 1)
            if row >= 0:
                set_jacobian_entry(d, d.efc_J_rowadr[row], i, 1.0)
                describe_row(d, row, FRICTION_DOF, i, 0.0, 0.0, m.dof_frictionloss[i])
                d.efc_diagA[row] = m.dof_invweight0[i]
                set_frictionloss_impedance(m, d, row, m.dof_solref, m.dof_solimp, i)
    for t in range(m.ntendon):
        if m.tendon_frictionloss[t] > 0.0 and not is_tendon_asleep(m, d, t):
            row = add_tendon_row(m, d, t, 1.0)
            if row >= 0:
                describe_row(d, row, FRICTION_TENDON, t, 0.0, 0.0, m.tendon_frictionloss[t])
                d.efc_diagA[row] = m.tendon_invweight0[t]
                set_frictionloss_impedance(m, d, row, m.tendon_solref_fri, m.tendon_solimp_fri, t)


@kernel
def is_dof_asleep(m, d, i: int):
    """Whether a dof's kinematic tree is asleep."""
    return m.opt_enableflags & WITH_SLEEP != 0 and is_tree_asleep(d, m.dof_treeid[i])


@kernel
def is_tendon_asleep(m, d, t: int):
    """Whether all trees that a tendon joins are asleep."""
    return m.opt_enableflags & WITH_SLEEP != 0 and tendon_sleep_state(m, d, t) == ASLEEP


@kernel
def add_tendon_row(m, d, t: int, sign):
    """Append the row sign * ten_J of a tendon; -1 if there is no room, or if it is all zero."""
    nnz = m.ten_J_rownnz[t]
    row = -1
    if nnz > 0:
        row = append_rows(d, 1, nnz)
    if row >= 0:
        at, start = d.efc_J_rowadr[row], m.ten_J_rowadr[t]
        for k in range(nnz):
            set_jacobian_entry(d, at + k, m.ten_J_colind[start + k], sign * d.ten_J[start + k])
        if keep_unless_zero(m, d, row, 1):
            note_first_tendon_row(d, t, row)
        else:
            row = -1
    return row


@kernel
def note_first_tendon_row(d, t: int, row: int):
    """Store the first row of a tendon in tendon_efcadr."""
    if d.tendon_efcadr[t] < 0:
        d.tendon_efcadr[t] = row


@kernel
def add_limit_rows(m, d):
    """Append rows of limits whose distance is below their margin.  Mirrors mj_instantiateLimit."""
    for j in range(m.njnt):
        if m.jnt_limited[j] != 0 and not is_dof_asleep(m, d, m.jnt_dofadr[j]):
            if m.jnt_type[j] == BALL:
                add_ball_limit(m, d, j)
            elif m.jnt_type[j] != FREE:
                position = d.qpos[m.jnt_qposadr[j]]
                add_joint_limit(m, d, j, position - m.jnt_range[j, 0], 1.0)
                add_joint_limit(m, d, j, m.jnt_range[j, 1] - position, -1.0)
    for t in range(m.ntendon):
        if m.tendon_limited[t] != 0 and not is_tendon_asleep(m, d, t):
            add_tendon_limit(m, d, t, d.ten_length[t] - m.tendon_range[t, 0], 1.0)
            add_tendon_limit(m, d, t, m.tendon_range[t, 1] - d.ten_length[t], -1.0)


@kernel
def add_joint_limit(m, d, j: int, dist, sign):
    """Row of one side of a hinge's or slide's range."""
    if dist < m.jnt_margin[j]:
        row = append_rows(d, 1, 1)
        if row >= 0:
            set_jacobian_entry(d, d.efc_J_rowadr[row], m.jnt_dofadr[j], sign)
            describe_joint_limit(m, d, row, j, dist)


@kernel
def add_ball_limit(m, d, j: int):
    """Row of a ball joint's range: dist = max(range) - |rotation vector|, J = -axis."""
    turn = rotation_vector(unit_quat(quat_at(d.qpos, m.jnt_qposadr[j])))
    dist = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - norm(turn)
    if dist < m.jnt_margin[j]:
        row = append_rows(d, 1, 3)
        if row >= 0:
            axis = unit(turn)
            at, dof = d.efc_J_rowadr[row], m.jnt_dofadr[j]
            set_jacobian_entry(d, at, dof, -axis.x)
            set_jacobian_entry(d, at + 1, dof + 1, -axis.y)
            set_jacobian_entry(d, at + 2, dof + 2, -axis.z)
            describe_joint_limit(m, d, row, j, dist)


@kernel
def describe_joint_limit(m, d, row: int, j: int, dist):
    """Distance, diagA and efc_KBIP of a joint limit."""
    describe_row(d, row, LIMIT_JOINT, j, dist, m.jnt_margin[j], 0.0)
    d.efc_diagA[row] = m.dof_invweight0[m.jnt_dofadr[j]]
    set_limit_impedance(m, d, row, m.jnt_solref, m.jnt_solimp, j, dist - m.jnt_margin[j])


@kernel
def add_tendon_limit(m, d, t: int, dist, sign):
    """Row of one side of a tendon's range."""
    margin = m.tendon_margin[t]
    if dist < margin:
        row = add_tendon_row(m, d, t, sign)
        if row >= 0:
            describe_row(d, row, LIMIT_TENDON, t, dist, margin, 0.0)
            d.efc_diagA[row] = m.tendon_invweight0[t]
            set_limit_impedance(
                m, d, row, m.tendon_solref_lim, m.tendon_solimp_lim, t, dist - margin
            )


@kernel
def tendon_limit_force(m, d, row: int):
    """Force along a tendon of one of its limit rows; positive lengthens the tendon.

    A tendon's lower limit, if active, is its first limit row.
    """
    t = d.efc_id[row]
    below = d.ten_length[t] - m.tendon_range[t, 0] < m.tendon_margin[t]
    again = row > 0 and d.efc_type[row - 1] == LIMIT_TENDON and d.efc_id[row - 1] == t
    return d.efc_force[row] if below and not again else -d.efc_force[row]
