"""Rows of contacts: Jacobian of the relative motion of two bodies in a contact frame.

    J = F (J_2 - J_1),   F: rows normal, tangent 1, tangent 2; the same F turns rotations
    elliptic cone:   rows of J itself, dim = condim of them
    pyramid:         rows normal +- mu_k (row k), 2 (dim - 1) of them

Source: MuJoCo: Computation, "Constraint model", section "Contact".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear_at
from cortenforge.math.vector import dot
from cortenforge.step.apply_force import last_dof_of_body
from cortenforge.step.constants import (
    CONTACT_ELLIPTIC,
    CONTACT_FRICTIONLESS,
    CONTACT_PYRAMIDAL,
)
from cortenforge.step.constraint.impedance import (
    DEFAULT_DAMPRATIO,
    DEFAULT_TIMECONST,
    impedance_of,
    limit_to_resolvable,
    resolve_solref,
    set_impedance,
    solref_damping,
    solref_stiffness,
)
from cortenforge.step.constraint.row_list import (
    append_rows,
    count_relative_dofs,
    describe_row,
)

#: value of contact_exclude: no dof moves either body
EXCLUDED_NO_DOFS = 3


@kernel(unit=True)
def add_contact_rows(m, d):
    """Append the rows of all active contacts.  Mirrors mj_instantiateContact."""
    for c in range(d.ncon):
        d.contact_mu[c] = 0.0
        if d.contact_exclude[c] == 0:
            add_rows_of_contact(m, d, c)


@kernel
def add_rows_of_contact(m, d, c: int):
    """Append the rows of one contact: 1, dim of an elliptic cone, or 2 (dim - 1) pyramid edges.

    One without dofs on either side gets none, and is excluded.
    """
    one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    i, j = last_dof_of_body(m, one), last_dof_of_body(m, other)
    nnz = count_relative_dofs(m, i, j)
    dim = d.contact_dim[c]
    kind, size = CONTACT_FRICTIONLESS, 1
    if dim > 1:
        kind = CONTACT_PYRAMIDAL if m.opt_cone == 0 else CONTACT_ELLIPTIC
        size = 2 * (dim - 1) if m.opt_cone == 0 else dim
    if nnz == 0:
        d.contact_exclude[c] = EXCLUDED_NO_DOFS
    else:
        row = append_rows(d, size, nnz)
        if row >= 0:
            d.contact_efc_address[c] = row
            if kind == CONTACT_PYRAMIDAL:
                set_pyramid_jacobian(m, d, c, row, i, j)
            else:
                set_cone_jacobian(m, d, c, row, i, j)
            set_contact_columns(m, d, row, size, i, j)
            set_contact_impedance(m, d, c, row, size, kind)
            set_contact_diagonal(m, d, c, row, one, other)


@kernel
def set_contact_columns(m, d, row: int, size: int, i: int, j: int):
    """Columns of a contact's rows, the same for all: dofs that move only one of the bodies."""
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
def tree_com_of_dof(m, d, dof: int):
    """Centre of mass of a dof's kinematic tree, the origin of its motion axis cdof."""
    return d.subtree_com[m.body_rootid[m.dof_bodyid[max(dof, 0)]]]


@kernel
def set_pyramid_jacobian(m, d, c: int, row: int, i: int, j: int):
    """Jacobian of a pyramid's edges: normal +- mu_k tangent_k.  Mirrors mj_instantiateContact.

    Walks from the last dofs of both bodies to their common ancestor; dofs above it cancel.
    i, j: last dof of the first and of the second body.
    """
    frame, pos, dim = d.contact_frame[c], d.contact_pos[c], d.contact_dim[c]
    normal = vec3(frame.xx, frame.xy, frame.xz)
    tangent1 = vec3(frame.yx, frame.yy, frame.yz) * d.contact_friction[c, 0]
    tangent2 = vec3(frame.zx, frame.zy, frame.zz) * d.contact_friction[c, 1]
    edge0, edge1, edge2, edge3 = (
        normal + tangent1,
        normal - tangent1,
        normal + tangent2,
        normal - tangent2,
    )
    to_one, to_other = pos - tree_com_of_dof(m, d, i), pos - tree_com_of_dof(m, d, j)
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    while i != j:
        at -= 1
        if i > j:
            axis = -d.cdof[i]
            move = linear_at(axis, to_one)
            i = m.dof_parentid[i]
        else:
            axis = d.cdof[j]
            move = linear_at(axis, to_other)
            j = m.dof_parentid[j]
        d.efc_J_value[at] = dot(edge0, move)
        d.efc_J_value[at + nnz] = dot(edge1, move)
        d.efc_J_value[at + 2 * nnz] = dot(edge2, move)
        d.efc_J_value[at + 3 * nnz] = dot(edge3, move)
        if dim > 3:
            set_turning_edges(d, c, at, nnz, dim, dot(normal, move), frame @ angular(axis))


@kernel
def set_turning_edges(d, c: int, at: int, nnz: int, dim: int, normal, rotation):
    """One dof's entries of the torsional and rolling edges, as many as dim has."""
    set_edge_pair(d, at + 4 * nnz, nnz, normal, d.contact_friction[c, 2] * rotation.x)
    if dim > 4:
        set_edge_pair(d, at + 6 * nnz, nnz, normal, d.contact_friction[c, 3] * rotation.y)
        set_edge_pair(d, at + 8 * nnz, nnz, normal, d.contact_friction[c, 4] * rotation.z)


@kernel
def set_edge_pair(d, at: int, nnz: int, normal, friction):
    """One dof's entries of a pair of opposite edges, normal + friction and normal - friction."""
    d.efc_J_value[at] = normal + friction
    d.efc_J_value[at + nnz] = normal - friction


@kernel
def set_cone_jacobian(m, d, c: int, row: int, i: int, j: int):
    """Jacobian of an elliptic or frictionless contact.  Mirrors mj_contactJacobian.

    Rows in the contact frame: normal, two tangents, spin about the normal, two rolling axes.
    """
    frame, pos, dim = d.contact_frame[c], d.contact_pos[c], d.contact_dim[c]
    to_one, to_other = pos - tree_com_of_dof(m, d, i), pos - tree_com_of_dof(m, d, j)
    nnz = d.efc_J_rownnz[row]
    at = d.efc_J_rowadr[row] + nnz
    while i != j:
        at -= 1
        if i > j:
            axis = -d.cdof[i]
            move = frame @ linear_at(axis, to_one)
            i = m.dof_parentid[i]
        else:
            axis = d.cdof[j]
            move = frame @ linear_at(axis, to_other)
            j = m.dof_parentid[j]
        d.efc_J_value[at] = move.x
        if dim > 1:
            d.efc_J_value[at + nnz] = move.y
            d.efc_J_value[at + 2 * nnz] = move.z
        if dim > 3:
            rotation = frame @ angular(axis)
            d.efc_J_value[at + 3 * nnz] = rotation.x
            if dim > 4:
                d.efc_J_value[at + 4 * nnz] = rotation.y
                d.efc_J_value[at + 5 * nnz] = rotation.z


@kernel
def set_contact_impedance(m, d, c: int, row: int, size: int, kind: int):
    """Position, margin and efc_KBIP of a contact's rows.  Mirrors mj_makeImpedance.

    Friction rows of an elliptic cone have no position: only damping, of solreffriction if given.
    """
    dist, margin = d.contact_dist[c], d.contact_includemargin[c]
    impedance, slope, dmax = impedance_of(d.contact_solimp, c, dist - margin)
    timeconst, dampratio = resolve_solref(
        m, d.contact_solref, c, DEFAULT_TIMECONST, DEFAULT_DAMPRATIO
    )
    stiffness, solref_b = (
        solref_stiffness(timeconst, dampratio, dmax),
        solref_damping(timeconst, dampratio, dmax),
    )
    stiffness, damping = limit_to_resolvable(m, timeconst, stiffness, solref_b, impedance)
    describe_row(d, row, kind, c, dist, margin, 0.0)
    set_impedance(d, row, stiffness, damping, impedance, slope)
    if kind == CONTACT_PYRAMIDAL:
        for k in range(1, size):
            describe_row(d, row + k, kind, c, dist, margin, 0.0)
            set_impedance(d, row + k, stiffness, damping, impedance, slope)
    elif kind == CONTACT_ELLIPTIC:
        friction_timeconst, friction_dampratio = resolve_solref(
            m, d.contact_solreffriction, c, 0.0, 0.0
        )
        damping = solref_b
        if friction_timeconst != 0.0 or friction_dampratio != 0.0:
            damping = solref_damping(friction_timeconst, friction_dampratio, dmax)
        for k in range(1, size):
            describe_row(d, row + k, kind, c, 0.0, 0.0, 0.0)
            set_impedance(d, row + k, 0.0, damping, impedance, slope)


@kernel
def set_contact_diagonal(m, d, c: int, row: int, one: int, other: int):
    """diagA of a contact's rows: sum of both bodies' inverse weights.  Mirrors mj_diagApprox.

    one, other: the two bodies. Edges of a pyramid: w_trans + mu_k^2 w_k.
    """
    translation = m.body_invweight0[one, 0] + m.body_invweight0[other, 0]
    rotation = m.body_invweight0[one, 1] + m.body_invweight0[other, 1]
    dim = d.contact_dim[c]
    if d.efc_type[row] == CONTACT_PYRAMIDAL:
        for k in range(dim - 1):
            mu = d.contact_friction[c, k]
            weight = translation + mu * mu * (translation if k < 2 else rotation)
            d.efc_diagA[row + 2 * k] = weight
            d.efc_diagA[row + 2 * k + 1] = weight
    else:
        for k in range(dim):
            d.efc_diagA[row + k] = translation if k < 3 else rotation
