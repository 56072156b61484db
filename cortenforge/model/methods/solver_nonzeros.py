"""Nonzeros of the matrices of the constraint solver, counted as in MuJoCo (solver_nnz).

    PGS     of A = J M^-1 J', the matrix of rows
    CG      of J
    Newton  of M, of J' D J and of the factor L' L = M + J' D J, lower triangles; with elliptic
            cones the factor counts twice, as it is kept without them, too; n^2 where dense

MuJoCo counts while it solves. Here the counts are computed from the rows when they are read, so
that steps do not pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Cone, Solver
from cortenforge.fields.data_solver import NISLAND
from cortenforge.model.changes.constraints import jacobian_is_sparse

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


def solver_nonzeros(data: Data) -> np.ndarray:
    """Counts for the first 20 islands of the last solution, (20,) int32, read-only."""
    found = np.zeros(NISLAND, np.int32)
    if data.nefc:
        for island in range(min(data.nisland, NISLAND)):
            found[island] = _island_nonzeros(data, island)
    found.flags.writeable = False
    return found


def _island_nonzeros(data: Data, island: int) -> int:
    model = data.model
    rows = np.flatnonzero(data.efc_island[: data.nefc] == island)
    dofs = np.flatnonzero(data.dof_island == island)
    sparse = jacobian_is_sparse(model)
    if model.opt.solver == Solver.CG:
        return int(data.efc_J_rownnz[rows].sum()) if sparse else len(rows) * len(dofs)
    if model.opt.solver == Solver.PGS:
        return _pgs_nonzeros(data, rows) if sparse else len(rows) ** 2
    return _newton_nonzeros(data, rows, dofs) if sparse else len(dofs) ** 2


def _jacobian_columns(data: Data, row: int) -> np.ndarray:
    """Dofs of a row of J."""
    start = int(data.efc_J_rowadr[row])
    found: np.ndarray = data.efc_J_colind[start : start + int(data.efc_J_rownnz[row])]
    return found


def _inertia_columns(model: Model, dof: int) -> np.ndarray:
    """Columns of a row of M: the dof and its ancestors."""
    start = int(model.M_rowadr[dof])
    found: np.ndarray = model.M_colind[start : start + int(model.M_rownnz[dof])]
    return found


def _pgs_nonzeros(data: Data, rows: np.ndarray) -> int:
    """Nonzeros of A = J M^-1 J': pairs of rows that share a dof or an ancestor of one."""
    model = data.model
    reached = np.zeros((len(rows), model.nv), np.float32)
    for number, row in enumerate(rows.tolist()):
        for dof in _jacobian_columns(data, row).tolist():
            reached[number, _inertia_columns(model, dof)] = 1.0
    return int(np.count_nonzero(reached @ reached.T))


def _newton_nonzeros(data: Data, rows: np.ndarray, dofs: np.ndarray) -> int:
    """Lower-triangle entries of M, J' D J and the factor L, with its fill-in."""
    place = np.full(data.model.nv, -1)
    place[dofs] = np.arange(len(dofs))
    inertia = np.zeros((len(dofs), len(dofs)), bool)
    coupling = np.zeros_like(inertia)
    for dof in dofs.tolist():
        inertia[place[dof], place[_inertia_columns(data.model, dof)]] = True
    for row in rows.tolist():
        at = place[_jacobian_columns(data, row)]
        coupling[np.ix_(at, at)] = True
    factor = np.tril(inertia | coupling)
    # from the last dof to the first, as the factor is made
    for last in range(len(dofs) - 1, 0, -1):
        coupled = np.flatnonzero(factor[last, :last])
        factor[np.ix_(coupled, coupled)] = True
    factors = 2 if data.model.opt.cone == Cone.ELLIPTIC else 1
    parts = np.count_nonzero(inertia) + np.count_nonzero(np.tril(coupling))
    return int(parts + factors * np.count_nonzero(np.tril(factor)))
