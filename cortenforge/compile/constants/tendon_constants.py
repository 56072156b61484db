"""Lengths of tendons in the reference position, how joints change them, and what they weigh.

Lengths and their gradients go when the engine's tendons are kernels, and the inertia of trees with
heavy tendons when M holds the armature of tendons.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cortenforge.compile.constants.tendon_path import Frames, Segment, fixed_length, spatial_path
from cortenforge.enums import TendonType
from cortenforge.spec.rotation import cross, subtract

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]


class NotPositiveError(ValueError):
    """Inertia of tendons leaves a direction without inertia."""


#: of one tendon: dofs, and how its length changes with each
Row = tuple[np.ndarray, np.ndarray]


def set_lengths(
    arrays: Arrays, frames_at_qpos0: Callable[[], Frames], motion: np.ndarray, centres: np.ndarray
) -> list[Row]:
    """Set tendon_length0, and return the Jacobian, row by row."""
    count = len(arrays["tendon_type"])
    gradients = Gradients(arrays, motion, centres)
    frames = frames_at_qpos0() if TendonType.SPATIAL in arrays["tendon_type"] else None
    found = [path_of(arrays, i, arrays["qpos0"], frames, gradients) for i in range(count)]
    arrays["tendon_length0"] = np.array([length for length, _ in found], np.float64)
    return [row for _, row in found]


def path_of(
    arrays: Arrays, i: int, qpos: np.ndarray, frames: Frames | None, gradients: Gradients
) -> tuple[float, Row]:
    """Length of one tendon in a position, and how its dofs change it."""
    start = int(arrays["ten_J_rowadr"][i])
    dofs = arrays["ten_J_colind"][start : start + int(arrays["ten_J_rownnz"][i])]
    if frames is None or int(arrays["tendon_type"][i]) == TendonType.FIXED:
        return fixed_length(arrays, i, qpos), (dofs, _weights_of_joints(arrays, i, dofs))
    length, segments = spatial_path(arrays, i, frames)
    return length, (dofs, gradients.of(segments, dofs))


def set_spring_lengths(arrays: Arrays, frames_at_rest: Callable[[], Frames]) -> None:
    """Rest lengths of springs that do not give theirs, in the position where springs rest."""
    unknown = (arrays["tendon_lengthspring"] == -1).all(axis=1)
    arrays["tendon_lengthspring"][unknown] = arrays["tendon_length0"][unknown, None]
    if not unknown.any() or np.array_equal(arrays["qpos0"], arrays["qpos_spring"]):
        return
    spatial = arrays["tendon_type"] == TendonType.SPATIAL
    for i in np.flatnonzero(unknown & ~spatial).tolist():
        arrays["tendon_lengthspring"][i] = fixed_length(arrays, i, arrays["qpos_spring"])
    if (unknown & spatial).any():
        frames = frames_at_rest()
        for i in np.flatnonzero(unknown & spatial).tolist():
            arrays["tendon_lengthspring"][i] = spatial_path(arrays, i, frames)[0]


def _weights_of_joints(arrays: Arrays, tendon: int, dofs: np.ndarray) -> np.ndarray:
    """Coefficients of a fixed tendon in the order of its dofs."""
    start, count = int(arrays["tendon_adr"][tendon]), int(arrays["tendon_num"][tendon])
    joints = arrays["wrap_objid"][start : start + count]
    values = np.zeros(len(dofs))
    values[np.searchsorted(dofs, arrays["jnt_dofadr"][joints])] = arrays["wrap_prm"][
        start : start + count
    ]
    return values


class Gradients:
    """How lengths of paths change with dofs: unit forces along them, moved to tree centres."""

    def __init__(
        self,
        arrays: Arrays,
        motion: np.ndarray,
        centres: np.ndarray,
        chains: dict[int, list[int]] | None = None,
    ) -> None:
        """Dofs above bodies do not change with the position: `chains` keeps them."""
        self._arrays, self._motion, self._centres = arrays, motion, centres.tolist()
        self._chains = {} if chains is None else chains

    def of(self, segments: list[Segment], dofs: np.ndarray) -> np.ndarray:
        """Change of one path's length with each of its dofs."""
        values = np.zeros(len(dofs))
        for segment in segments:
            if segment.bodies[0] == segment.bodies[1]:
                continue
            along = subtract(segment.points[1], segment.points[0])
            size = math.hypot(*along)
            scale = 1 / (segment.divisor * size) if size >= MINVAL else 0.0
            pull = (scale * along[0], scale * along[1], scale * along[2])
            if not scale:
                # where there is no direction, MuJoCo takes x
                pull = (1 / segment.divisor, 0.0, 0.0)
            for body, point, sign in zip(segment.bodies, segment.points, (-1.0, 1.0), strict=True):
                chain = self._chain(body)
                if chain:
                    arm = subtract(point, self._centres[self._arrays["body_rootid"][body]])
                    wrench = np.array((*cross(arm, pull), *pull)) * sign
                    values[np.searchsorted(dofs, chain)] += self._motion[chain] @ wrench
        return values

    def _chain(self, body: int) -> list[int]:
        if body not in self._chains:
            self._chains[body] = dofs_above(self._arrays, body)
        return self._chains[body]


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


def heavy_inverses(
    arrays: Arrays, rows: list[Row], heavy: np.ndarray, inertia: np.ndarray
) -> list[np.ndarray]:
    """Inverse of each tree's inertia matrix, with the inertia of tendons and that of joints.

    inertia: M, all rows in full. As in MuJoCo, a tendon's inertia couples dofs that lie on one way
    to the root, no others: what is left out can spoil the inertia matrix, and then MuJoCo's
    numbers mean nothing.
    """
    return [_inverse(block) for block in _inertia_of_trees(arrays, rows, heavy, inertia)]


def weights_with_armature(
    arrays: Arrays, rows: list[Row], motion: np.ndarray, inverses: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of dofs, response of bodies and weights of tendons that have inertia themselves."""
    starts, treeid = arrays["tree_dofadr"].tolist(), arrays["dof_treeid"]
    diagonal = np.concatenate([np.diag(inverse) for inverse in inverses])
    response = np.zeros((len(arrays["body_parentid"]), 6, 6))
    for body in np.flatnonzero(arrays["body_treeid"] >= 0).tolist():
        tree = int(arrays["body_treeid"][body])
        chain = np.array(dofs_above(arrays, body))
        block = inverses[tree][np.ix_(chain - starts[tree], chain - starts[tree])]
        response[body] = motion[chain].T @ block @ motion[chain]
    weights = np.zeros(len(rows))
    for i, (dofs, values) in enumerate(rows):
        for tree in np.unique(treeid[dofs]).tolist():
            own = treeid[dofs] == tree
            places = dofs[own] - starts[tree]
            weights[i] += values[own] @ inverses[tree][np.ix_(places, places)] @ values[own]
    return diagonal, response, weights


def _inertia_of_trees(
    arrays: Arrays, rows: list[Row], heavy: np.ndarray, inertia: np.ndarray
) -> list[np.ndarray]:
    """The lower half of each tree's inertia matrix, with the armature of tendons."""
    starts, treeid = arrays["tree_dofadr"].tolist(), arrays["dof_treeid"].tolist()
    blocks = [np.zeros((count, count)) for count in arrays["tree_dofnum"].tolist()]
    chains = [_chain(arrays, dof) for dof in range(len(treeid))]
    for dof, (chain, at) in enumerate(zip(chains, arrays["dof_Madr"].tolist(), strict=True)):
        start = starts[treeid[dof]]
        blocks[treeid[dof]][dof - start, chain - start] = inertia[at : at + len(chain)]
    for (dofs, values), armature in zip(rows, heavy.tolist(), strict=True):
        change = dict(zip(dofs.tolist(), values.tolist(), strict=True)) if armature else {}
        for dof, value in change.items():
            start = starts[treeid[dof]]
            along = np.array([change.get(above, 0.0) for above in chains[dof].tolist()])
            blocks[treeid[dof]][dof - start, chains[dof] - start] += armature * value * along
    return blocks


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
