"""Hessian of the constraint cost by acceleration, partial by velocity; row states frozen.

    row residual x = J qacc - aref,          force = -ds/dx
    H += J' C J,    V = J' C B J             C = d2s/dx2, B = -d(aref)/d(J qvel)  (row damping)
    quadratic row:    s = D x^2 / 2,         C = D
    linear and satisfied rows: C = 0
    elliptic cone:    s = Dm (N - mu T)^2 / 2,     Dm = D / (mu^2 (1 + mu^2)),
                      N = mu x_0,  T = sqrt(sum (friction_k x_k)^2);  C: `elliptic_cones`

Source: MuJoCo: Computation, "Constraint solver" and "Friction cones".
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import (
    CONTACT_ELLIPTIC,
    CONTACT_PYRAMIDAL,
    STATE_CONE,
    STATE_QUADRATIC,
)
from cortenforge.step.solve.constraint_update import row_residual
from cortenforge.step.solve.elliptic_cones import cone_stiffness, set_middle_zone_hessian


@kernel
def add_constraint_hessian(m, d):
    """H += J' C J and V = J' C B J of all constraint rows."""
    row = 0
    while row < d.nefc:
        count = rows_with_same_columns(m, d, row)
        add_quadratic_rows(m, d, row, count)
        row += count
    for i in range(m.nv):
        for j in range(i):
            d.H[j * m.nv + i] = d.H[i * m.nv + j]
            d.V[j * m.nv + i] = d.V[i * m.nv + j]
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0 and d.efc_type[row] == CONTACT_ELLIPTIC and d.efc_state[row] == STATE_CONE:
            add_sliding_cone(m, d, contact, row)


@kernel
def rows_with_same_columns(m, d, row: int):
    """Number of consecutive rows with the same columns: those of a contact, or 1."""
    count = 1
    if d.efc_type[row] == CONTACT_ELLIPTIC:
        count = d.contact_dim[d.efc_id[row]]
    elif d.efc_type[row] == CONTACT_PYRAMIDAL:
        count = 2 * (d.contact_dim[d.efc_id[row]] - 1)
    return count


@kernel
def add_quadratic_rows(m, d, row: int, count: int):
    """Add the quadratic ones among rows with the same columns; lower triangles of H and V only."""
    start, nnz = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    active = 0
    for k in range(count):
        if d.efc_state[row + k] == STATE_QUADRATIC:
            d.row_D[active] = d.efc_D[row + k]
            d.row_B[active] = d.efc_KBIP[row + k, 1] * d.efc_D[row + k]
            d.row_start[active] = start + k * nnz
            active += 1
    if active > 0:
        for a in range(nnz):
            at = d.efc_J_colind[start + a] * m.nv
            for b in range(a + 1):
                hessian, damping = 0.0, 0.0
                for k in range(active):
                    first = d.row_start[k]
                    product = d.efc_J_value[first + a] * d.efc_J_value[first + b]
                    hessian += d.row_D[k] * product
                    damping += d.row_B[k] * product
                column = at + d.efc_J_colind[start + b]
                d.H[column] += hessian
                d.V[column] += damping


@kernel
def add_sliding_cone(m, d, contact: int, row: int):
    """Add the rows of a contact whose force is on the surface of its cone."""
    dim = d.contact_dim[contact]
    for k in range(dim):
        d.row_x[k] = row_residual(d, row + k)
    stiffness = cone_stiffness(d.efc_D[row], d.contact_mu[contact])
    set_middle_zone_hessian(d, 0, contact, 0, d.row_x, stiffness)
    start, count = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    for a in range(count):
        at = d.efc_J_colind[start + a] * m.nv
        for k in range(dim):
            weight = 0.0
            for i in range(dim):
                weight += d.efc_J_value[start + i * count + a] * d.cone_hess[0, i * dim + k]
            damped = weight * d.efc_KBIP[row + k, 1]
            for b in range(count):
                value = d.efc_J_value[start + k * count + b]
                column = at + d.efc_J_colind[start + b]
                d.V[column] += damped * value
                d.H[column] += weight * value


@kernel
def list_constrained_dofs(m, d, sides: int):
    """List dofs on which constraint rows depend, and perturb one world for each; how many.

    A dof that moves both sides of a constraint alike has no column in its row, and changes no
    force. sides: 2 for centred differences.
    """
    for i in range(m.nv):
        d.listed[i] = 0
    for row in range(d.nefc):
        start = d.efc_J_rowadr[row]
        for k in range(start, start + d.efc_J_rownnz[row]):
            d.listed[d.efc_J_colind[k]] = 1
    count = 0
    for i in range(m.nv):
        if d.listed[i] == 1:
            d.listed[count] = i
            count += 1
    for world in range(sides * count):
        at = world * 2 * m.nv
        for k in range(m.nv):
            d.moved[at + k] = 0.0
        if world < count:
            d.moved[at + d.listed[world]] = d.eps
        else:
            d.moved[at + d.listed[world - count]] = -d.eps
    return count


@kernel
def subtract_constraint_differences(m, d, sides: int, count: int):
    """R -= d qfrc_constraint / dq, by finite differences of the perturbed worlds."""
    nv = m.nv
    scale = 1.0 / (sides * d.eps)
    for w in range(count):
        k = d.listed[w]
        ahead = w * 2 * nv + nv
        back = (count + w) * 2 * nv + nv
        for i in range(nv):
            before = d.moved[back + i] if sides == 2 else d.qfrc_constraint[i]
            d.R[i * d.ncol + k] -= (d.moved[ahead + i] - before) * scale
