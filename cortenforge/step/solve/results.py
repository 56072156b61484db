"""Results of the solver: statistics; accelerations and forces back to all dofs and rows."""

from __future__ import annotations

from cortenforge.fields.data_solver import NISLAND
from cortenforge.kernel import kernel, select
from cortenforge.step.constants import (
    STATE_CONE,
    STATE_LINEARNEG,
    STATE_LINEARPOS,
    STATE_QUADRATIC,
    STATE_SATISFIED,
)
from cortenforge.step.solve.elliptic_cones import ZONE_BOTTOM, ZONE_MIDDLE, ZONE_TOP
from cortenforge.step.solve.island_problem import IDLE


@kernel
def store_statistics(d, island: int, count: int, gain, gradient, done):
    """Store statistics of an island; of each for the first 20 only.  Mirrors saveStats."""
    if island < NISLAND:
        d.solver_niter[island] = count
        d.solver_improvement[island] = gain
        d.solver_gradient[island] = gradient
    if not done:
        d.solver_converged = 0
    d.solver_residual = max(d.solver_residual, gradient)


@kernel
def add_iterations(d, island: int, count: int):
    """Add iterations of the noslip pass to those of the solver."""
    if island < NISLAND:
        d.solver_niter[island] += count


@kernel(lanes=True)
def store_accelerations(d):
    """Scatter accelerations of the island to qacc, in worlds that solved it."""
    found = d.solving != IDLE
    for k in range(d.island_n):
        i = d.idof[k]
        d.qacc[i] = select(found, d.iacc[k], d.qacc[i])


@kernel
def store_forces(d):
    """Scatter forces and states of the island's rows to efc_*; qfrc_constraint += J' f."""
    for r in range(d.island_rows):
        e = d.iefc_efc[r]
        # couplings of a metric stand behind all rows, and are none
        if e >= 0 and e < d.nefc:
            d.efc_force[e] = d.iefc_force[r]
            if r < d.island_bounded:
                d.efc_state[e] = row_state(d, r, e)
            start = d.efc_J_rowadr[e]
            f = d.iefc_force[r]
            for k in range(start, start + d.efc_J_rownnz[e]):
                push = d.efc_J_value[k] * f
                d.qfrc_constraint[d.efc_J_colind[k]] += push
    for c in range(d.island_cones):
        zone = d.cone_zone[c]
        state = (
            STATE_CONE
            if zone == ZONE_MIDDLE
            else (STATE_QUADRATIC if zone == ZONE_BOTTOM else STATE_SATISFIED)
        )
        address = d.contact_efc_address[d.cone_contact[c]]
        for row in range(address, address + d.contact_dim[d.cone_contact[c]]):
            d.efc_state[row] = state


@kernel
def row_state(d, r: int, e: int):
    """Constraint state of a bounded row: quadratic, linear or satisfied.  Mirrors dualState."""
    y = -d.iefc_D[r] * d.iefc_x[r]
    state = STATE_QUADRATIC
    if y >= d.iefc_hi[r]:
        state = STATE_LINEARNEG
    elif y <= d.iefc_lo[r]:
        state = STATE_LINEARPOS if e < d.ne + d.nf else STATE_SATISFIED
    return state


@kernel
def zone_of_cone_force(d, c: int):
    """Zone that a cone's force belongs to: zero, strictly inside of the cone, on its surface."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        f = d.iefc_force[r + k] / d.contact_friction[contact, k - 1]
        square += f * f
    normal = d.iefc_force[r]
    inside = square < normal * normal * (1.0 - 1e-10)
    return ZONE_TOP if normal <= 0.0 else (ZONE_BOTTOM if inside else ZONE_MIDDLE)
