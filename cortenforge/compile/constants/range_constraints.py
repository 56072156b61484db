"""Limits and equalities of joints and tendons as rows of a constraint, and their exact solution.

Goes when the engine's limits, equalities and solver are kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.constants.response import Row
from cortenforge.enums import EqualityType, JointType
from cortenforge.spec.rotation import Quaternion, normalized

Arrays = dict[str, np.ndarray]
MINVAL = 1e-15
LEAST_IMPEDANCE, MOST_IMPEDANCE = 0.0001, 0.9999
DEFAULT_SOLREF = np.array([0.02, 1.0])
MOST_STEPS = 100


class UnsolvedError(ArithmeticError):
    """Constraints change sides without end."""


@dataclass(frozen=True)
class Rows:
    """Constraints J a = aref with weights D; limits push one way only."""

    jacobian: np.ndarray
    reference: np.ndarray
    weight: np.ndarray
    one_way: np.ndarray


class Constraints:
    """What holds a model together while it is pushed."""

    def __init__(self, arrays: Arrays, dt: float) -> None:
        self._arrays, self._dt = arrays, dt
        self._joints = np.flatnonzero(arrays["jnt_limited"]).tolist()
        self._limited = np.flatnonzero(arrays["tendon_limited"]).tolist()
        self._equalities = np.flatnonzero(arrays["eq_active0"]).tolist()

    def rows(
        self, qpos: np.ndarray, qvel: np.ndarray, tendons: list[Row], lengths: np.ndarray
    ) -> Rows:
        """The constraints that are felt in a position, at a velocity."""
        self._found: list[tuple[np.ndarray, float, float, bool]] = []
        self._qvel = qvel
        for i in self._equalities:
            self._equality(i, qpos, tendons, lengths)
        for joint in self._joints:
            self._joint_limit(joint, qpos)
        for tendon in self._limited:
            self._tendon_limit(tendon, tendons[tendon], float(lengths[tendon]))
        found = self._found
        return Rows(
            np.array([row[0] for row in found]).reshape(-1, len(qvel)),
            np.array([row[1] for row in found]),
            np.array([row[2] for row in found]),
            np.array([row[3] for row in found], bool),
        )

    def _joint_limit(self, joint: int, qpos: np.ndarray) -> None:
        arrays = self._arrays
        at, dof = int(arrays["jnt_qposadr"][joint]), int(arrays["jnt_dofadr"][joint])
        low, high = arrays["jnt_range"][joint].tolist()
        if int(arrays["jnt_type"][joint]) == JointType.BALL:
            vector = _rotation_vector(normalized(tuple(qpos[at : at + 4].tolist())))
            angle = float(np.linalg.norm(vector))
            axis = vector / angle if angle >= MINVAL else np.array([1.0, 0.0, 0.0])
            sides = [(max(low, high) - angle, (np.arange(dof, dof + 3), -axis))]
        else:
            value, one = float(qpos[at]), np.array([dof])
            sides = [
                (value - low, (one, np.array([1.0]))),
                (high - value, (one, np.array([-1.0]))),
            ]
        margin = float(arrays["jnt_margin"][joint])
        for position, row in sides:
            if position < margin:
                solver = arrays["jnt_solref"][joint], arrays["jnt_solimp"][joint]
                weight = float(arrays["dof_invweight0"][dof])
                self._add(self._spread(row), position, margin, solver, weight, one_way=True)

    def _tendon_limit(self, tendon: int, row: Row, length: float) -> None:
        arrays = self._arrays
        low, high = arrays["tendon_range"][tendon].tolist()
        margin = float(arrays["tendon_margin"][tendon])
        for sign, position in ((1.0, length - low), (-1.0, high - length)):
            if position < margin:
                solver = arrays["tendon_solref_lim"][tendon], arrays["tendon_solimp_lim"][tendon]
                weight = float(arrays["tendon_invweight0"][tendon])
                jacobian = self._spread(row) * sign
                self._add(jacobian, position, margin, solver, weight, one_way=True)

    def _equality(self, i: int, qpos: np.ndarray, tendons: list[Row], lengths: np.ndarray) -> None:
        """A joint or a tendon that follows a polynomial of another, or stays where it is."""
        arrays = self._arrays
        of_joints = int(arrays["eq_type"][i]) == EqualityType.JOINT
        found = []
        for one in (int(arrays["eq_obj1id"][i]), int(arrays["eq_obj2id"][i])):
            if one < 0:
                continue
            if of_joints:
                at, dof = int(arrays["jnt_qposadr"][one]), int(arrays["jnt_dofadr"][one])
                shift = float(qpos[at] - arrays["qpos0"][at])
                jacobian = np.zeros(len(self._qvel))
                jacobian[dof] = 1.0
                found.append((shift, jacobian, float(arrays["dof_invweight0"][dof])))
            else:
                shift = float(lengths[one] - arrays["tendon_length0"][one])
                weight = float(arrays["tendon_invweight0"][one])
                found.append((shift, self._spread(tendons[one]), weight))
        polynomial = np.polynomial.Polynomial(arrays["eq_data"][i, :5])
        shift, jacobian, weight = found[0]
        position = shift - float(arrays["eq_data"][i, 0])
        if len(found) == 2:
            position = shift - float(polynomial(found[1][0]))
            jacobian = jacobian - float(polynomial.deriv()(found[1][0])) * found[1][1]
            weight += found[1][2]
        solver = arrays["eq_solref"][i], arrays["eq_solimp"][i]
        self._add(jacobian, position, 0.0, solver, weight, one_way=False)

    def _spread(self, row: Row) -> np.ndarray:
        dense = np.zeros(len(self._qvel))
        dense[row[0]] = row[1]
        return dense

    def _add(
        self,
        jacobian: np.ndarray,
        position: float,
        margin: float,
        solver: tuple[np.ndarray, np.ndarray],
        weight: float,
        *,
        one_way: bool,
    ) -> None:
        """One row: its reference acceleration, and how hard it is."""
        ref = solver[0]
        if (ref[0] > 0) != (ref[1] > 0):
            ref = DEFAULT_SOLREF
        imp = solver[1]
        inside = np.clip(imp[[0, 1, 3]], LEAST_IMPEDANCE, MOST_IMPEDANCE)
        impedance = _impedance(
            (inside[0], inside[1], max(0.0, imp[2]), inside[2], max(1.0, imp[4])), position - margin
        )
        width = float(inside[1])
        if ref[0] > 0:
            timeconst = max(float(ref[0]), 2 * self._dt)
            stiffness = 1 / max(MINVAL, width**2 * timeconst**2 * float(ref[1]) ** 2)
            damping = 2 / max(MINVAL, width * timeconst)
        else:
            stiffness = -float(ref[0]) / max(MINVAL, width**2)
            damping = -float(ref[1]) / max(MINVAL, width)
        speed = float(jacobian @ self._qvel)
        reference = -damping * speed - stiffness * impedance * (position - margin)
        softness = max(MINVAL, (1 - impedance) / impedance * weight)
        self._found.append((jacobian, reference, 1 / softness, one_way))


def _rotation_vector(quat: Quaternion) -> np.ndarray:
    """A rotation as a vector, by the shorter way."""
    vector = np.array(quat[1:])
    norm = float(np.linalg.norm(vector))
    if norm < MINVAL:
        return np.zeros(3)
    angle = 2 * np.arctan2(norm, quat[0])
    if angle > np.pi:
        angle -= 2 * np.pi
    turn: np.ndarray = vector / norm * angle
    return turn


def _impedance(imp: tuple[float, ...], depth: float) -> float:
    """How hard a constraint is at a depth: from d0 to dwidth, along a power law."""
    first, last, width, midpoint, power = map(float, imp)
    if first == last or width <= MINVAL:
        return 0.5 * (first + last)
    x = abs(depth / width)
    if x >= 1 or x <= 0:
        return last if x >= 1 else first
    if power == 1:
        y = x
    elif x <= midpoint:
        y = x**power / midpoint ** (power - 1)
    else:
        y = 1 - (1 - x) ** power / (1 - midpoint) ** (power - 1)
    return first + y * (last - first)


def solve(inertia: np.ndarray, free: np.ndarray, rows: Rows) -> np.ndarray:
    """The acceleration that is nearest to the free one and to what the constraints ask for.

    Limits count only while they push; the set of those is found by Newton's method, whose steps
    are exact for a given set.
    """
    acceleration, before = free, np.zeros(0, bool)
    for _ in range(MOST_STEPS):
        held = ~rows.one_way | (rows.jacobian @ acceleration < rows.reference)
        if np.array_equal(held, before):
            return acceleration
        before = held
        jacobian = rows.jacobian[held]
        weighted = jacobian.T * rows.weight[held]
        acceleration = np.linalg.solve(
            inertia + weighted @ jacobian, inertia @ free + weighted @ rows.reference[held]
        )
    raise UnsolvedError
