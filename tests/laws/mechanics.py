"""What the laws need beside the engine: planar arms, dense inertia matrices, momenta."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import cortenforge as cf

GRAVITY = 9.81


def dense_inertia(model: cf.Model, data: cf.Data) -> np.ndarray:
    """M as a full symmetric matrix, from its lower half in CSR."""
    M = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        start, count = model.M_rowadr[i], model.M_rownnz[i]
        for k in range(start, start + count):
            j = model.M_colind[k]
            M[i, j] = M[j, i] = data.M[k]
    return M


def total_energy(data: cf.Data) -> float:
    data.forward()
    return float(data.energy.sum())


@dataclass(frozen=True)
class PlanarArm:
    """Rods in a vertical plane, each hinged to the end of the one before.

    Angles of the closed-form solution are absolute, measured from the horizontal x axis; the
    model's joint angles are relative, so that angle = S @ qpos with S lower triangular of ones.
    """

    lengths: tuple[float, ...]
    centres: tuple[float, ...]
    masses: tuple[float, ...]
    inertias: tuple[float, ...]

    @property
    def n(self) -> int:
        return len(self.lengths)

    @property
    def S(self) -> np.ndarray:
        return np.tril(np.ones((self.n, self.n)))

    def xml(self) -> str:
        text, pos = "", "0 0 0"
        for i, (c, m, inertia) in enumerate(
            zip(self.centres, self.masses, self.inertias, strict=True)
        ):
            # y points into the page: a positive angle about -y lifts the rod
            text += (
                f'<body name="link{i}" pos="{pos}"><joint axis="0 -1 0"/><inertial pos="{c} 0 0" '
                f'mass="{m}" diaginertia="{0.7 * inertia} {inertia} {0.6 * inertia}"/>'
                f'<site name="end{i}" pos="{self.lengths[i]} 0 0"/>'
            )
            pos = f"{self.lengths[i]} 0 0"
        flag = '<option><flag energy="enable"/></option>'
        closing = "</body>" * self.n
        return f"<mujoco>{flag}<worldbody>{text}{closing}</worldbody></mujoco>"

    # in absolute angles a: T = 1/2 sum A_ij cos(a_i - a_j) a_i' a_j' and V = g sum b_i sin a_i

    def _beyond(self, i: int) -> float:
        """Mass that hangs on the end of rod i."""
        return sum(self.masses[i + 1 :])

    def _b(self) -> np.ndarray:
        first = np.array(self.masses) * np.array(self.centres)
        return first + [self.lengths[i] * self._beyond(i) for i in range(self.n)]

    def _A(self) -> np.ndarray:
        A = np.zeros((self.n, self.n))
        b = self._b()
        for i in range(self.n):
            own = self.inertias[i] + self.masses[i] * self.centres[i] ** 2
            A[i, i] = own + self.lengths[i] ** 2 * self._beyond(i)
            A[i, i + 1 :] = A[i + 1 :, i] = self.lengths[i] * b[i + 1 :]
        return A

    def ends(self, qpos: np.ndarray) -> np.ndarray:
        """End point of each rod, (n, 3)."""
        a = self.S @ qpos
        x, z = np.cumsum(self.lengths * np.cos(a)), np.cumsum(self.lengths * np.sin(a))
        return np.stack([x, np.zeros(self.n), z], axis=1)

    def inertia(self, qpos: np.ndarray) -> np.ndarray:
        a = self.S @ qpos
        return self.S.T @ (self._A() * np.cos(a[:, None] - a[None, :])) @ self.S

    def bias(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        a, rate = self.S @ qpos, self.S @ qvel
        coriolis = (self._A() * np.sin(a[:, None] - a[None, :])) @ rate**2
        return self.S.T @ (coriolis + GRAVITY * self._b() * np.cos(a))

    def energy(self, qpos: np.ndarray, qvel: np.ndarray) -> tuple[float, float]:
        potential = GRAVITY * float(self._b() @ np.sin(self.S @ qpos))
        return potential, 0.5 * float(qvel @ self.inertia(qpos) @ qvel)


TWO_LINKS = PlanarArm((0.5, 0.4), (0.2, 0.25), (1.5, 0.8), (0.04, 0.02))
THREE_LINKS = PlanarArm((0.5, 0.4, 0.3), (0.2, 0.25, 0.1), (1.5, 0.8, 0.6), (0.04, 0.02, 0.01))
