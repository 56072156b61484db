"""Rows of equality constraints: connect, weld, joint, tendon, distance.

    connect    pos = p_1 - p_2                          3 rows, world axes
    weld       the same, and torquescale vec(q_2* q_1)  6 rows
    joint      q_1 - q0_1 - c_0 - sum_k c_k (q_2 - q0_2)^k, k = 1..4
    tendon     the same with lengths
    distance   |c_1 - c_2| - distance

Source: MuJoCo: Computation, "Constraint model", section "Equality"; docs/rows.md.
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, quat, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import angular, linear_at
from cortenforge.math.vector import dot, norm, unit
from cortenforge.step.apply_force import last_dof_of_body
from cortenforge.step.constants import (
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    EQUALITY,
    OBJ_SITE,
    WITH_SLEEP,
)
from cortenforge.step.constraint.impedance import set_equality_impedance
from cortenforge.step.constraint.limit_rows import note_first_tendon_row
from cortenforge.step.constraint.row_list import (
    append_rows,
    count_relative_dofs,
    describe_row,
    keep_unless_zero,
    set_jacobian_entry,
)
from cortenforge.step.sleeping.sleep_constants import AWAKE
from cortenforge.step.sleeping.sleep_state import body_sleep_state, tendon_sleep_state


@kernel(unit=True)
def add_equality_rows(m, d):
    """Append rows of all active equalities that are awake.  Mirrors mj_instantiateEquality."""
    for e in range(m.neq):
        if d.eq_active[e] != 0.0 and not is_equality_asleep(m, d, e):
            kind = m.eq_type[e]
            # the first two types: connect and weld
            if kind <= EQ_WELD:
                add_connect_or_weld(m, d, e)
            elif kind == EQ_JOINT:
                add_joint_equality(m, d, e)
            elif kind == EQ_TENDON:
                add_tendon_equality(m, d, e)
            elif kind == EQ_DISTANCE:
                add_distance_equality(m, d, e)


@kernel
def is_equality_asleep(m, d, e: int):
    """Whether neither object of an equality is awake."""
    asleep = False
    if m.opt_enableflags & WITH_SLEEP != 0:
        asleep = not is_equality_object_awake(
            m, d, e, m.eq_obj1id[e]
        ) and not is_equality_object_awake(m, d, e, m.eq_obj2id[e])
    return asleep


@kernel
def is_equality_object_awake(m, d, e: int, number: int):
    """Whether one of an equality's objects is awake; false for a missing object (number < 0)."""
    state = AWAKE - 1
    kind = m.eq_type[e]
    if number >= 0:
        if kind == EQ_TENDON:
            state = tendon_sleep_state(m, d, number)
        elif kind == EQ_JOINT:
            state = body_sleep_state(m, d, m.jnt_bodyid[number])
        else:
            state = body_sleep_state(m, d, equality_body(m, e, number))
    return state == AWAKE


@kernel
def equality_body(m, e: int, number: int):
    """Body of an equality's object (body, site or geom); 0, the world, if there is none."""
    body = max(number, 0)
    if m.eq_type[e] == EQ_DISTANCE:
        body = m.geom_bodyid[number] if number >= 0 else 0
    elif m.eq_objtype[e] == OBJ_SITE:
        body = m.site_bodyid[number]
    return body


@kernel
def equality_vector(m, e: int, k: int):
    """Three numbers of eq_data, from column k."""
    return vec3(m.eq_data[e, k], m.eq_data[e, k + 1], m.eq_data[e, k + 2])


@kernel
def equality_anchor(m, d, e: int, number: int, column: int):
    """Anchor of one object of an equality, in world axes: body point, site, or centre of a geom.

    column: of eq_data, where a body's anchor begins.
    """
    place = vec3(0.0, 0.0, 0.0)
    if m.eq_type[e] == EQ_DISTANCE:
        if number >= 0:
            place = d.geom_xpos[number]
    elif m.eq_objtype[e] == OBJ_SITE:
        place = d.site_xpos[number]
    else:
        place = d.xpos[number] + d.xmat[number] @ equality_vector(m, e, column)
    return place


@kernel
def equality_anchors(m, d, e: int):
    """Both anchors of an equality, in world axes.  Mirrors mj_equalityAnchors.

    A weld stores the anchor of its second body first.
    """
    swapped = 3 if m.eq_type[e] == EQ_WELD else 0
    one = equality_anchor(m, d, e, m.eq_obj1id[e], swapped)
    return one, equality_anchor(m, d, e, m.eq_obj2id[e], 3 - swapped)


@kernel
def weld_rotations(m, d, e: int):
    """Quaternions (q_1, q_2*) of a weld; the rotation error is their product q_2* q_1."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    if m.eq_objtype[e] == OBJ_SITE:
        quat1 = d.xquat[m.site_bodyid[one]] * m.site_quat[one]
        quat2 = d.xquat[m.site_bodyid[other]] * m.site_quat[other]
    else:
        pose = quat(m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9])
        quat1, quat2 = d.xquat[one] * pose, d.xquat[other]
    return quat1, conjugate(quat2)


@kernel
def count_union_dofs(m, i: int, j: int):
    """Number of dofs that move either body; i and j are the last dofs of each."""
    count = 0
    while i >= 0 or j >= 0:
        count += 1
        dof = max(i, j)
        if i == dof:
            i = m.dof_parentid[i]
        if j == dof:
            j = m.dof_parentid[j]
    return count


@kernel
def add_connect_or_weld(m, d, e: int):
    """Append 3 rows of a connect, or 6 of a weld."""
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    size = 6 if m.eq_type[e] == EQ_WELD else 3
    nnz = count_union_dofs(m, last_dof_of_body(m, one), last_dof_of_body(m, other))
    row = -1
    if nnz > 0:
        row = append_rows(d, size, nnz)
    if row >= 0:
        set_connect_jacobian(m, d, e, row, one, other)
        if size == 6:
            set_weld_jacobian(m, d, e, row, one, other)
        if keep_unless_zero(m, d, row, size):
            describe_connect_or_weld(m, d, e, row, size, one, other)


@kernel
def set_connect_jacobian(m, d, e: int, row: int, one: int, other: int):
    """Jacobian of anchor 1 minus anchor 2, in world axes: J_1 - J_2."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    to_one = anchor1 - d.subtree_com[m.body_rootid[one]]
    to_other = anchor2 - d.subtree_com[m.body_rootid[other]]
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    i, j = last_dof_of_body(m, one), last_dof_of_body(m, other)
    while i >= 0 or j >= 0:
        at -= 1
        dof = max(i, j)
        move = vec3(0.0, 0.0, 0.0)
        if i == dof:
            move = move + linear_at(d.cdof[dof], to_one)
            i = m.dof_parentid[i]
        if j == dof:
            move = move - linear_at(d.cdof[dof], to_other)
            j = m.dof_parentid[j]
        set_jacobian_entry(d, at, dof, move.x)
        set_jacobian_entry(d, at + nnz, dof, move.y)
        set_jacobian_entry(d, at + 2 * nnz, dof, move.z)


@kernel
def set_weld_jacobian(m, d, e: int, row: int, one: int, other: int):
    """Jacobian of a weld's rotation error: scale / 2 vec(q_2* (w_1 - w_2) q_1)."""
    quat1, quat2_conj = weld_rotations(m, d, e)
    half = 0.5 * m.eq_data[e, 10]
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row + 3] + nnz
    i, j = last_dof_of_body(m, one), last_dof_of_body(m, other)
    while i >= 0 or j >= 0:
        at -= 1
        dof = max(i, j)
        axis = vec3(0.0, 0.0, 0.0)
        if i == dof:
            axis = axis + angular(d.cdof[dof])
            i = m.dof_parentid[i]
        if j == dof:
            axis = axis - angular(d.cdof[dof])
            j = m.dof_parentid[j]
        turn = weld_rotation_rate(quat2_conj, axis, quat1)
        set_jacobian_entry(d, at, dof, half * turn.x)
        set_jacobian_entry(d, at + nnz, dof, half * turn.y)
        set_jacobian_entry(d, at + 2 * nnz, dof, half * turn.z)


@kernel
def weld_rotation_rate(back, axis, turn):
    """Vector part of back (0, axis) turn, quaternion products."""
    change = back * quat(0.0, axis.x, axis.y, axis.z) * turn
    return vec3(change.x, change.y, change.z)


@kernel
def describe_connect_or_weld(m, d, e: int, row: int, size: int, one: int, other: int):
    """Violation, diagA and efc_KBIP of a connect or weld."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    off = anchor1 - anchor2
    square = dot(off, off)
    describe_row(d, row, EQUALITY, e, off.x, 0.0, 0.0)
    describe_row(d, row + 1, EQUALITY, e, off.y, 0.0, 0.0)
    describe_row(d, row + 2, EQUALITY, e, off.z, 0.0, 0.0)
    if size == 6:
        turned, back = weld_rotations(m, d, e)
        left = back * turned
        twist = vec3(left.x, left.y, left.z) * m.eq_data[e, 10]
        square += dot(twist, twist)
        describe_row(d, row + 3, EQUALITY, e, twist.x, 0.0, 0.0)
        describe_row(d, row + 4, EQUALITY, e, twist.y, 0.0, 0.0)
        describe_row(d, row + 5, EQUALITY, e, twist.z, 0.0, 0.0)
    for k in range(size):
        turns = 1 if k > 2 else 0
        weight = m.body_invweight0[one, turns] + m.body_invweight0[other, turns]
        d.efc_diagA[row + k] = weight
    set_equality_impedance(m, d, row, size, m.eq_solref, m.eq_solimp, e, math.sqrt(square))


@kernel
def describe_scalar_equality(m, d, e: int, row: int, off, weight):
    """Violation, diagA and efc_KBIP of an equality with one row."""
    describe_row(d, row, EQUALITY, e, off, 0.0, 0.0)
    d.efc_diagA[row] = weight
    set_equality_impedance(m, d, row, 1, m.eq_solref, m.eq_solimp, e, off)


@kernel
def equality_polynomial(m, e: int, x):
    """(value, derivative) of an equality's quartic polynomial, without its constant term."""
    c1, c2, c3, c4 = m.eq_data[e, 1], m.eq_data[e, 2], m.eq_data[e, 3], m.eq_data[e, 4]
    value = x * (c1 + x * (c2 + x * (c3 + x * c4)))
    return value, c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4)))


@kernel
def add_joint_equality(m, d, e: int):
    """Append the row of a joint equality: q_1 - q0_1 = c_0 + poly(q_2 - q0_2)."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    at = m.jnt_qposadr[one]
    dof = m.jnt_dofadr[one]
    off = d.qpos[at] - m.qpos0[at] - m.eq_data[e, 0]
    weight = m.dof_invweight0[dof]
    if other < 0:
        row = append_rows(d, 1, 1)
        if row >= 0:
            set_jacobian_entry(d, d.efc_J_rowadr[row], dof, 1.0)
            describe_scalar_equality(m, d, e, row, off, weight)
    else:
        second = m.jnt_dofadr[other]
        value, slope = equality_polynomial(
            m, e, d.qpos[m.jnt_qposadr[other]] - m.qpos0[m.jnt_qposadr[other]]
        )
        row = append_rows(d, 1, 2)
        if row >= 0:
            start = d.efc_J_rowadr[row]
            later = 1 if second > dof else 0
            set_jacobian_entry(d, start + 1 - later, dof, 1.0)
            set_jacobian_entry(d, start + later, second, -slope)
            describe_scalar_equality(m, d, e, row, off - value, weight + m.dof_invweight0[second])


@kernel
def add_tendon_equality(m, d, e: int):
    """Append the row of a tendon equality: l_1 - l0_1 = c_0 + poly(l_2 - l0_2)."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    off = d.ten_length[one] - m.tendon_length0[one] - m.eq_data[e, 0]
    weight = m.tendon_invweight0[one]
    slope = 0.0
    if other >= 0:
        value, slope = equality_polynomial(m, e, d.ten_length[other] - m.tendon_length0[other])
        off -= value
        weight += m.tendon_invweight0[other]
    nnz = set_tendon_equality_jacobian(m, d, one, other, slope, -1)
    row = -1
    if nnz > 0:
        row = append_rows(d, 1, nnz)
    if row >= 0:
        set_tendon_equality_jacobian(m, d, one, other, slope, d.efc_J_rowadr[row])
        if keep_unless_zero(m, d, row, 1):
            describe_scalar_equality(m, d, e, row, off, weight)
            note_first_tendon_row(d, one, row)
            if other >= 0:
                note_first_tendon_row(d, other, row)


@kernel
def set_tendon_equality_jacobian(m, d, one: int, other: int, slope, at: int):
    """Entries of J_1 - slope J_2 of two tendons, columns merged; returns how many there are.

    at: where they are stored; -1 only counts them. other: -1 if there is no second tendon.
    """
    i, j = m.ten_J_rowadr[one], 0
    last_i, last_j = i + m.ten_J_rownnz[one], 0
    if other >= 0:
        j = m.ten_J_rowadr[other]
        last_j = j + m.ten_J_rownnz[other]
    count = 0
    while i < last_i or j < last_j:
        of_one = m.ten_J_colind[i] if i < last_i else m.nv
        of_other = m.ten_J_colind[j] if j < last_j else m.nv
        change = 0.0
        if of_one <= of_other:
            change += d.ten_J[i]
            i += 1
        if of_other <= of_one:
            change -= slope * d.ten_J[j]
            j += 1
        if at >= 0:
            set_jacobian_entry(d, at + count, min(of_one, of_other), change)
        count += 1
    return count


@kernel
def add_distance_equality(m, d, e: int):
    """Append the row of a distance equality: |c_1 - c_2| = distance, of two geoms' centres.

    MuJoCo removed this type. Dofs that move both geoms alike have no entries.
    """
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    nnz = count_relative_dofs(m, last_dof_of_body(m, one), last_dof_of_body(m, other))
    row = -1
    if nnz > 0:
        row = append_rows(d, 1, nnz)
    if row >= 0:
        set_distance_jacobian(m, d, e, row, one, other)
        anchor1, anchor2 = equality_anchors(m, d, e)
        weight = m.body_invweight0[one, 0] + m.body_invweight0[other, 0]
        if keep_unless_zero(m, d, row, 1):
            describe_scalar_equality(
                m, d, e, row, norm(anchor1 - anchor2) - m.eq_data[e, 0], weight
            )


@kernel
def set_distance_jacobian(m, d, e: int, row: int, one: int, other: int):
    """Jacobian of a distance: n (J_1 - J_2), with n the unit vector from centre 2 to centre 1."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    away = unit(anchor1 - anchor2)
    to_one = anchor1 - d.subtree_com[m.body_rootid[one]]
    to_other = anchor2 - d.subtree_com[m.body_rootid[other]]
    at = d.efc_J_rowadr[row] + d.efc_J_rownnz[row]
    i, j = last_dof_of_body(m, one), last_dof_of_body(m, other)
    while i != j:
        at -= 1
        if i > j:
            set_jacobian_entry(d, at, i, dot(away, linear_at(d.cdof[i], to_one)))
            i = m.dof_parentid[i]
        else:
            set_jacobian_entry(d, at, j, -dot(away, linear_at(d.cdof[j], to_other)))
            j = m.dof_parentid[j]
