"""Constraint forces at a given acceleration, in closed form: for inverse dynamics.

    x = J qacc - aref,   f = -grad s(x):  -D x within bounds; zones of the cone (`elliptic_cones`)

Source: MuJoCo: Computation, "Constraint solver", "Reduced primal problem".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import (
    CONTACT_ELLIPTIC,
    STATE_CONE,
    STATE_LINEARNEG,
    STATE_LINEARPOS,
    STATE_QUADRATIC,
    STATE_SATISFIED,
)
from cortenforge.step.solve.elliptic_cones import (
    ZONE_BOTTOM,
    ZONE_TOP,
    scaled_residual,
    set_middle_zone_forces,
    zone_of_residual,
)


@kernel(unit=True)
def constraint_forces_at(m, d):
    """efc_force, efc_state and qfrc_constraint at qacc.  Mirrors mj_invConstraint."""
    store_residuals(d)
    row = 0
    while row < d.nefc:
        if d.efc_type[row] == CONTACT_ELLIPTIC:
            contact = d.efc_id[row]
            elliptic_contact_force(d, contact, row)
            row += d.contact_dim[contact]
        else:
            scalar_row_force(d, row)
            row += 1
    project_row_forces(m, d)


@kernel
def store_residuals(d):
    """efc_force = J qacc - aref, to be replaced by forces."""
    for row in range(d.nefc):
        d.efc_force[row] = row_residual(d, row)


@kernel
def row_residual(d, row: int):
    """J qacc - aref of a row."""
    total = -d.efc_aref[row]
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        total += d.efc_J_value[k] * d.qacc[d.efc_J_colind[k]]
    return total


@kernel
def scalar_row_force(d, row: int):
    """Force and state of a row that is no cone's, from its residual in efc_force."""
    x = d.efc_force[row]
    force = -d.efc_D[row] * x
    state = STATE_QUADRATIC
    if row >= d.ne + d.nf:
        if x >= 0.0:
            force = 0.0
            state = STATE_SATISFIED
    elif row >= d.ne:
        most = d.efc_frictionloss[row]
        if x <= -d.efc_R[row] * most:
            force = most
            state = STATE_LINEARNEG
        elif x >= d.efc_R[row] * most:
            force = -most
            state = STATE_LINEARPOS
    d.efc_force[row] = force
    d.efc_state[row] = state


@kernel
def elliptic_contact_force(d, contact: int, row: int):
    """Forces and state of an elliptic contact, from its residuals, by zone of the cone.

    Mirrors mj_constraintUpdate.
    """
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    n, t = scaled_residual(d, contact, row, d.efc_force)
    zone = zone_of_residual(n, t, mu)
    state = STATE_CONE
    if zone == ZONE_TOP:
        state = STATE_SATISFIED
        for k in range(row, row + dim):
            d.efc_force[k] = 0.0
    elif zone == ZONE_BOTTOM:
        state = STATE_QUADRATIC
        for k in range(row, row + dim):
            d.efc_force[k] = -d.efc_D[k] * d.efc_force[k]
    else:
        middle_zone_force(d, contact, row)
    for k in range(row, row + dim):
        d.efc_state[k] = state


@kernel
def middle_zone_force(d, contact: int, row: int):
    """Forces of the middle zone, in place of the contact's residuals."""
    mu = d.contact_mu[contact]
    n, t = scaled_residual(d, contact, row, d.efc_force)
    normal = -d.efc_D[row] / (mu * (1.0 + mu * mu)) * (n - mu * t)
    set_middle_zone_forces(d, contact, row, d.efc_force, normal, t, d.efc_force)


@kernel
def project_row_forces(m, d):
    """qfrc_constraint = J' efc_force."""
    for i in range(m.nv):
        d.qfrc_constraint[i] = 0.0
    for row in range(d.nefc):
        start = d.efc_J_rowadr[row]
        for k in range(start, start + d.efc_J_rownnz[row]):
            push = d.efc_J_value[k] * d.efc_force[row]
            d.qfrc_constraint[d.efc_J_colind[k]] += push
