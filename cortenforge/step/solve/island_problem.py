"""The problem of one island: its dofs and rows renumbered from zero and gathered in memory.

In lockstep, dofs are in lanes and all worlds share the list of dofs; rows stay with their world.
Fields of it begin with i (iM, iacc, iefc_*).
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.fields.data_solver import SMALL_ISLAND_DOFS
from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_ELLIPTIC, CONTACT_PYRAMIDAL, NO_WARMSTART, PGS
from cortenforge.step.solve.row_quads import pack_quads
from cortenforge.step.status import has_capacity

NROWMAX = place_of("nrowmax")
#: values of `solving`: no island to solve, iterating, converged, line search found nothing
IDLE, ITERATING, CONVERGED, STALLED = 0, 1, 2, 3
#: bound of a force that is not limited
UNBOUNDED = 1e300


@kernel
def has_row_capacity(m, d, island: int):
    """Whether there is capacity for an island's rows: bounded ones by fours, then cones."""
    wanted = (2 * d.island_nefc[island] + d.ncouple + 11) & -4
    if wanted > d.nrowmax:
        wanted = count_padded_rows(m, d, island)
    return has_capacity(d, d.nrowmax, NROWMAX, wanted)


@kernel
def count_padded_rows(m, d, island: int):
    """Number of an island's rows as `load_rows` stores them, if all couplings are its own."""
    first = d.island_efcadr[island]
    bounded, others = 0, 0
    for k in range(first, first + d.island_nefc[island]):
        e = d.map_iefc2efc[k]
        if d.efc_type[e] == CONTACT_ELLIPTIC:
            others += 1
        else:
            if not is_dual(m) and starts_pyramid(d, e):
                bounded = (bounded + 3) & -4
            bounded += 1
    return ((bounded + d.ncouple + 3) & -4) + others


@kernel
def is_dual(m):
    """Whether the solver, or noslip after it, works on forces."""
    return m.opt_solver == PGS or m.opt_noslip_iterations > 0


@kernel
def select_dofs(d, island: int, dofs, places):
    """List the dofs of an island, and the place of each in that list."""
    first = d.island_dofadr[island]
    for k in range(d.island_nv[island]):
        i = d.map_idof2dof[first + k]
        dofs[k] = i
        places[i] = k


@kernel
def has_same_dofs(d, island: int, n: int, dofs):
    """Whether an island has exactly these n dofs."""
    same = d.island_nv[island] == n
    if same:
        first = d.island_dofadr[island]
        for k in range(n):
            same = same and d.map_idof2dof[first + k] == dofs[k]
    return same


@kernel(lanes=True)
def load_dofs(m, d, matrix, force):
    """Gather inertia, forces and accelerations of the island's dofs.

    matrix, force: M and qfrc_smooth; or, with `discrete`, the metric and metric_frc.
    """
    at = 0
    for k in range(d.island_n):
        i = d.idof[k]
        d.iacc_smooth[k] = d.qacc_smooth[i]
        d.ifrc_smooth[k] = force[i]
        if m.opt_disableflags & NO_WARMSTART == 0:
            d.iacc_warm[k] = d.qacc_warmstart[i]
        else:
            d.iacc_warm[k] = d.qacc_smooth[i]
        start, count = m.M_rowadr[i], m.M_rownnz[i]
        d.iM_rowadr[k] = at
        d.iM_rownnz[k] = count
        for a in range(start, start + count):
            d.iM[at] = matrix[a]
            d.iM_colind[at] = d.iplace[m.M_colind[a]]
            at += 1


@kernel
def load_factor(m, d, factor, inverse):
    """Gather the L'DL factor of the island's inertia, in the layout of iM."""
    at = 0
    for k in range(d.island_n):
        i = d.idof[k]
        d.iDinv[k] = inverse[i]
        start = m.M_rowadr[i]
        for a in range(start, start + m.M_rownnz[i]):
            d.iLD[at] = factor[a]
            at += 1


@kernel
def load_rows(m, d, island: int):
    """Gather the rows of an island.

    Bounded rows come first, then couplings of the metric, padded to fours. Rows of elliptic cones
    follow; their bounds are 0, since the cone as a whole determines their forces.
    """
    first, count = d.island_efcadr[island], d.island_nefc[island]
    dual = is_dual(m)
    # whether entries of J are also stored row by row
    large = m.nv > SMALL_ISLAND_DOFS and d.island_nv[island] > SMALL_ISLAND_DOFS
    listed = 1 if dual or large else 0
    r, at = 0, 0
    for k in range(first, first + count):
        e = d.map_iefc2efc[k]
        if d.efc_type[e] != CONTACT_ELLIPTIC:
            if not dual and starts_pyramid(d, e):
                r = pad_to_four(d, r, at)
            at = load_row(d, r, e, at, listed)
            set_force_bounds(d, r, e)
            r += 1
    behind = (d.nefc + 3) & -4
    for row in range(behind, behind + d.ncouple):
        if d.dof_island[d.efc_J_colind[d.efc_J_rowadr[row]]] == island:
            at = load_row(d, r, row, at, listed)
            d.iefc_lo[r] = -UNBOUNDED
            d.iefc_hi[r] = UNBOUNDED
            r += 1
    r = pad_to_four(d, r, at)
    d.island_bounded = r
    d.island_rows = r
    d.island_cones = 0
    if m.opt_cone != 0:
        load_cone_rows(d, island, at)
    d.solving = ITERATING
    if m.opt_solver != PGS and not pack_quads(d):
        leave_island_out(d)


@kernel
def load_cone_rows(d, island: int, at: int):
    """Gather rows of elliptic cones, behind the bounded ones."""
    first, r, cones = d.island_efcadr[island], d.island_bounded, 0
    for k in range(first, first + d.island_nefc[island]):
        e = d.map_iefc2efc[k]
        if d.efc_type[e] == CONTACT_ELLIPTIC:
            c = d.efc_id[e]
            if d.contact_efc_address[c] == e:
                d.cone_contact[cones] = c
                d.cone_row[cones] = r
                cones += 1
            at = load_row(d, r, e, at, 1)
            r += 1
    d.island_rows = r
    d.island_cones = cones


@kernel
def leave_island_out(d):
    """Leave an island without rows, in a world that asks for more room."""
    d.island_bounded = 0
    d.island_rows = 0
    d.island_cones = 0
    d.solving = IDLE


@kernel
def starts_pyramid(d, e: int):
    """Whether a row is the first edge of a pyramid, which begins a new block of four."""
    return d.efc_type[e] == CONTACT_PYRAMIDAL and d.contact_efc_address[d.efc_id[e]] == e


@kernel
def load_row(d, r: int, e: int, at: int, listed: int):
    """Copy row e of efc_* to row r of the island; returns where the next row's entries go.

    listed: 1 if entries of J are stored row by row.
    """
    d.iefc_efc[r] = e
    d.iefc_adr[r] = at
    d.iefc_nnz[r] = d.efc_J_rownnz[e] if listed == 1 else 0
    d.iefc_D[r] = d.efc_D[e]
    d.iefc_R[r] = d.efc_R[e]
    d.iefc_aref[r] = d.efc_aref[e]
    d.iefc_lo[r] = 0.0
    d.iefc_hi[r] = 0.0
    if listed == 1:
        start = d.efc_J_rowadr[e]
        for a in range(start, start + d.efc_J_rownnz[e]):
            d.iefc_colind[at] = d.map_dof2idof[d.efc_J_colind[a]]
            d.iefc_J[at] = d.efc_J_value[a]
            at += 1
    return at


@kernel
def set_force_bounds(d, r: int, e: int):
    """Set the bounds of a row's force, from its kind."""
    if e < d.ne:
        d.iefc_lo[r] = -UNBOUNDED
        d.iefc_hi[r] = UNBOUNDED
    elif e < d.ne + d.nf:
        d.iefc_lo[r] = -d.efc_frictionloss[e]
        d.iefc_hi[r] = d.efc_frictionloss[e]
    else:
        d.iefc_hi[r] = UNBOUNDED


@kernel
def pad_to_four(d, r: int, at: int):
    """Append padding rows up to a multiple of four; returns the number of rows."""
    while (r & 3) != 0:
        set_padding_row(d, r, at)
        r += 1
    return r


@kernel
def set_padding_row(d, r: int, at: int):
    """Set a row to zero."""
    d.iefc_efc[r] = -1
    d.iefc_adr[r] = at
    d.iefc_nnz[r] = 0
    d.iefc_D[r] = 0.0
    d.iefc_R[r] = 0.0
    d.iefc_aref[r] = 0.0
    d.iefc_lo[r] = 0.0
    d.iefc_hi[r] = 0.0
