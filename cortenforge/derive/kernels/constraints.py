"""How forces of constraints change with accelerations and velocities, rows' states frozen.

A row pushes by -D x at a residual x = J qacc - aref, or a cone by minus the gradient of its cost;
aref falls with the velocity along the row by the row's damping.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_ELLIPTIC, IN_CONE, QUADRATIC


@kernel
def constraint_slopes(m, d):
    """H += J' C J and V += J' C B J, with the curvature C and the damping B of rows."""
    row = 0
    while row < d.nefc:
        if d.efc_type[row] == CONTACT_ELLIPTIC:
            contact = d.efc_id[row]
            if d.efc_state[row] == IN_CONE:
                add_cone(m, d, contact, row)
            else:
                for k in range(row, row + d.contact_dim[contact]):
                    add_row(m, d, k)
            row += d.contact_dim[contact]
        else:
            add_row(m, d, row)
            row += 1
    for i in range(m.nv):
        for j in range(i):
            d.H[j * m.nv + i] = d.H[i * m.nv + j]


@kernel
def add_row(m, d, row: int):
    """A row that pushes in proportion to its residual; of H, the lower half."""
    if d.efc_state[row] == QUADRATIC:
        start, count = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
        damping = d.efc_KBIP[row, 1]
        for a in range(start, start + count):
            weighted = d.efc_D[row] * d.efc_J_value[a]
            at = d.efc_J_colind[a] * m.nv
            if weighted != 0.0:
                for b in range(start, a + 1):
                    d.H[at + d.efc_J_colind[b]] += weighted * d.efc_J_value[b]
                damped = weighted * damping
                for b in range(start, start + count):
                    d.V[at + d.efc_J_colind[b]] += damped * d.efc_J_value[b]


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
                column = d.efc_J_colind[start + b]
                d.V[at + column] += damped * value
                if b <= a:
                    d.H[at + column] += weight * value


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
