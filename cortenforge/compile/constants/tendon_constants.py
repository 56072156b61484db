"""What tendons weigh in the reference position, and where their springs rest."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.constants.placed import Placed
from cortenforge.compile.constants.response import Row

Arrays = dict[str, np.ndarray]


class NotPositiveError(ValueError):
    """Inertia of tendons leaves a direction without inertia."""


def tendon_rows(arrays: Arrays, jacobian: np.ndarray) -> list[Row]:
    """How dofs change the lengths of tendons, row by row; jacobian: ten_J."""
    ends = arrays["ten_J_rowadr"] + arrays["ten_J_rownnz"]
    return [
        (arrays["ten_J_colind"][start:end], jacobian[start:end])
        for start, end in zip(arrays["ten_J_rowadr"].tolist(), ends.tolist(), strict=True)
    ]


def set_spring_lengths(arrays: Arrays) -> None:
    """Rest lengths of springs that do not give theirs, in the position where springs rest."""
    unknown = (arrays["tendon_lengthspring"] == -1).all(axis=1)
    lengths = arrays["tendon_length0"]
    if unknown.any() and not np.array_equal(arrays["qpos0"], arrays["qpos_spring"]):
        resting = Placed(arrays, arrays["qpos_spring"])
        resting.pull(arrays)
        lengths = resting.ten_length
    arrays["tendon_lengthspring"][unknown] = lengths[unknown, None]


def dofs_above(arrays: Arrays, body: int) -> list[int]:
    """Dofs that move a body, in rising order."""
    while body and not arrays["body_dofnum"][body]:
        body = int(arrays["body_parentid"][body])
    if not body:
        return []
    chain = []
    dof = int(arrays["body_dofadr"][body] + arrays["body_dofnum"][body] - 1)
    while dof >= 0:
        chain.append(dof)
        dof = int(arrays["dof_parentid"][dof])
    return chain[::-1]


# ---------------------------------------------------------------------- inverse inertia


def inverses_of_trees(arrays: Arrays, inertia: np.ndarray) -> list[np.ndarray]:
    """Inverse of each tree's inertia matrix; inertia: M, all rows in full.

    As in MuJoCo, a tendon's inertia couples dofs that lie on one way to the root, no others: what
    is left out can spoil the inertia matrix, and then MuJoCo's numbers mean nothing.
    """
    starts, treeid = arrays["tree_dofadr"].tolist(), arrays["dof_treeid"].tolist()
    blocks = [np.zeros((count, count)) for count in arrays["tree_dofnum"].tolist()]
    for dof, (tree, at) in enumerate(zip(treeid, arrays["dof_Madr"].tolist(), strict=True)):
        chain = _chain(arrays, dof)
        blocks[tree][dof - starts[tree], chain - starts[tree]] = inertia[at : at + len(chain)]
    return [_inverse(block) for block in blocks]


def weights_with_armature(
    arrays: Arrays, motion: np.ndarray, inertia: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weights of dofs and response of bodies where tendons have inertia; inertia: M, in full."""
    inverses = inverses_of_trees(arrays, inertia)
    starts = arrays["tree_dofadr"].tolist()
    diagonal = np.concatenate([np.diag(inverse) for inverse in inverses])
    response = np.zeros((len(arrays["body_parentid"]), 6, 6))
    for body in np.flatnonzero(arrays["body_treeid"] >= 0).tolist():
        tree = int(arrays["body_treeid"][body])
        chain = np.array(dofs_above(arrays, body))
        block = inverses[tree][np.ix_(chain - starts[tree], chain - starts[tree])]
        response[body] = motion[chain].T @ block @ motion[chain]
    return diagonal, response


def _inverse(lower: np.ndarray) -> np.ndarray:
    """Inverse of a positive matrix, given by its lower half."""
    full = lower + np.tril(lower, -1).T
    try:
        np.linalg.cholesky(full)
    except np.linalg.LinAlgError as problem:
        raise NotPositiveError from problem
    return np.linalg.inv(full)


def _chain(arrays: Arrays, dof: int) -> np.ndarray:
    """The dofs above a dof and itself, with which its row of D begins."""
    start = int(arrays["D_rowadr"][dof])
    return arrays["D_colind"][start : start + int(arrays["D_diag"][dof]) + 1]
