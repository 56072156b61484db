"""Jacobians of tendons, rest lengths of their springs, and inverse inertia with their armature.

With armature a of a tendon whose length has the gradient J, M += a J' J. As in MuJoCo only entries
of dofs on one chain to the root are added. Then articulated-body recursion does not apply, and each
tree's block of M is inverted:

    dof_invweight0 = diag(M^-1),   X_b = S M^-1 S' over the chain of dofs above body b

A spring without a length of its own (springlength -1) rests at its length in qpos_spring.
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.constants.inverse_inertia import SparseRow
from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics

Arrays = dict[str, np.ndarray]


class InertiaNotPositiveError(ValueError):
    """M with the armature of tendons is not positive definite."""


def tendon_jacobian_rows(arrays: Arrays, jacobian: np.ndarray) -> list[SparseRow]:
    """Rows (dofs, values) of the sparse Jacobian ten_J of tendon lengths."""
    ends = arrays["ten_J_rowadr"] + arrays["ten_J_rownnz"]
    return [
        (arrays["ten_J_colind"][start:end], jacobian[start:end])
        for start, end in zip(arrays["ten_J_rowadr"].tolist(), ends.tolist(), strict=True)
    ]


def set_spring_lengths(arrays: Arrays) -> None:
    """Set tendon_lengthspring where it is not given: the length in qpos_spring."""
    unknown = (arrays["tendon_lengthspring"] == -1).all(axis=1)
    lengths = arrays["tendon_length0"]
    if unknown.any() and not np.array_equal(arrays["qpos0"], arrays["qpos_spring"]):
        resting = ReferenceKinematics(arrays, arrays["qpos_spring"])
        resting.add_tendons(arrays)
        lengths = resting.ten_length
    arrays["tendon_lengthspring"][unknown] = lengths[unknown, None]


def ancestor_dofs(arrays: Arrays, body: int) -> list[int]:
    """The dofs on the chain from a body to the root, in rising order."""
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


def tree_inverse_inertias(arrays: Arrays, inertia: np.ndarray) -> list[np.ndarray]:
    """Inverse of each tree's block of M; inertia: M, all rows in full.

    As in MuJoCo, the armature of a tendon couples only dofs on one chain to the root. Without the
    other entries M may not be positive definite: InertiaNotPositiveError, where MuJoCo goes on.
    """
    starts, treeid = arrays["tree_dofadr"].tolist(), arrays["dof_treeid"].tolist()
    blocks = [np.zeros((count, count)) for count in arrays["tree_dofnum"].tolist()]
    for dof, (tree, at) in enumerate(zip(treeid, arrays["dof_Madr"].tolist(), strict=True)):
        chain = _dof_and_ancestors(arrays, dof)
        blocks[tree][dof - starts[tree], chain - starts[tree]] = inertia[at : at + len(chain)]
    return [_inverse_of_lower(block) for block in blocks]


def invweights_with_tendon_armature(
    arrays: Arrays, motion: np.ndarray, inertia: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """diag(M^-1), (nv,), and X = J M^-1 J' of bodies, (nbody, 6, 6), with tendon armature in M.

    motion: cdof, (nv, 6).  inertia: M, all rows in full.
    """
    inverses = tree_inverse_inertias(arrays, inertia)
    starts = arrays["tree_dofadr"].tolist()
    diagonal = np.concatenate([np.diag(inverse) for inverse in inverses])
    response = np.zeros((len(arrays["body_parentid"]), 6, 6))
    for body in np.flatnonzero(arrays["body_treeid"] >= 0).tolist():
        tree = int(arrays["body_treeid"][body])
        chain = np.array(ancestor_dofs(arrays, body))
        block = inverses[tree][np.ix_(chain - starts[tree], chain - starts[tree])]
        response[body] = motion[chain].T @ block @ motion[chain]
    return diagonal, response


def _inverse_of_lower(lower: np.ndarray) -> np.ndarray:
    """Inverse of a symmetric positive definite matrix, given by its lower triangle."""
    full = lower + np.tril(lower, -1).T
    try:
        np.linalg.cholesky(full)
    except np.linalg.LinAlgError as problem:
        raise InertiaNotPositiveError from problem
    return np.linalg.inv(full)


def _dof_and_ancestors(arrays: Arrays, dof: int) -> np.ndarray:
    """The chain of dofs above a dof and itself: the beginning of its row of D."""
    start = int(arrays["D_rowadr"][dof])
    return arrays["D_colind"][start : start + int(arrays["D_diag"][dof]) + 1]
