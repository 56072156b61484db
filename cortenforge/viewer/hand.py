"""A hand that pulls: MuJoCo's perturbation, a critically damped spring to where the mouse is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import JointType

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

TINY = 1e-15


class Hand:
    """What is held, where on it, and where it should go.  As mjvPerturb.

    body:      the body that is held, 0 if nothing is.
    turning:   whether it is turned, rather than pulled.
    localpos:  the point that is held, in the body's frame.
    localmass: what the point feels like, when it is pushed in all directions.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.body = 0
        self.turning = False
        self.localpos = np.zeros(3)
        self.localmass = 1.0
        self.refselpos = np.zeros(3)
        self.refpos = np.zeros(3)
        self.refquat = np.array([1.0, 0.0, 0.0, 0.0])
        self._refquat0 = self.refquat

    @property
    def active(self) -> bool:
        """Whether something is held."""
        return self.body > 0

    def grab(self, data: Data, body: int, point: Any, *, turning: bool = False) -> None:
        """Hold a body at a point of the world.  As mjv_initPerturb."""
        self.body, self.turning = int(body), turning
        point = np.asarray(point, float)
        mat = np.reshape(data.xmat[body], (3, 3))
        self.localpos = mat.T @ (point - data.xpos[body])
        self.localmass = _local_mass(data, self.body, point)
        self.refselpos = point.copy()
        self.refpos = np.array(data.xipos[body])
        self.refquat = product(data.xquat[body], self.model.body_iquat[body])
        self._refquat0 = self.refquat

    def move(self, point: Any) -> None:
        """Pull towards a point of the world."""
        point = np.asarray(point, float)
        self.refpos = self.refpos + point - self.refselpos
        self.refselpos = point.copy()

    def turn(self, axis: Any, angle: float) -> None:
        """Turn by an angle, since it was grabbed, about an axis of the world."""
        axis = np.asarray(axis, float)
        axis = axis / max(float(np.linalg.norm(axis)), TINY)
        by = np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)])
        self.refquat = product(by, self._refquat0)

    def release(self, data: Data) -> None:
        """Let go: the force ends."""
        if self.active:
            data.xfrc_applied[self.body] = 0.0
        self.body = 0

    def push(self, data: Data) -> None:
        """Put the spring's force into `xfrc_applied`.  As mjv_applyPerturbForce."""
        if not self.active:
            return
        velocity = data.object_velocity("body", self.body)
        weight = float(self.model.body_invweight0[self.body, 1])
        inertia = 1.0 / max(weight, TINY) if weight else 1.0
        if self.turning:
            force, torque = np.zeros(3), self._torque(data, velocity[:3], inertia)
        else:
            force, torque = self._pull(data, velocity, inertia)
        data.xfrc_applied[self.body, :3] = force
        data.xfrc_applied[self.body, 3:] = torque

    def _pull(
        self, data: Data, velocity: np.ndarray, inertia: float
    ) -> tuple[np.ndarray, np.ndarray]:
        turning, moving = velocity[:3], velocity[3:]
        held = self.held(data)
        away = held - self.refselpos
        stiffness = float(self.model.vis.map.stiffness)
        arm = held - data.xipos[self.body]
        speed = np.cross(turning, arm) + moving
        force = -self.localmass * (stiffness * away + math.sqrt(stiffness) * speed)
        length = float(np.linalg.norm(away))
        # what has no direction is MuJoCo's x axis
        way = away / length if length >= TINY else np.array([1.0, 0.0, 0.0])
        damping = math.sqrt(float(self.model.vis.map.stiffnessrot)) * inertia
        return force, np.cross(arm, force) - damping * (way @ turning) * way

    def _torque(self, data: Data, turning: np.ndarray, inertia: float) -> np.ndarray:
        stiffness = float(self.model.vis.map.stiffnessrot)
        now = product(data.xquat[self.body], self.model.body_iquat[self.body])
        by = product(self.refquat, now * [1.0, -1.0, -1.0, -1.0])
        return np.asarray(
            inertia * (stiffness * rotation_vector(by) - math.sqrt(stiffness) * turning)
        )

    def held(self, data: Data) -> np.ndarray:
        """Where the point that is held is now."""
        mat = np.reshape(data.xmat[self.body], (3, 3))
        return np.asarray(mat @ self.localpos + data.xpos[self.body])

    def place(self, data: Data, *, paused: bool) -> bool:
        """Put what moves freely where it should go: mocap bodies, and in a pause floating ones.

        As mjv_applyPerturbPose; whether anything moved.
        """
        if not self.active:
            return False
        model, body = self.model, self.body
        turned = product(self.refquat, np.array(model.body_iquat[body]) * [1.0, -1.0, -1.0, -1.0])
        pos = self.refpos - rotated(turned, np.array(model.body_ipos[body]))
        mocap = int(model.body_mocapid[body])
        if mocap >= 0:
            data.mocap_pos[mocap], data.mocap_quat[mocap] = pos, turned
            return True
        root = int(model.body_rootid[body])
        joint = int(model.body_jntadr[root])
        floats = int(model.body_jntnum[root]) == 1 and model.jnt_type[joint] == JointType.FREE
        if not paused or not floats:
            return False
        first = int(model.jnt_qposadr[joint])
        # the root moves as the body does
        back = np.array(data.xquat[body]) * [1.0, -1.0, -1.0, -1.0]
        at, quat = (
            np.array(data.qpos[first : first + 3]),
            np.array(data.qpos[first + 3 : first + 7]),
        )
        from_body = rotated(back, at - data.xpos[body])
        data.qpos[first : first + 3] = pos + rotated(turned, from_body)
        data.qpos[first + 3 : first + 7] = product(product(turned, back), quat)
        return True


def _local_mass(data: Data, body: int, point: np.ndarray) -> float:
    """The mass of a point of a body that is pushed in all directions, on average."""
    if not data.model.nv:
        return 1.0
    jacobian = data.jac(point, body).jacp
    inverse = float((jacobian * data.solve_M(jacobian)).sum())
    return 1.0 if inverse == 0.0 else 3.0 / max(inverse, TINY)


def product(a: Any, b: Any) -> np.ndarray:
    """Two rotations, the second first."""
    a0, a1, a2, a3 = (float(n) for n in a)
    b0, b1, b2, b3 = (float(n) for n in b)
    return np.array(
        [
            a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
            a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
            a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
            a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
        ]
    )


def rotated(quat: Any, vector: np.ndarray) -> np.ndarray:
    """A vector turned by a rotation."""
    real, axis = float(quat[0]), np.asarray(quat[1:], float)
    across = 2.0 * np.cross(axis, vector)
    return np.asarray(vector + real * across + np.cross(axis, across))


def rotation_vector(quat: np.ndarray) -> np.ndarray:
    """Axis times angle, the short way round."""
    sine = float(np.linalg.norm(quat[1:]))
    if sine < TINY:
        return np.zeros(3)
    angle = 2.0 * math.atan2(sine, float(quat[0]))
    if angle > math.pi:
        angle -= 2.0 * math.pi
    return np.asarray(quat[1:] * (angle / sine))
