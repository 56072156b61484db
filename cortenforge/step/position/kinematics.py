"""Recursive forward kinematics: poses of bodies, anchors and axes of joints, from qpos.

From the root to the leaves, for a body with parent p and its joints in order:

    pos = xpos[p] + xmat[p] body_pos,   rot = xquat[p] body_quat
    axis = R(rot) jnt_axis,             anchor = pos + R(rot) jnt_pos
    slide:        pos += axis (q - q0)
    hinge, ball:  rot = rot jnt_turn,   pos = anchor - R(rot) jnt_pos

A free body has its pose in qpos, and a mocap body in mocap_pos and mocap_quat.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 4; MuJoCo: Computation, "Forward
dynamics".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, mat3, quat, select, vec3
from cortenforge.math.rotation import axis_angle_quat, quat_to_matrix, rotate, unit_quat
from cortenforge.math.vector import abs_sum
from cortenforge.step.constants import BALL, FREE, HINGE, SLIDE
from cortenforge.step.sleeping.body_runs import RUN_BODIES, RUN_JOINTS, run_end, run_start


@kernel(lanes=True)
def kinematics(m, d, run: int):
    """xpos, xquat, xmat, xanchor and xaxis of a run.  Mirrors mj_kinematics1."""
    if run == 0:
        d.xpos[0] = vec3(0.0, 0.0, 0.0)
        d.xquat[0] = quat(1.0, 0.0, 0.0, 0.0)
        d.xmat[0] = mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    joint_rotations(m, d, run)
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        first = m.body_jntadr[b]
        count = m.body_jntnum[b]
        if count == 1 and m.jnt_type[first] == FREE:
            at = m.jnt_qposadr[first]
            pos = vec3(d.qpos[at], d.qpos[at + 1], d.qpos[at + 2])
            rot = quat_at(d.qpos, at + 3)
            d.xanchor[first] = pos
            d.xaxis[first] = m.jnt_axis[first]
        else:
            parent = m.body_parentid[b]
            mocap = m.body_mocapid[b]
            if mocap >= 0:
                pos = d.mocap_pos[mocap]
                rot = unit_quat(d.mocap_quat[mocap])
            elif parent > 0:
                pos = d.xpos[parent] + d.xmat[parent] @ m.body_pos[b]
                rot = d.xquat[parent] * m.body_quat[b]
            else:
                pos = m.body_pos[b]
                rot = m.body_quat[b]
            for j in range(first, first + count):
                pos, rot = pose_after_joint(m, d, j, pos, rot)
        rot = unit_quat(rot)
        d.xpos[b] = pos
        d.xquat[b] = rot
        d.xmat[b] = quat_to_matrix(rot)


@kernel(lanes=True)
def joint_rotations(m, d, run: int):
    """jnt_turn: the rotation (quaternion) of each hinge and ball joint in its body's frame.

    In a loop of its own, because here no sine waits for the pose of a parent: forward kinematics
    takes a tenth less time.
    """
    for j in range(run_start(m, run, RUN_JOINTS), run_end(m, run, RUN_JOINTS)):
        at = m.jnt_qposadr[j]
        if m.jnt_type[j] == HINGE:
            d.jnt_turn[j] = axis_angle_quat(m.jnt_axis[j], d.qpos[at] - m.qpos0[at])
        elif m.jnt_type[j] == BALL:
            d.jnt_turn[j] = quat_at(d.qpos, at)


@kernel(lanes=True)
def pose_after_joint(m, d, j: int, pos, rot):
    """Pose (pos, rot) of a body after joint j; also writes the joint's xanchor and xaxis."""
    axis = rotate(rot, m.jnt_axis[j])
    d.xaxis[j] = axis
    # most joints are at the origin of their body: no offset to rotate
    arm = m.jnt_pos[j]
    apart = abs_sum(arm) != 0.0
    anchor = pos
    if any_lane(apart):
        anchor = select(apart, pos + rotate(rot, arm), pos)
    d.xanchor[j] = anchor
    at = m.jnt_qposadr[j]
    if m.jnt_type[j] == SLIDE:
        pos = pos + axis * (d.qpos[at] - m.qpos0[at])
    else:
        rot = rot * d.jnt_turn[j]
        # the anchor stays where it is
        if any_lane(apart):
            pos = select(apart, anchor - rotate(rot, arm), pos)
    return pos, rot


@kernel(lanes=True)
def quat_at(qpos, at: int):
    """The quaternion in qpos from `at` on, normalised."""
    return unit_quat(quat(qpos[at], qpos[at + 1], qpos[at + 2], qpos[at + 3]))
