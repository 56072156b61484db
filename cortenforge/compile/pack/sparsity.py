"""Sparsity of the inertia matrix M, of D = M + M' + their upper half, and of body-dof rows B.

Bodies and dofs are numbered depth first, so the dofs below a body are one range, and a row of
M is the chain of dofs up to the world.  Rows of simple bodies keep only their diagonal in M.
"""

from __future__ import annotations

import numpy as np

Arrays = dict[str, np.ndarray]


def sparsity_arrays(arrays: Arrays) -> tuple[Arrays, dict[str, int]]:
    """Patterns (rownnz, rowadr, colind) of M, D and B, maps between them, and their sizes."""
    chains = _dof_chains(arrays["dof_parentid"])
    depth = np.array([len(chain) - 1 for chain in chains], np.int64)
    simple = arrays["dof_simplenum"] > 0
    result = {"dof_Madr": _row_addresses(depth + 1)}
    rows = [chain[-1:] if alone else chain for chain, alone in zip(chains, simple, strict=True)]
    result |= _row_pattern("M", rows)
    result["dof_runlength"] = factor_run_lengths(arrays["dof_parentid"], result["M_rownnz"])
    body_rows = _body_rows(arrays, chains)
    result |= _row_pattern("B", body_rows)
    result |= _row_pattern("D", [body_rows[body] for body in arrays["dof_bodyid"]])
    result["D_diag"] = depth.astype(np.int32)
    result |= _index_maps(result, depth, simple)
    sizes = {
        "nM": int(np.sum(depth + 1)),
        "nB": len(result["B_colind"]),
        "nC": len(result["M_colind"]),
        "nD": len(result["D_colind"]),
    }
    return result, sizes


def _dof_chains(parentid: np.ndarray) -> list[np.ndarray]:
    """For each dof, the dofs from the world down to it, itself included."""
    chains: list[np.ndarray] = []
    dofs = np.arange(len(parentid), dtype=np.int32)
    for i, parent in enumerate(parentid.tolist()):
        own = dofs[i : i + 1]
        chains.append(np.concatenate((chains[parent], own)) if parent >= 0 else own)
    return chains


def _body_rows(arrays: Arrays, chains: list[np.ndarray]) -> list[np.ndarray]:
    """For each body, the dofs above it and those of its subtree, in rising order."""
    parentid, dofnum = arrays["body_parentid"].tolist(), arrays["body_dofnum"].tolist()
    below = list(dofnum)
    for body in range(len(below) - 1, 0, -1):
        below[parentid[body]] += below[body]
    none = np.zeros(0, np.int32)
    above: list[np.ndarray] = [none]
    rows = [np.arange(below[0], dtype=np.int32)]
    start = 0
    for body in range(1, len(parentid)):
        parent = parentid[body]
        own = _last_body_dof(arrays, parent)
        above.append(chains[own] if own >= 0 else above[parent])
        rows.append(
            np.concatenate((above[body], np.arange(start, start + below[body], dtype=np.int32)))
        )
        start += dofnum[body]
    return rows


def _last_body_dof(arrays: Arrays, body: int) -> int:
    """The last dof of a body itself, -1 if it has none."""
    count = arrays["body_dofnum"][body]
    return int(arrays["body_dofadr"][body] + count - 1) if count else -1


def _row_addresses(lengths: np.ndarray) -> np.ndarray:
    """Address of each row, given the rows' lengths."""
    result: np.ndarray = (np.cumsum(lengths) - lengths).astype(np.int32)
    return result


def _row_pattern(name: str, rows: list[np.ndarray]) -> Arrays:
    """A compressed-row pattern."""
    lengths = np.array([len(row) for row in rows], np.int32)
    columns = np.concatenate(rows) if rows else np.zeros(0)
    return {
        f"{name}_rownnz": lengths,
        f"{name}_rowadr": _row_addresses(lengths),
        f"{name}_colind": columns.astype(np.int32),
    }


def factor_run_lengths(parentid: np.ndarray, rownnz: np.ndarray) -> np.ndarray:
    """For each dof, the length of its run: 4, 2 or 1 dofs that the factorization handles at once.

    In a run, each row of M is the row before it and one entry more. A dof below another need not
    extend its row: rows of simple bodies are short.
    """
    extends = np.zeros(len(rownnz), bool)
    below = parentid[1:] == np.arange(len(rownnz) - 1)
    extends[1:] = below & (rownnz[1:] == rownnz[:-1] + 1)
    lengths = np.ones(len(rownnz), np.int32)
    end = len(rownnz)
    while end > 0:
        length = next(n for n in (4, 2, 1) if n <= end and extends[end - n + 1 : end].all())
        lengths[end - length : end] = length
        end -= length
    return lengths


def _index_maps(patterns: Arrays, depth: np.ndarray, simple: np.ndarray) -> Arrays:
    """Index maps: legacy M to M, D to M (lower half), M to D (both halves, -1 where absent)."""
    row = np.repeat(np.arange(len(depth)), patterns["M_rownnz"])
    # position of a column in its chain is the column's depth
    level = depth[patterns["M_colind"]]
    legacy = patterns["dof_Madr"][row] + depth[row] - level
    into_d = patterns["D_rowadr"][row] + level

    d_row = np.repeat(np.arange(len(depth)), patterns["D_rownnz"])
    d_col = patterns["D_colind"].astype(np.int64)
    # an entry above the diagonal is stored in the row of its column
    lower, upper = np.minimum(d_row, d_col), np.maximum(d_row, d_col)
    from_m = patterns["M_rowadr"][upper] + np.where(simple[upper], 0, depth[lower])
    absent = simple[upper] & (lower != upper)
    return {
        "mapM2M": legacy.astype(np.int32),
        "mapD2M": into_d.astype(np.int32),
        "mapM2D": np.where(absent, -1, from_m).astype(np.int32),
    }
