"""World poses of frames fixed in bodies: inertial frames, geoms, sites.

    pos_world = xpos + xmat pos_local        quat_world = xquat quat_local

Where a frame coincides with its body's frame or inertial frame (sameframe), it is copied.
Source: MuJoCo: Modeling, "Coordinate frames".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, mat3, quat, vec3
from cortenforge.math.rotation import quat_to_matrix
from cortenforge.step.constants import SAME_BODY, SAME_BODYROT, SAME_INERTIA, SAME_INERTIAROT
from cortenforge.step.sleeping.body_runs import (
    RUN_BODIES,
    RUN_GEOMS,
    RUN_MOVING,
    RUN_SITES,
    run_end,
    run_start,
)
from cortenforge.step.status import is_ok


@kernel(lanes=True)
def inertial_frames(m, d, run: int):
    """xipos, xiquat and ximat of the bodies of a run.  Mirrors mj_kinematics2."""
    if run == 0:
        d.xipos[0] = vec3(0.0, 0.0, 0.0)
        d.xiquat[0] = quat(1.0, 0.0, 0.0, 0.0)
        d.ximat[0] = mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        same = m.body_sameframe[b]
        if same == SAME_BODY:
            d.xipos[b] = d.xpos[b]
            d.xiquat[b] = d.xquat[b]
            d.ximat[b] = d.xmat[b]
        else:
            d.xipos[b] = d.xpos[b] + d.xmat[b] @ m.body_ipos[b]
            if same == SAME_BODYROT:
                d.xiquat[b] = d.xquat[b]
                d.ximat[b] = d.xmat[b]
            else:
                rot = d.xquat[b] * m.body_iquat[b]
                d.xiquat[b] = rot
                d.ximat[b] = quat_to_matrix(rot)


@kernel(lanes=True)
def attached_frame(m, d, b: int, same: int, pos_local, quat_local):
    """World pose (position, quaternion, matrix) of a frame fixed in body b.

    pos_local, quat_local: the frame in the body. same: how it coincides with the body's frames.

    Mirrors mj_local2Global.
    """
    if same == SAME_BODY:
        return d.xpos[b], d.xquat[b], d.xmat[b]
    if same == SAME_INERTIA:
        return d.xipos[b], d.xiquat[b], d.ximat[b]
    pos_world = d.xpos[b] + d.xmat[b] @ pos_local
    if same == SAME_BODYROT:
        return pos_world, d.xquat[b], d.xmat[b]
    if same == SAME_INERTIAROT:
        return pos_world, d.xiquat[b], d.ximat[b]
    quat_world = d.xquat[b] * quat_local
    return pos_world, quat_world, quat_to_matrix(quat_world)


@kernel(lanes=True)
def static_geoms_may_differ(m, d):
    """Whether static geoms may have moved since their bounding tree was fitted."""
    return d.settled != m.static_version and is_ok(d)


@kernel(lanes=True)
def geom_frames(m, d, run: int):
    """World poses of the geoms of a run; static geoms only if they may have moved.

    Mirrors mj_kinematics2.
    """
    if m.nstatic > 0 and not any_lane(static_geoms_may_differ(m, d)):
        for k in range(run_start(m, run, RUN_MOVING), run_end(m, run, RUN_MOVING)):
            geom_frame(m, d, m.moving_geom[k])
    else:
        for g in range(run_start(m, run, RUN_GEOMS), run_end(m, run, RUN_GEOMS)):
            geom_frame(m, d, g)


@kernel(lanes=True)
def geom_frame(m, d, g: int):
    """World pose of a geom."""
    pos, rot, mat = attached_frame(
        m, d, m.geom_bodyid[g], m.geom_sameframe[g], m.geom_pos[g], m.geom_quat[g]
    )
    d.geom_xpos[g] = pos
    d.geom_xquat[g] = rot
    d.geom_xmat[g] = mat


@kernel(lanes=True)
def site_frames(m, d, run: int):
    """World poses of the sites of a run.  Mirrors mj_kinematics2."""
    for s in range(run_start(m, run, RUN_SITES), run_end(m, run, RUN_SITES)):
        pos, rot, mat = attached_frame(
            m, d, m.site_bodyid[s], m.site_sameframe[s], m.site_pos[s], m.site_quat[s]
        )
        d.site_xpos[s] = pos
        d.site_xquat[s] = rot
        d.site_xmat[s] = mat
