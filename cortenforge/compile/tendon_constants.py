"""Lengths of tendons in the reference position, how joints change them, and what they weigh."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.tendon_path import Frames, Segment, fixed_length, spatial_path
from cortenforge.enums import TendonType

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]


class NotPositiveError(ValueError):
    """Inertia of tendons leaves a direction without inertia."""


#: of one tendon: dofs, and how its length changes with each
Row = tuple[np.ndarray, np.ndarray]


def set_lengths(
    arrays: Arrays, frames: Frames, motion: np.ndarray, centres: np.ndarray
) -> list[Row]:
    """Set tendon_length0, and return the Jacobian, row by row."""
    count = len(arrays["tendon_type"])
    lengths, rows = np.zeros(count), []
    for i, kind in enumerate(arrays["tendon_type"].tolist()):
        start = int(arrays["ten_J_rowadr"][i])
        dofs = arrays["ten_J_colind"][start : start + int(arrays["ten_J_rownnz"][i])]
        if kind == TendonType.FIXED:
            lengths[i] = fixed_length(arrays, i, arrays["qpos0"])
            rows.append((dofs, _weights_of_joints(arrays, i, dofs)))
        else:
            lengths[i], segments = spatial_path(arrays, i, frames)
            rows.append((dofs, _gradient(arrays, segments, dofs, motion, centres)))
    arrays["tendon_length0"] = lengths
    return rows


def set_spring_lengths(arrays: Arrays, frames: Frames) -> None:
    """Rest lengths of springs that do not give theirs, in the position where springs rest."""
    unknown = np.flatnonzero((arrays["tendon_lengthspring"] == -1).all(axis=1))
    for i in unknown.tolist():
        if arrays["tendon_type"][i] == TendonType.FIXED:
            length = fixed_length(arrays, i, arrays["qpos_spring"])
        else:
            length, _ = spatial_path(arrays, i, frames)
        arrays["tendon_lengthspring"][i] = length


def _weights_of_joints(arrays: Arrays, tendon: int, dofs: np.ndarray) -> np.ndarray:
    """Coefficients of a fixed tendon in the order of its dofs."""
    start, count = int(arrays["tendon_adr"][tendon]), int(arrays["tendon_num"][tendon])
    joints = arrays["wrap_objid"][start : start + count]
    values = np.zeros(len(dofs))
    values[np.searchsorted(dofs, arrays["jnt_dofadr"][joints])] = arrays["wrap_prm"][
        start : start + count
    ]
    return values


def _gradient(
    arrays: Arrays,
    segments: list[Segment],
    dofs: np.ndarray,
    motion: np.ndarray,
    centres: np.ndarray,
) -> np.ndarray:
    """Change of a path's length with each dof: unit forces along it, moved to tree centres."""
    values = np.zeros(len(dofs), motion.dtype)
    for segment in segments:
        if segment.bodies[0] == segment.bodies[1]:
            continue
        along = segment.points[1] - segment.points[0]
        size = float(np.linalg.norm(along))
        along = np.array([1.0, 0.0, 0.0]) if size < MINVAL else along / size
        for body, point, sign in zip(segment.bodies, segment.points, (-1.0, 1.0), strict=True):
            chain = dofs_above(arrays, body)
            if not chain:
                continue
            force = along * (sign / segment.divisor)
            arm = point - centres[arrays["body_rootid"][body]]
            wrench = np.concatenate((np.cross(arm, force), force))
            values[np.searchsorted(dofs, chain)] += motion[chain] @ wrench
    return values


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


def tendon_weights(
    arrays: Arrays, rows: list[Row], motion: np.ndarray, force: np.ndarray, inverse: np.ndarray
) -> np.ndarray:
    """J M^-1 J' of each tendon, by articulated-body recursion from its dofs to the root."""
    return np.array([_weight(arrays, row, motion, force, inverse) for row in rows], np.float64)


def _weight(
    arrays: Arrays, row: Row, motion: np.ndarray, force: np.ndarray, inverse: np.ndarray
) -> float:
    push = dict(zip(row[0].tolist(), row[1], strict=True))
    parentid, dofadr = arrays["body_parentid"], arrays["body_dofadr"]
    bodies: set[int] = set()
    for body in np.unique(arrays["dof_bodyid"][row[0]]).tolist():
        while body and body not in bodies:
            bodies.add(body)
            body = int(parentid[body])
    passed: dict[int, np.ndarray] = {}
    total = 0.0
    for body in sorted(bodies, reverse=True):
        bias = passed.pop(body, np.zeros(6, motion.dtype))
        first = int(dofadr[body])
        for dof in range(first + int(arrays["body_dofnum"][body]) - 1, first - 1, -1):
            free = push.get(dof, 0.0) - motion[dof] @ bias
            total += free * free * inverse[dof]
            bias = bias + force[dof] * (inverse[dof] * free)
        parent = int(parentid[body])
        passed[parent] = passed[parent] + bias if parent in passed else bias
    return float(total)


def weights_with_armature(
    arrays: Arrays, rows: list[Row], motion: np.ndarray, composite: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of dofs, response of bodies and weights of tendons that have inertia themselves.

    As in MuJoCo, a tendon's inertia couples dofs that lie on one way to the root, no others: what
    is left out can spoil the inertia matrix, and then MuJoCo's numbers mean nothing.
    """
    count = len(motion)
    plain = motion.astype(np.float64)
    inertia = np.zeros((count, count))
    chains = [_chain(arrays["dof_parentid"], dof) for dof in range(count)]
    for dof, chain in enumerate(chains):
        felt = composite[arrays["dof_bodyid"][dof]].astype(np.float64) @ plain[dof]
        inertia[dof, chain] = plain[chain] @ felt
    inertia[np.diag_indices(count)] += arrays["dof_armature"]
    for (dofs, values), armature in zip(rows, arrays["tendon_armature"].tolist(), strict=True):
        full = np.zeros(count)
        full[dofs] = values
        for dof in dofs.tolist() if armature else ():
            inertia[dof, chains[dof]] += armature * full[dof] * full[chains[dof]]
    lower = np.tril(inertia)
    full_matrix = lower + np.tril(lower, -1).T
    if not np.linalg.eigvalsh(full_matrix)[0] > 0:
        raise NotPositiveError
    inverse = np.linalg.inv(full_matrix)
    response = np.zeros((len(arrays["body_parentid"]), 6, 6))
    for body in range(1, len(response)):
        chain = dofs_above(arrays, body)
        response[body] = plain[chain].T @ inverse[np.ix_(chain, chain)] @ plain[chain]
    weights = [v.astype(float) @ inverse[np.ix_(d, d)] @ v.astype(float) for d, v in rows]
    return np.diag(inverse).copy(), response, np.array(weights, np.float64)


def _chain(parentid: np.ndarray, dof: int) -> list[int]:
    """A dof and all above it."""
    chain = []
    while dof >= 0:
        chain.append(dof)
        dof = int(parentid[dof])
    return chain
