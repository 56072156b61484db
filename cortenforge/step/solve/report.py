"""Results of the solver: statistics; accelerations and forces back to all dofs and rows."""

from __future__ import annotations

from cortenforge.fields.data_solver import NISLAND
from cortenforge.kernel import kernel, select
from cortenforge.step.constants import (
    IN_CONE,
    LINEARNEG,
    LINEARPOS,
    QUADRATIC,
    SATISFIED,
)
from cortenforge.step.solve.cones import BOTTOM, MIDDLE, TOP
from cortenforge.step.solve.problem import NOTHING


@kernel
def report(d, island: int, count: int, gain, gradient, done):
    """Store statistics of an island; of each for the first 20 only.  Mirrors saveStats."""
    if island < NISLAND:
        d.solver_niter[island] = count
        d.solver_improvement[island] = gain
        d.solver_gradient[island] = gradient
    if not done:
        d.solver_converged = 0
    d.solver_residual = max(d.solver_residual, gradient)


@kernel
def count_more(d, island: int, count: int):
    """Add iterations of the noslip pass to those of the solver."""
    if island < NISLAND:
        d.solver_niter[island] += count


@kernel(lanes=True)
def give_accelerations(d):
    """Scatter accelerations of the island to qacc, in worlds that solved it."""
    found = d.solving != NOTHING
    for k in range(d.island_n):
        i = d.idof[k]
        d.qacc[i] = select(found, d.iacc[k], d.qacc[i])


@kernel
def give_forces(d):
    """Scatter forces and states of the island's rows to efc_*; qfrc_constraint += J' f."""
    for r in range(d.island_rows):
        e = d.iefc_efc[r]
        # couplings of a metric stand behind all rows, and are none
        if e >= 0 and e < d.nefc:
            d.efc_force[e] = d.iefc_force[r]
            if r < d.island_bounded:
                d.efc_state[e] = state_of(d, r, e)
            start = d.efc_J_rowadr[e]
            f = d.iefc_force[r]
            for k in range(start, start + d.efc_J_rownnz[e]):
                push = d.efc_J_value[k] * f
                d.qfrc_constraint[d.efc_J_colind[k]] += push
    for c in range(d.island_cones):
        zone = d.cone_zone[c]
        state = IN_CONE if zone == MIDDLE else (QUADRATIC if zone == BOTTOM else SATISFIED)
        address = d.contact_efc_address[d.cone_contact[c]]
        for row in range(address, address + d.contact_dim[d.cone_contact[c]]):
            d.efc_state[row] = state


@kernel
def state_of(d, r: int, e: int):
    """Constraint state of a bounded row: quadratic, linear or satisfied.  Mirrors dualState."""
    y = -d.iefc_D[r] * d.iefc_x[r]
    state = QUADRATIC
    if y >= d.iefc_hi[r]:
        state = LINEARNEG
    elif y <= d.iefc_lo[r]:
        state = LINEARPOS if e < d.ne + d.nf else SATISFIED
    return state


@kernel
def zone_of_force(d, c: int):
    """Zone that a cone's force belongs to: zero, strictly inside of the cone, on its surface."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        f = d.iefc_force[r + k] / d.contact_friction[contact, k - 1]
        square += f * f
    normal = d.iefc_force[r]
    inside = square < normal * normal * (1.0 - 1e-10)
    return TOP if normal <= 0.0 else (BOTTOM if inside else MIDDLE)
