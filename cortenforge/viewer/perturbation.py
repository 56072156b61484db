"""Mouse perturbation of a body: a spring-damper from the selected point to the mouse.

With the held point p, its target p*, its velocity v, the body's angular velocity w, k the stiffness
`vis.map.stiffness` and kr = `vis.map.stiffnessrot`:

    translate   force  = -m (k (p - p*) + sqrt(k) v),    m = 3 / trace(J M^-1 J^T)
                torque = (p - xipos) x force - sqrt(kr) I (e.w) e,   e = (p - p*) / |p - p*|
    rotate      torque = I (kr log(q* q^-1) - sqrt(kr) w)

where J is the translational Jacobian of p, I = 1 / body_invweight0[1], and log the rotation vector.
Source: MuJoCo: Programming, "Visualization", section "Perturbations".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import JointType
from cortenforge.quaternions import (
    conjugate_quats,
    quat_products,
    rotate_vectors,
    rotation_vectors,
)
from cortenforge.scene.perturbations import point_of_body

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: lengths, inertias and sines below this count as zero
MIN_VALUE = 1e-15


class Perturbation:
    """The perturbed body, the selected point, and its target, as mjvPerturb.

    body:      the perturbed body, 0 for none.
    turning:   rotation rather than translation.
    localpos:  the selected point, in the body's frame.
    localmass: effective mass at the selected point, averaged over directions.
    refselpos, refpos, refquat: targets of the selected point, and of the body's inertial frame.
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
        """Whether a body is perturbed."""
        return self.body > 0

    def grab(self, data: Data, body: int, point: Any, *, turning: bool = False) -> None:
        """Select a body at a point of the world.  Mirrors mjv_initPerturb."""
        self.body, self.turning = int(body), turning
        point = np.asarray(point, float)
        mat = np.reshape(data.xmat[body], (3, 3))
        self.localpos = mat.T @ (point - data.xpos[body])
        self.localmass = _local_mass(data, self.body, point)
        self.refselpos = point.copy()
        self.refpos = np.array(data.xipos[body])
        self.refquat = quat_products(data.xquat[body], self.model.body_iquat[body])
        self._refquat0 = self.refquat

    def move_target(self, point: Any) -> None:
        """Set the target to a point of the world."""
        point = np.asarray(point, float)
        self.refpos = self.refpos + point - self.refselpos
        self.refselpos = point.copy()

    def rotate_target(self, axis: Any, angle: float) -> None:
        """Rotate the target from its initial orientation, about an axis of the world."""
        axis = np.asarray(axis, float)
        axis = axis / max(float(np.linalg.norm(axis)), MIN_VALUE)
        by = np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)])
        self.refquat = quat_products(by, self._refquat0)

    def release(self, data: Data) -> None:
        """End the perturbation, and clear its force."""
        if self.active:
            data.xfrc_applied[self.body] = 0.0
        self.body = 0

    def apply_force(self, data: Data) -> None:
        """Write the spring's force to `xfrc_applied`.  Mirrors mjv_applyPerturbForce."""
        if not self.active:
            return
        velocity = data.object_velocity("body", self.body)
        weight = float(self.model.body_invweight0[self.body, 1])
        inertia = 1.0 / max(weight, MIN_VALUE) if weight else 1.0
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
        held = self.selected_position(data)
        away = held - self.refselpos
        stiffness = float(self.model.vis.map.stiffness)
        arm = held - data.xipos[self.body]
        speed = np.cross(turning, arm) + moving
        force = -self.localmass * (stiffness * away + math.sqrt(stiffness) * speed)
        length = float(np.linalg.norm(away))
        # without a direction, the x axis, as in MuJoCo
        way = away / length if length >= MIN_VALUE else np.array([1.0, 0.0, 0.0])
        damping = math.sqrt(float(self.model.vis.map.stiffnessrot)) * inertia
        return force, np.cross(arm, force) - damping * (way @ turning) * way

    def _torque(self, data: Data, turning: np.ndarray, inertia: float) -> np.ndarray:
        stiffness = float(self.model.vis.map.stiffnessrot)
        now = quat_products(data.xquat[self.body], self.model.body_iquat[self.body])
        by = quat_products(self.refquat, conjugate_quats(now))
        return np.asarray(
            inertia * (stiffness * rotation_vectors(by) - math.sqrt(stiffness) * turning)
        )

    def selected_position(self, data: Data) -> np.ndarray:
        """Position of the selected point in the world."""
        return point_of_body(data, self.body, self.localpos)

    def apply_pose(self, data: Data, *, paused: bool) -> bool:
        """Set the pose of mocap bodies, and, when paused, of floating ones, to the target.

        Returns whether anything moved.  Mirrors mjv_applyPerturbPose.
        """
        if not self.active:
            return False
        model, body = self.model, self.body
        turned = quat_products(self.refquat, conjugate_quats(model.body_iquat[body]))
        pos = self.refpos - rotate_vectors(turned, np.array(model.body_ipos[body]))
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
        # the root moves rigidly with the body
        back = conjugate_quats(data.xquat[body])
        at, quat = (
            np.array(data.qpos[first : first + 3]),
            np.array(data.qpos[first + 3 : first + 7]),
        )
        from_body = rotate_vectors(back, at - data.xpos[body])
        data.qpos[first : first + 3] = pos + rotate_vectors(turned, from_body)
        data.qpos[first + 3 : first + 7] = quat_products(quat_products(turned, back), quat)
        return True


def _local_mass(data: Data, body: int, point: np.ndarray) -> float:
    """Effective mass of a body's point, averaged over directions: 3 / trace(J M^-1 J^T)."""
    if not data.model.nv:
        return 1.0
    jacobian = data.jac(point, body).jacp
    inverse = float((jacobian * data.solve_M(jacobian)).sum())
    return 1.0 if inverse == 0.0 else 3.0 / max(inverse, MIN_VALUE)
