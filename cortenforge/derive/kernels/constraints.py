"""How forces of constraints change with accelerations and velocities, rows' states frozen.

A row pushes by -D x at a residual x = J qacc - aref, or a cone by minus the gradient of its cost;
aref falls with the velocity along the row by the row's damping.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_ELLIPTIC, CONTACT_PYRAMIDAL, IN_CONE, QUADRATIC


@kernel
def constraint_slopes(m, d):
    """H += J' C J and V = J' C B J, with the curvature C and the damping B of rows."""
    row = 0
    while row < d.nefc:
        count = rows_alike(m, d, row)
        add_rows(m, d, row, count)
        row += count
    for i in range(m.nv):
        for j in range(i):
            d.H[j * m.nv + i] = d.H[i * m.nv + j]
            d.V[j * m.nv + i] = d.V[i * m.nv + j]
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0 and d.efc_type[row] == CONTACT_ELLIPTIC and d.efc_state[row] == IN_CONE:
            add_cone(m, d, contact, row)


@kernel
def rows_alike(m, d, row: int):
    """How many rows there are with the same columns: those of a contact, else one."""
    count = 1
    if d.efc_type[row] == CONTACT_ELLIPTIC:
        count = d.contact_dim[d.efc_id[row]]
    elif d.efc_type[row] == CONTACT_PYRAMIDAL:
        count = 2 * (d.contact_dim[d.efc_id[row]] - 1)
    return count


@kernel
def add_rows(m, d, row: int, count: int):
    """Rows with the same columns, of which some push in proportion to their residuals.

    Of H and V, the lower half.
    """
    start, nnz = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    pushing = 0
    for k in range(count):
        if d.efc_state[row + k] == QUADRATIC:
            d.row_D[pushing] = d.efc_D[row + k]
            d.row_B[pushing] = d.efc_KBIP[row + k, 1] * d.efc_D[row + k]
            d.row_start[pushing] = start + k * nnz
            pushing += 1
    if pushing > 0:
        for a in range(nnz):
            at = d.efc_J_colind[start + a] * m.nv
            for b in range(a + 1):
                stiff, damped = 0.0, 0.0
                for k in range(pushing):
                    one = d.row_start[k]
                    product = d.efc_J_value[one + a] * d.efc_J_value[one + b]
                    stiff += d.row_D[k] * product
                    damped += d.row_B[k] * product
                column = at + d.efc_J_colind[start + b]
                d.H[column] += stiff
                d.V[column] += damped


@kernel
def add_cone(m, d, contact: int, row: int):
    """A contact whose force is on its cone."""
    dim = d.contact_dim[contact]
    for k in range(dim):
        d.row_x[k] = residual(d, row + k)
    curvature(d, contact, row, dim)
    start, count = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    for a in range(count):
        at = d.efc_J_colind[start + a] * m.nv
        for k in range(dim):
            weight = 0.0
            for i in range(dim):
                weight += d.efc_J_value[start + i * count + a] * d.cone_C[i * 6 + k]
            damped = weight * d.efc_KBIP[row + k, 1]
            for b in range(count):
                value = d.efc_J_value[start + k * count + b]
                column = at + d.efc_J_colind[start + b]
                d.V[column] += damped * value
                d.H[column] += weight * value


@kernel
def residual(d, row: int):
    """J qacc - aref."""
    total = -d.efc_aref[row]
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        total += d.efc_J_value[k] * d.qacc[d.efc_J_colind[k]]
    return total


@kernel
def curvature(d, contact: int, row: int, dim: int):
    """Second derivatives of the cost D (N - mu T)^2 / 2 of a cone, by residuals of its rows.

    N is the residual along the normal, and T the length of the others, each times its friction.
    """
    mu = d.contact_mu[contact]
    square = 0.0
    for k in range(1, dim):
        u = d.row_x[k] * d.contact_friction[contact, k - 1]
        square += u * u
    length = math.sqrt(square)
    weight = d.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    outside = d.row_x[0] * mu - mu * length
    d.cone_C[0] = weight * mu * mu
    for k in range(1, dim):
        f = d.contact_friction[contact, k - 1]
        along = d.row_x[k] * f * f / length
        d.cone_C[k] = -weight * mu * mu * along
        d.cone_C[k * 6] = d.cone_C[k]
        for i in range(1, dim):
            g = d.contact_friction[contact, i - 1]
            other = d.row_x[i] * g * g / length
            bent = -along * other / length
            if i == k:
                bent += f * f / length
            d.cone_C[k * 6 + i] = weight * mu * mu * along * other - weight * mu * outside * bent


@kernel
def list_dofs(m, d, sides: int):
    """List dofs on which rows depend, and prepare worlds in which each is moved; how many.

    What moves both sides of a constraint alike has no column in its row, and changes no force.
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
def take_constraints(m, d, sides: int, count: int):
    """Take differences of forces of constraints out of R."""
    nv = m.nv
    scale = 1.0 / (sides * d.eps)
    for w in range(count):
        k = d.listed[w]
        one = w * 2 * nv + nv
        other = (count + w) * 2 * nv + nv
        for i in range(nv):
            before = d.moved[other + i] if sides == 2 else d.qfrc_constraint[i]
            d.R[i * d.ncol + k] -= (d.moved[one + i] - before) * scale
