"""Poses of cameras and lights by their tracking mode.

    fixed       pos = xpos + xmat cam_pos,    mat = xmat R(cam_quat)
    track       pos = xpos + cam_pos0,        mat = cam_mat0
    trackcom    pos = subtree_com + cam_poscom0
    targetbody, targetbodycom: pos as fixed, the -z axis points at the target's origin or com

Source: MuJoCo: XML reference, body/camera, attribute "mode".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.rotation import quat_to_matrix, rotate
from cortenforge.math.vector import cross, unit
from cortenforge.step.constants import FIXED, TARGETBODY, TRACK, TRACKCOM, WITH_SLEEP


@kernel(lanes=True, unit=True)
def camera_frames(m, d):
    """cam_xpos and cam_xmat of each camera, by its mode.  Mirrors mj_camlight."""
    for c in range(m.ncam):
        b = m.cam_bodyid[c]
        mode = m.cam_mode[c]
        target = m.cam_targetbodyid[c]
        pos = d.xpos[b] + d.xmat[b] @ m.cam_pos[c]
        mat = quat_to_matrix(d.xquat[b] * m.cam_quat[c])
        if mode == TRACK:
            pos = d.xpos[b] + m.cam_pos0[c]
            mat = m.cam_mat0[c]
        elif mode == TRACKCOM:
            if not follows_nothing(m, b):
                pos = d.subtree_com[b] + m.cam_poscom0[c]
            mat = m.cam_mat0[c]
        elif mode != FIXED and target >= 0:
            point = target_point(d, mode, target)
            if mode != TARGETBODY and target == b and follows_nothing(m, b):
                point = d.xpos[b] + m.cam_pos0[c] - m.cam_poscom0[c]
            mat = look_at_axes(pos, point)
        d.cam_xpos[c] = pos
        d.cam_xmat[c] = mat


@kernel(lanes=True, unit=True)
def light_frames(m, d):
    """light_xpos and light_xdir of each light, by its mode.  Mirrors mj_camlight."""
    for i in range(m.nlight):
        b = m.light_bodyid[i]
        mode = m.light_mode[i]
        target = m.light_targetbodyid[i]
        pos = d.xpos[b] + d.xmat[b] @ m.light_pos[i]
        direction = rotate(d.xquat[b], m.light_dir[i])
        if mode == TRACK:
            pos = d.xpos[b] + m.light_pos0[i]
            direction = m.light_dir0[i]
        elif mode == TRACKCOM:
            if not follows_nothing(m, b):
                pos = d.subtree_com[b] + m.light_poscom0[i]
            direction = m.light_dir0[i]
        elif mode != FIXED and target >= 0:
            point = target_point(d, mode, target)
            if mode != TARGETBODY and target == b and follows_nothing(m, b):
                point = d.xpos[b] + m.light_pos0[i] - m.light_poscom0[i]
            direction = point - pos
        d.light_xpos[i] = pos
        d.light_xdir[i] = unit(direction)


@kernel(lanes=True)
def follows_nothing(m, body: int):
    """Whether trackers of a body keep their pose: a static body, with sleep enabled.

    A static body never wakes, so what is attached to it does not follow bodies that move.
    Mirrors mj_camlight.
    """
    fixed = m.body_treeid[body] < 0 and m.body_mocapid[m.body_rootid[body]] < 0
    return fixed and m.opt_enableflags & WITH_SLEEP != 0


@kernel(lanes=True)
def target_point(d, mode: int, target: int):
    """The point that a camera or light aims at: a body's origin, or the com of its subtree."""
    if mode == TARGETBODY:
        return d.xpos[target]
    return d.subtree_com[target]


@kernel(lanes=True)
def look_at_axes(eye, point):
    """Rotation matrix of a camera at `eye` that aims at `point`: -z towards it, x horizontal."""
    z = unit(eye - point)
    x = unit(cross(vec3(0.0, 0.0, 1.0), z))
    y = unit(cross(z, x))
    return mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
