"""Rows of equalities: what two bodies, sites, geoms, joints or tendons are held to."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, quat, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import angular
from cortenforge.math.vector import dot, norm, unit
from cortenforge.step.constants import (
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    EQUALITY,
    OF_SITES,
    WITH_SLEEP,
)
from cortenforge.step.constraint.impedance import soften_all
from cortenforge.step.constraint.limits import first_row
from cortenforge.step.constraint.rows import (
    claim,
    count_apart,
    describe,
    enter,
    keep,
    moved,
)
from cortenforge.step.push import last_dof
from cortenforge.step.sleeping.numbers import AWAKE
from cortenforge.step.sleeping.state import body_state, tendon_state


@kernel(unit=True)
def equality_rows(m, d):
    """Rows of all equalities that are active.  Mirrors mj_instantiateEquality."""
    for e in range(m.neq):
        if d.eq_active[e] != 0.0 and not equality_sleeps(m, d, e):
            kind = m.eq_type[e]
            # the first two types: connect and weld
            if kind <= EQ_WELD:
                hold_bodies(m, d, e)
            elif kind == EQ_JOINT:
                hold_joints(m, d, e)
            elif kind == EQ_TENDON:
                hold_tendons(m, d, e)
            elif kind == EQ_DISTANCE:
                hold_distance(m, d, e)


@kernel
def equality_sleeps(m, d, e: int):
    """Whether nothing that an equality holds is awake."""
    asleep = False
    if m.opt_enableflags & WITH_SLEEP != 0:
        asleep = not is_awake(m, d, e, m.eq_obj1id[e]) and not is_awake(m, d, e, m.eq_obj2id[e])
    return asleep


@kernel
def is_awake(m, d, e: int, number: int):
    """Whether one of the objects of an equality is awake; there may be none."""
    state = AWAKE - 1
    kind = m.eq_type[e]
    if number >= 0:
        if kind == EQ_TENDON:
            state = tendon_state(m, d, number)
        elif kind == EQ_JOINT:
            state = body_state(m, d, m.jnt_bodyid[number])
        else:
            state = body_state(m, d, held_body(m, e, number))
    return state == AWAKE


@kernel
def held_body(m, e: int, number: int):
    """The body of an object that an equality holds; of none, the world."""
    body = max(number, 0)
    if m.eq_type[e] == EQ_DISTANCE:
        body = m.geom_bodyid[number] if number >= 0 else 0
    elif m.eq_objtype[e] == OF_SITES:
        body = m.site_bodyid[number]
    return body


@kernel
def data_at(m, e: int, k: int):
    """Three numbers of an equality."""
    return vec3(m.eq_data[e, k], m.eq_data[e, k + 1], m.eq_data[e, k + 2])


@kernel
def held_point(m, d, e: int, number: int, first: int):
    """Where one of two bodies or sites, or centres of geoms, is held.

    first: where its anchor is among the numbers of the equality.
    """
    place = vec3(0.0, 0.0, 0.0)
    if m.eq_type[e] == EQ_DISTANCE:
        if number >= 0:
            place = d.geom_xpos[number]
    elif m.eq_objtype[e] == OF_SITES:
        place = d.site_xpos[number]
    else:
        place = d.xpos[number] + d.xmat[number] @ data_at(m, e, first)
    return place


@kernel
def held_points(m, d, e: int):
    """Where both are held; the first anchor of a weld is that of its second body."""
    swapped = 3 if m.eq_type[e] == EQ_WELD else 0
    one = held_point(m, d, e, m.eq_obj1id[e], swapped)
    return one, held_point(m, d, e, m.eq_obj2id[e], 3 - swapped)


@kernel
def held_turn(m, d, e: int):
    """The two rotations, of which the second undoes the first, of a weld."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    if m.eq_objtype[e] == OF_SITES:
        first = d.xquat[m.site_bodyid[one]] * m.site_quat[one]
        second = d.xquat[m.site_bodyid[other]] * m.site_quat[other]
    else:
        pose = quat(m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9])
        first, second = d.xquat[one] * pose, d.xquat[other]
    return first, conjugate(second)


@kernel
def count_either(m, i: int, j: int):
    """How many dofs move one of two bodies, or both; i and j are the last dofs that move them."""
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
def hold_bodies(m, d, e: int):
    """Three rows that hold two points together; three more if rotations are held, too."""
    one, other = held_body(m, e, m.eq_obj1id[e]), held_body(m, e, m.eq_obj2id[e])
    size = 6 if m.eq_type[e] == EQ_WELD else 3
    nnz = count_either(m, last_dof(m, one), last_dof(m, other))
    row = -1
    if nnz > 0:
        row = claim(d, size, nnz)
    if row >= 0:
        enter_points(m, d, e, row, one, other)
        if size == 6:
            enter_turns(m, d, e, row, one, other)
        if keep(m, d, row, size):
            describe_hold(m, d, e, row, size, one, other)


@kernel
def enter_points(m, d, e: int, row: int, one: int, other: int):
    """How dofs move the first point against the second, in world axes."""
    first, second = held_points(m, d, e)
    to_one = first - d.subtree_com[m.body_rootid[one]]
    to_other = second - d.subtree_com[m.body_rootid[other]]
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    i, j = last_dof(m, one), last_dof(m, other)
    while i >= 0 or j >= 0:
        at -= 1
        dof = max(i, j)
        move = vec3(0.0, 0.0, 0.0)
        if i == dof:
            move = move + moved(d.cdof[dof], to_one)
            i = m.dof_parentid[i]
        if j == dof:
            move = move - moved(d.cdof[dof], to_other)
            j = m.dof_parentid[j]
        enter(d, at, dof, move.x)
        enter(d, at + nnz, dof, move.y)
        enter(d, at + 2 * nnz, dof, move.z)


@kernel
def enter_turns(m, d, e: int, row: int, one: int, other: int):
    """How dofs change the vector part of the rotation that a weld takes away, scaled."""
    first, second = held_turn(m, d, e)
    half = 0.5 * m.eq_data[e, 10]
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row + 3] + nnz
    i, j = last_dof(m, one), last_dof(m, other)
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
        turn = turned_by(second, axis, first)
        enter(d, at, dof, half * turn.x)
        enter(d, at + nnz, dof, half * turn.y)
        enter(d, at + 2 * nnz, dof, half * turn.z)


@kernel
def turned_by(back, axis, turn):
    """How the vector part of a product of two rotations changes if the first one turns more."""
    change = back * quat(0.0, axis.x, axis.y, axis.z) * turn
    return vec3(change.x, change.y, change.z)


@kernel
def describe_hold(m, d, e: int, row: int, size: int, one: int, other: int):
    """How far off a connection or a weld is, and what its rows are like."""
    first, second = held_points(m, d, e)
    off = first - second
    square = dot(off, off)
    describe(d, row, EQUALITY, e, off.x, 0.0, 0.0)
    describe(d, row + 1, EQUALITY, e, off.y, 0.0, 0.0)
    describe(d, row + 2, EQUALITY, e, off.z, 0.0, 0.0)
    if size == 6:
        turned, back = held_turn(m, d, e)
        left = back * turned
        twist = vec3(left.x, left.y, left.z) * m.eq_data[e, 10]
        square += dot(twist, twist)
        describe(d, row + 3, EQUALITY, e, twist.x, 0.0, 0.0)
        describe(d, row + 4, EQUALITY, e, twist.y, 0.0, 0.0)
        describe(d, row + 5, EQUALITY, e, twist.z, 0.0, 0.0)
    for k in range(size):
        turns = 1 if k > 2 else 0
        weight = m.body_invweight0[one, turns] + m.body_invweight0[other, turns]
        d.efc_diagA[row + k] = weight
    soften_all(m, d, row, size, m.eq_solref, m.eq_solimp, e, math.sqrt(square))


@kernel
def describe_scalar(m, d, e: int, row: int, off, weight):
    """What a single row of an equality is like."""
    describe(d, row, EQUALITY, e, off, 0.0, 0.0)
    d.efc_diagA[row] = weight
    soften_all(m, d, row, 1, m.eq_solref, m.eq_solimp, e, off)


@kernel
def curve(m, e: int, x):
    """A polynomial of fourth order without its constant term, and its slope."""
    c1, c2, c3, c4 = m.eq_data[e, 1], m.eq_data[e, 2], m.eq_data[e, 3], m.eq_data[e, 4]
    value = x * (c1 + x * (c2 + x * (c3 + x * c4)))
    return value, c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4)))


@kernel
def hold_joints(m, d, e: int):
    """A joint is held to a number, or to a polynomial of another one."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    at = m.jnt_qposadr[one]
    dof = m.jnt_dofadr[one]
    off = d.qpos[at] - m.qpos0[at] - m.eq_data[e, 0]
    weight = m.dof_invweight0[dof]
    if other < 0:
        row = claim(d, 1, 1)
        if row >= 0:
            enter(d, d.efc_J_rowadr[row], dof, 1.0)
            describe_scalar(m, d, e, row, off, weight)
    else:
        second = m.jnt_dofadr[other]
        value, slope = curve(m, e, d.qpos[m.jnt_qposadr[other]] - m.qpos0[m.jnt_qposadr[other]])
        row = claim(d, 1, 2)
        if row >= 0:
            start = d.efc_J_rowadr[row]
            later = 1 if second > dof else 0
            enter(d, start + 1 - later, dof, 1.0)
            enter(d, start + later, second, -slope)
            describe_scalar(m, d, e, row, off - value, weight + m.dof_invweight0[second])


@kernel
def hold_tendons(m, d, e: int):
    """A tendon is held to a length, or to a polynomial of another one's."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    off = d.ten_length[one] - m.tendon_length0[one] - m.eq_data[e, 0]
    weight = m.tendon_invweight0[one]
    slope = 0.0
    if other >= 0:
        value, slope = curve(m, e, d.ten_length[other] - m.tendon_length0[other])
        off -= value
        weight += m.tendon_invweight0[other]
    nnz = enter_tendons(m, d, one, other, slope, -1)
    row = -1
    if nnz > 0:
        row = claim(d, 1, nnz)
    if row >= 0:
        enter_tendons(m, d, one, other, slope, d.efc_J_rowadr[row])
        if keep(m, d, row, 1):
            describe_scalar(m, d, e, row, off, weight)
            first_row(d, one, row)
            if other >= 0:
                first_row(d, other, row)


@kernel
def enter_tendons(m, d, one: int, other: int, slope, at: int):
    """How many dofs change one of two lengths; with a place, the entries of their difference."""
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
            enter(d, at + count, min(of_one, of_other), change)
        count += 1
    return count


@kernel
def hold_distance(m, d, e: int):
    """One row that holds the centres of two geoms apart, along the line between them.

    MuJoCo has no such equality any more. Dofs that move both geoms do not change their distance.
    """
    one, other = held_body(m, e, m.eq_obj1id[e]), held_body(m, e, m.eq_obj2id[e])
    nnz = count_apart(m, last_dof(m, one), last_dof(m, other))
    row = -1
    if nnz > 0:
        row = claim(d, 1, nnz)
    if row >= 0:
        enter_line(m, d, e, row, one, other)
        first, second = held_points(m, d, e)
        weight = m.body_invweight0[one, 0] + m.body_invweight0[other, 0]
        if keep(m, d, row, 1):
            describe_scalar(m, d, e, row, norm(first - second) - m.eq_data[e, 0], weight)


@kernel
def enter_line(m, d, e: int, row: int, one: int, other: int):
    """How dofs move the first centre away from the second."""
    first, second = held_points(m, d, e)
    away = unit(first - second)
    to_one = first - d.subtree_com[m.body_rootid[one]]
    to_other = second - d.subtree_com[m.body_rootid[other]]
    at = d.efc_J_rowadr[row] + d.efc_J_rownnz[row]
    i, j = last_dof(m, one), last_dof(m, other)
    while i != j:
        at -= 1
        if i > j:
            enter(d, at, i, dot(away, moved(d.cdof[i], to_one)))
            i = m.dof_parentid[i]
        else:
            enter(d, at, j, -dot(away, moved(d.cdof[j], to_other)))
            j = m.dof_parentid[j]
