"""What solvers say of how they went, and where what they found belongs."""

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
    """Statistics of an island; of the first twenty they are kept."""
    if island < NISLAND:
        d.solver_niter[island] = count
        d.solver_improvement[island] = gain
        d.solver_gradient[island] = gradient
    if not done:
        d.solver_converged = 0
    d.solver_residual = max(d.solver_residual, gradient)


@kernel
def count_more(d, island: int, count: int):
    """Iterations after those of the solver."""
    if island < NISLAND:
        d.solver_niter[island] += count


@kernel(lanes=True)
def give_accelerations(d):
    """Accelerations that were found, to the dofs that they are of."""
    found = d.solving != NOTHING
    for k in range(d.island_n):
        i = d.idof[k]
        d.qacc[i] = select(found, d.iacc[k], d.qacc[i])


@kernel
def give_forces(d):
    """Forces that were found, to the rows that they are of and the dofs that they push."""
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
    """In which part of its cost a row with bounds is."""
    y = -d.iefc_D[r] * d.iefc_x[r]
    state = QUADRATIC
    if y >= d.iefc_hi[r]:
        state = LINEARNEG
    elif y <= d.iefc_lo[r]:
        state = LINEARPOS if e < d.ne + d.nf else SATISFIED
    return state


@kernel
def zone_of_force(d, c: int):
    """The zone that a cone's force belongs to: none, inside of the cone, or on it."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        f = d.iefc_force[r + k] / d.contact_friction[contact, k - 1]
        square += f * f
    normal = d.iefc_force[r]
    inside = square < normal * normal * (1.0 - 1e-10)
    return TOP if normal <= 0.0 else (BOTTOM if inside else MIDDLE)
