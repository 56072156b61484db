"""The tangent space of positions, for many positions at once."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import JointType
from cortenforge.model import Model


class TangentSpace:
    """Addresses of scalar positions and of quaternions, in qpos and in qvel."""

    def __init__(self, model: Model) -> None:
        self.nq, self.nv = model.nq, model.nv
        flat: list[tuple[int, int]] = []
        turns: list[tuple[int, int]] = []
        for kind, at, dof in zip(
            model.jnt_type.tolist(),
            model.jnt_qposadr.tolist(),
            model.jnt_dofadr.tolist(),
            strict=True,
        ):
            if kind == JointType.FREE:
                flat += [(at + k, dof + k) for k in range(3)]
                turns.append((at + 3, dof + 3))
            elif kind == JointType.BALL:
                turns.append((at, dof))
            else:
                flat.append((at, dof))
        self.flat_q, self.flat_v = np.array(flat, int).reshape(-1, 2).T
        #: addresses of quaternions in qpos, and of their angular velocities in qvel
        self.turn_q, self.turn_v = np.array(turns, int).reshape(-1, 2).T

    def between(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Tangent vectors (..., nv) between positions (..., nq).  Mirrors mj_differentiatePos."""
        found = np.zeros((*np.broadcast_shapes(start.shape, end.shape)[:-1], self.nv))
        found[..., self.flat_v] = end[..., self.flat_q] - start[..., self.flat_q]
        for at, dof in zip(self.turn_q.tolist(), self.turn_v.tolist(), strict=True):
            one, other = start[..., at : at + 4], end[..., at : at + 4]
            found[..., dof : dof + 3] = rotation_vectors(quat_products(conjugate_quats(one), other))
        return found

    def move(self, qpos: np.ndarray, shifts: np.ndarray) -> None:
        """Move positions (..., nv, nq), row i along dof i, by shifts (..., nv)."""
        qpos[..., self.flat_v, self.flat_q] += shifts[..., self.flat_v]
        for at, dof in zip(self.turn_q.tolist(), self.turn_v.tolist(), strict=True):
            for k in range(3):
                half = 0.5 * shifts[..., dof + k]
                turn = np.zeros((*half.shape, 4))
                turn[..., 0], turn[..., 1 + k] = np.cos(half), np.sin(half)
                q = qpos[..., dof + k, at : at + 4]
                q = q / np.linalg.norm(q, axis=-1, keepdims=True)
                qpos[..., dof + k, at : at + 4] = quat_products(q, turn)


def conjugate_quats(q: np.ndarray) -> np.ndarray:
    """Inverse rotations of unit quaternions (..., 4)."""
    found: np.ndarray = q * np.array([1.0, -1.0, -1.0, -1.0])
    return found


def quat_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions (..., 4)."""
    aw, bw, av, bv = a[..., :1], b[..., :1], a[..., 1:], b[..., 1:]
    scalar = aw * bw - (av * bv).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def rotation_vectors(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) of unit quaternions (..., 4), with angles of at most pi."""
    length = np.linalg.norm(q[..., 1:], axis=-1)
    angle = 2.0 * np.arctan2(length, q[..., 0])
    angle = np.where(angle > np.pi, angle - 2.0 * np.pi, angle)
    scale = np.divide(angle, length, out=np.full_like(angle, 2.0), where=length > 0)
    found: np.ndarray = q[..., 1:] * scale[..., None]
    return found
