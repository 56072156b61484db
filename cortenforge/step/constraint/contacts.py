"""Rows of contacts: how dofs move the two bodies against each other, along a cone's directions."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular
from cortenforge.math.vector import dot
from cortenforge.step.constants import (
    CONTACT_ELLIPTIC,
    CONTACT_FRICTIONLESS,
    CONTACT_PYRAMIDAL,
)
from cortenforge.step.constraint.impedance import (
    DAMPING_RATIO,
    TIME_CONSTANT,
    damping_of,
    impedance_of,
    reference_of,
    resolved,
    soften,
    stiffness_of,
)
from cortenforge.step.constraint.rows import claim, count_apart, describe, moved
from cortenforge.step.push import last_dof

#: why a contact has no rows: it moves nothing
MOVES_NOTHING = 3


@kernel(unit=True)
def contact_rows(m, d):
    """Rows of all contacts that push.  Mirrors mj_instantiateContact."""
    for c in range(d.ncon):
        d.contact_mu[c] = 0.0
        if d.contact_exclude[c] == 0:
            add_contact(m, d, c)


@kernel
def add_contact(m, d, c: int):
    """Rows of one contact: one, two an edge pair of a pyramid, or one a direction of a cone."""
    one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    i, j = last_dof(m, one), last_dof(m, other)
    nnz = count_apart(m, i, j)
    dim = d.contact_dim[c]
    kind, size = CONTACT_FRICTIONLESS, 1
    if dim > 1:
        kind = CONTACT_PYRAMIDAL if m.opt_cone == 0 else CONTACT_ELLIPTIC
        size = 2 * (dim - 1) if m.opt_cone == 0 else dim
    if nnz == 0:
        d.contact_exclude[c] = MOVES_NOTHING
    else:
        row = claim(d, size, nnz)
        if row >= 0:
            d.contact_efc_address[c] = row
            if kind == CONTACT_PYRAMIDAL:
                add_edges(m, d, c, row, i, j)
            else:
                add_directions(m, d, c, row, i, j)
            add_columns(m, d, row, size, i, j)
            describe_contact(m, d, c, row, size, kind)
            weigh_contact(m, d, c, row, one, other)


@kernel
def add_columns(m, d, row: int, size: int, i: int, j: int):
    """The dofs of a contact's rows, which are the same for all of them."""
    nnz, start = d.efc_J_rownnz[row], d.efc_J_rowadr[row]
    at = start + nnz
    while i != j:
        at -= 1
        d.efc_J_colind[at] = max(i, j)
        if i > j:
            i = m.dof_parentid[i]
        else:
            j = m.dof_parentid[j]
    for k in range(nnz):
        dof = d.efc_J_colind[start + k]
        for r in range(1, size):
            d.efc_J_colind[start + r * nnz + k] = dof


@kernel
def centre_of(m, d, dof: int):
    """The centre of mass of the tree that a dof moves, about which its axis is."""
    return d.subtree_com[m.body_rootid[m.dof_bodyid[max(dof, 0)]]]


@kernel
def add_edges(m, d, c: int, row: int, i: int, j: int):
    """Entries of the edges of a pyramid, from the last dofs that move the bodies up.

    An edge is the normal and a direction of friction, either way. Dofs that move both bodies move
    them alike.
    """
    frame, pos, dim = d.contact_frame[c], d.contact_pos[c], d.contact_dim[c]
    normal = vec3(frame.xx, frame.xy, frame.xz)
    first = vec3(frame.yx, frame.yy, frame.yz) * d.contact_friction[c, 0]
    second = vec3(frame.zx, frame.zy, frame.zz) * d.contact_friction[c, 1]
    edge0, edge1, edge2, edge3 = normal + first, normal - first, normal + second, normal - second
    to_one, to_other = pos - centre_of(m, d, i), pos - centre_of(m, d, j)
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    while i != j:
        at -= 1
        if i > j:
            axis = -d.cdof[i]
            move = moved(axis, to_one)
            i = m.dof_parentid[i]
        else:
            axis = d.cdof[j]
            move = moved(axis, to_other)
            j = m.dof_parentid[j]
        d.efc_J_value[at] = dot(edge0, move)
        d.efc_J_value[at + nnz] = dot(edge1, move)
        d.efc_J_value[at + 2 * nnz] = dot(edge2, move)
        d.efc_J_value[at + 3 * nnz] = dot(edge3, move)
        if dim > 3:
            add_turning_edges(d, c, at, nnz, dim, dot(normal, move), frame @ angular(axis))


@kernel
def add_turning_edges(d, c: int, at: int, nnz: int, dim: int, normal, around):
    """A dof's entries of edges that lean towards spin and rolling, as many as there are."""
    add_two_edges(d, at + 4 * nnz, nnz, normal, d.contact_friction[c, 2] * around.x)
    if dim > 4:
        add_two_edges(d, at + 6 * nnz, nnz, normal, d.contact_friction[c, 3] * around.y)
        add_two_edges(d, at + 8 * nnz, nnz, normal, d.contact_friction[c, 4] * around.z)


@kernel
def add_two_edges(d, at: int, nnz: int, normal, friction):
    """A dof's entries of two edges that are opposite to each other."""
    d.efc_J_value[at] = normal + friction
    d.efc_J_value[at + nnz] = normal - friction


@kernel
def add_directions(m, d, c: int, row: int, i: int, j: int):
    """Entries of the normal and, of a cone, its tangents, spin and rolling."""
    frame, pos, dim = d.contact_frame[c], d.contact_pos[c], d.contact_dim[c]
    to_one, to_other = pos - centre_of(m, d, i), pos - centre_of(m, d, j)
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    while i != j:
        at -= 1
        if i > j:
            axis = -d.cdof[i]
            move = frame @ moved(axis, to_one)
            i = m.dof_parentid[i]
        else:
            axis = d.cdof[j]
            move = frame @ moved(axis, to_other)
            j = m.dof_parentid[j]
        d.efc_J_value[at] = move.x
        if dim > 1:
            d.efc_J_value[at + nnz] = move.y
            d.efc_J_value[at + 2 * nnz] = move.z
        if dim > 3:
            around = frame @ angular(axis)
            d.efc_J_value[at + 3 * nnz] = around.x
            if dim > 4:
                d.efc_J_value[at + 4 * nnz] = around.y
                d.efc_J_value[at + 5 * nnz] = around.z


@kernel
def describe_contact(m, d, c: int, row: int, size: int, kind: int):
    """Where a contact is and how stiff; the other directions of a cone are nowhere, and damped."""
    dist, margin = d.contact_dist[c], d.contact_includemargin[c]
    impedance, slope, high = impedance_of(d.contact_solimp, c, dist - margin)
    first, second = reference_of(m, d.contact_solref, c, TIME_CONSTANT, DAMPING_RATIO)
    stiffness, authored = stiffness_of(first, second, high), damping_of(first, second, high)
    stiffness, damping = resolved(m, first, stiffness, authored, impedance)
    describe(d, row, kind, c, dist, margin, 0.0)
    soften(d, row, stiffness, damping, impedance, slope)
    if kind == CONTACT_PYRAMIDAL:
        for k in range(1, size):
            describe(d, row + k, kind, c, dist, margin, 0.0)
            soften(d, row + k, stiffness, damping, impedance, slope)
    elif kind == CONTACT_ELLIPTIC:
        one, other = reference_of(m, d.contact_solreffriction, c, 0.0, 0.0)
        damping = authored
        if one != 0.0 or other != 0.0:
            damping = damping_of(one, other, high)
        for k in range(1, size):
            describe(d, row + k, kind, c, 0.0, 0.0, 0.0)
            soften(d, row + k, 0.0, damping, impedance, slope)


@kernel
def weigh_contact(m, d, c: int, row: int, one: int, other: int):
    """What stands for the diagonal of J M^-1 J': inverse weights of both bodies.

    Mirrors mj_diagApprox.
    """
    moving = m.body_invweight0[one, 0] + m.body_invweight0[other, 0]
    turning = m.body_invweight0[one, 1] + m.body_invweight0[other, 1]
    dim = d.contact_dim[c]
    if d.efc_type[row] == CONTACT_PYRAMIDAL:
        for k in range(dim - 1):
            mu = d.contact_friction[c, k]
            weight = moving + mu * mu * (moving if k < 2 else turning)
            d.efc_diagA[row + 2 * k] = weight
            d.efc_diagA[row + 2 * k + 1] = weight
    else:
        for k in range(dim):
            d.efc_diagA[row + k] = moving if k < 3 else turning
