"""Joint positions on their manifold: qpos (+) h qvel, and velocity between positions.

    slide, hinge, free (position):   q+ = q + h v
    ball, free (rotation):           q+ = q exp(h w / 2),  w in body axes

Source: MuJoCo: Computation, "Numerical integration"; J. Sola et al., A micro Lie theory for state
estimation in robotics, 2018.
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import integrate_quat, subtract_quats
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.position.kinematics import quat_at


@kernel(lanes=True)
def integrate_pos(m, qpos, qvel, time):
    """qpos <- qpos (+) time qvel, in place.  Mirrors mj_integratePos."""
    integrate_joints(m, qpos, qvel, time, 0, m.njnt)


@kernel(lanes=True)
def integrate_joints(m, qpos, qvel, time, first: int, end: int):
    """The same for joints first .. end - 1."""
    for j in range(first, end):
        at = m.jnt_qposadr[j]
        dof = m.jnt_dofadr[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qpos[at + k] += time * qvel[dof + k]
            integrate_stored_quat(qpos, at + 3, qvel, dof + 3, time)
        elif kind == BALL:
            integrate_stored_quat(qpos, at, qvel, dof, time)
        else:
            qpos[at] += time * qvel[dof]


@kernel(lanes=True, unit=True)
def integrate_qpos(m, d):
    """qpos <- qpos (+) d.time qvel; used by `Model.integrate_pos`."""
    integrate_pos(m, d.qpos, d.qvel, d.time)


@kernel(lanes=True, unit=True)
def differentiate_qpos(m, d):
    """qvel = (qpos (-) rk4_qpos) / d.time; used by `Model.differentiate_pos`."""
    differentiate_pos(m, d.qvel, d.time, d.rk4_qpos, d.qpos)


@kernel(lanes=True)
def integrate_stored_quat(qpos, at: int, qvel, dof: int, time):
    """q <- q exp(time w / 2), a stored quaternion, w in body axes.  Mirrors mju_quatIntegrate."""
    velocity = vec3(qvel[dof], qvel[dof + 1], qvel[dof + 2])
    q = integrate_quat(quat_at(qpos, at), velocity, time)
    qpos[at] = q.w
    qpos[at + 1] = q.x
    qpos[at + 2] = q.y
    qpos[at + 3] = q.z


@kernel(lanes=True)
def differentiate_pos(m, qvel, time, qpos1, qpos2):
    """qvel = (qpos2 (-) qpos1) / time.  Mirrors mj_differentiatePos."""
    for j in range(m.njnt):
        at = m.jnt_qposadr[j]
        dof = m.jnt_dofadr[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qvel[dof + k] = (qpos2[at + k] - qpos1[at + k]) / time
            differentiate_stored_quat(qvel, dof + 3, time, qpos1, qpos2, at + 3)
        elif kind == BALL:
            differentiate_stored_quat(qvel, dof, time, qpos1, qpos2, at)
        else:
            qvel[dof] = (qpos2[at] - qpos1[at]) / time


@kernel(lanes=True)
def differentiate_stored_quat(qvel, dof: int, time, qpos1, qpos2, at: int):
    """Angular velocity, in body axes, from one stored quaternion to another."""
    turn = subtract_quats(quat_at(qpos2, at), quat_at(qpos1, at))
    qvel[dof] = turn.x / time
    qvel[dof + 1] = turn.y / time
    qvel[dof + 2] = turn.z / time
