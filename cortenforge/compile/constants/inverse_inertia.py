"""|M^-1 J'| and J M^-1 J' for sparse rows J, by the factor M = L' D L of the engine.

M is block diagonal, a block a kinematic tree: a row is solved for in the trees that it acts on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cortenforge.compile.constants.inverse_inertia_kernels import (
    apply_inverse_inertia,
    inverse_inertia_linker,
)
from cortenforge.kernel.load.run import run_on

#: dofs, and a number for each
SparseRow = tuple[np.ndarray, np.ndarray]

#: entries of the factor, over all rows, that are done as plain Python in the time that it takes to
#: load compiled code
MAX_PLAIN_WORK = 8_000


def inverse_inertia_products(
    model: Mapping[str, Any], qLD: np.ndarray, qLDiagInv: np.ndarray, rows: list[SparseRow]
) -> tuple[np.ndarray, np.ndarray]:
    """(|M^-1 J'|, J M^-1 J') of sparse rows J, each of shape (rows,).

    model: arrays with the pattern of the factor.  qLD, qLDiagInv: the factor, as in Data.
    """
    forces = _row_arrays(model, rows) | {"qLD": qLD, "qLDiagInv": qLDiagInv}
    ends = model["M_rowadr"] + model["M_rownnz"]
    low, high = forces["row_low"], forces["row_high"]
    work = int((ends[high - 1] - ends[low]).sum()) if len(ends) else 0
    run_on(
        apply_inverse_inertia, inverse_inertia_linker, model, forces, small=work < MAX_PLAIN_WORK
    )
    return np.sqrt(forces["square"]), forces["product"]


def _row_arrays(model: Mapping[str, Any], rows: list[SparseRow]) -> dict[str, Any]:
    """Rows in compressed form, each with the range of dofs of the trees that it acts on."""
    low, high = np.zeros((2, len(rows)), np.int32)
    first, tree = model["tree_dofadr"], model["dof_treeid"]
    ends = first + model["tree_dofnum"]
    for i, (dofs, _) in enumerate(rows):
        if len(dofs):
            low[i], high[i] = first[tree[dofs].min()], ends[tree[dofs].max()]
    return {
        "nrow": len(rows),
        "row_start": np.cumsum([0, *(len(dofs) for dofs, _ in rows)], dtype=np.int32),
        "row_dof": _concatenated([dofs for dofs, _ in rows], np.int32),
        "row_value": _concatenated([values for _, values in rows], np.float64),
        "row_low": low,
        "row_high": high,
        "moved": np.zeros(len(tree)),
        "square": np.zeros(len(rows)),
        "product": np.zeros(len(rows)),
    }


def _concatenated(parts: list[np.ndarray], dtype: Any) -> np.ndarray:
    joined: np.ndarray = np.concatenate([np.zeros(0), *parts]).astype(dtype)
    return joined
