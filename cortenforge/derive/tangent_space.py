"""The tangent space of positions, for many positions at once."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import JointType
from cortenforge.model import Model
from cortenforge.quaternions import conjugate_quats, quat_products, rotation_vectors


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

    def position_difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Tangent vectors (..., nv) between positions (..., nq).  Mirrors mj_differentiatePos."""
        found = np.zeros((*np.broadcast_shapes(start.shape, end.shape)[:-1], self.nv))
        found[..., self.flat_v] = end[..., self.flat_q] - start[..., self.flat_q]
        for at, dof in zip(self.turn_q.tolist(), self.turn_v.tolist(), strict=True):
            one, other = start[..., at : at + 4], end[..., at : at + 4]
            found[..., dof : dof + 3] = rotation_vectors(quat_products(conjugate_quats(one), other))
        return found

    def shift_positions(self, qpos: np.ndarray, shifts: np.ndarray) -> None:
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

    def tangent_gradient(self, qpos: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Gradients by tangent vectors (..., nv) at positions, of gradients by qpos (..., nq).

            q(w) = q exp(w / 2),   dL/dw = 1/2 vec(q* dL/dq)

        Quaternions of qpos have unit length, as those that a step leaves.
        """
        found = np.zeros((*gradient.shape[:-1], self.nv))
        found[..., self.flat_v] = gradient[..., self.flat_q]
        for at, dof in zip(self.turn_q.tolist(), self.turn_v.tolist(), strict=True):
            q, by_q = qpos[..., at : at + 4], gradient[..., at : at + 4]
            found[..., dof : dof + 3] = 0.5 * quat_products(conjugate_quats(q), by_q)[..., 1:]
        return found

    def position_gradient(self, qpos: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Gradients by qpos (..., nq), of gradients by tangent vectors (..., nv) at positions.

        Those of functions that normalise quaternions before they use them, as a step does: at right
        angles to the quaternion, which may have any length but zero.

            dL/dq = 2 q dL/dw / |q|^2
        """
        found = np.zeros((*gradient.shape[:-1], self.nq))
        found[..., self.flat_q] = gradient[..., self.flat_v]
        for at, dof in zip(self.turn_q.tolist(), self.turn_v.tolist(), strict=True):
            q, by_turn = qpos[..., at : at + 4], gradient[..., dof : dof + 3]
            turn = np.concatenate([np.zeros_like(by_turn[..., :1]), by_turn], axis=-1)
            square = (q * q).sum(axis=-1, keepdims=True)
            found[..., at : at + 4] = 2.0 * quat_products(q, turn) / square
        return found
