"""Positions move along velocities; quaternions stay on their sphere."""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import turn_between, turned
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.position.kinematics import quat_at


@kernel(lanes=True)
def integrate_pos(m, qpos, qvel, time):
    """Move positions along velocities for a time, in place.  Mirrors mj_integratePos."""
    integrate_joints(m, qpos, qvel, time, 0, m.njnt)


@kernel(lanes=True)
def integrate_joints(m, qpos, qvel, time, first: int, end: int):
    """The same for some joints that follow each other."""
    for j in range(first, end):
        at = m.jnt_qposadr[j]
        dof = m.jnt_dofadr[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qpos[at + k] += time * qvel[dof + k]
            turn_quat(qpos, at + 3, qvel, dof + 3, time)
        elif kind == BALL:
            turn_quat(qpos, at, qvel, dof, time)
        else:
            qpos[at] += time * qvel[dof]


@kernel(lanes=True, unit=True)
def move(m, d):
    """Move qpos along qvel for a time given as d.time; used by `Model.integrate_pos`."""
    integrate_pos(m, d.qpos, d.qvel, d.time)


@kernel(lanes=True, unit=True)
def difference(m, d):
    """qvel becomes what takes rk4_qpos to qpos in d.time; used by `Model.differentiate_pos`."""
    differentiate_pos(m, d.qvel, d.time, d.rk4_qpos, d.qpos)


@kernel(lanes=True)
def turn_quat(qpos, at: int, qvel, dof: int, time):
    """Turn a stored quaternion."""
    velocity = vec3(qvel[dof], qvel[dof + 1], qvel[dof + 2])
    q = turned(quat_at(qpos, at), velocity, time)
    qpos[at] = q.w
    qpos[at + 1] = q.x
    qpos[at + 2] = q.y
    qpos[at + 3] = q.z


@kernel(lanes=True)
def differentiate_pos(m, qvel, time, qpos1, qpos2):
    """Velocity that takes qpos1 to qpos2 in a time.  Mirrors mj_differentiatePos."""
    for j in range(m.njnt):
        at = m.jnt_qposadr[j]
        dof = m.jnt_dofadr[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qvel[dof + k] = (qpos2[at + k] - qpos1[at + k]) / time
            turn_velocity(qvel, dof + 3, time, qpos1, qpos2, at + 3)
        elif kind == BALL:
            turn_velocity(qvel, dof, time, qpos1, qpos2, at)
        else:
            qvel[dof] = (qpos2[at] - qpos1[at]) / time


@kernel(lanes=True)
def turn_velocity(qvel, dof: int, time, qpos1, qpos2, at: int):
    """Angular velocity between two stored quaternions."""
    turn = turn_between(quat_at(qpos2, at), quat_at(qpos1, at))
    qvel[dof] = turn.x / time
    qvel[dof + 1] = turn.y / time
    qvel[dof + 2] = turn.z / time
