"""Spatial velocities of bodies (cvel) and time derivatives of motion axes (cdof_dot).

    v_b = v_parent + sum over b's dofs of cdof qvel
    cdof_dot = v x cdof             (v: velocity in front of the joint; dofs of a ball share one)

About the com of each tree, in world axes, angular part first.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2 and 5.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, spatial
from cortenforge.math.spatial import cross_motion
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.sleeping.body_runs import RUN_BODIES, run_end, run_start


@kernel(lanes=True)
def com_velocity(m, d, run: int):
    """cvel of each body of a run and cdof_dot of its dofs.  Mirrors mj_comVel."""
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if run == 0:
        d.cvel[0] = still
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        velocity = d.cvel[m.body_parentid[b]]
        first = m.body_jntadr[b]
        for j in range(first, first + m.body_jntnum[b]):
            dof = m.jnt_dofadr[j]
            kind = m.jnt_type[j]
            if kind == FREE:
                d.cdof_dot[dof] = still
                d.cdof_dot[dof + 1] = still
                d.cdof_dot[dof + 2] = still
                velocity = velocity + spatial(
                    0.0, 0.0, 0.0, d.qvel[dof], d.qvel[dof + 1], d.qvel[dof + 2]
                )
                velocity = add_ball_velocity(d, dof + 3, velocity)
            elif kind == BALL:
                velocity = add_ball_velocity(d, dof, velocity)
            else:
                d.cdof_dot[dof] = cross_motion(velocity, d.cdof[dof])
                velocity = velocity + d.cdof[dof] * d.qvel[dof]
        d.cvel[b] = velocity


@kernel(lanes=True)
def add_ball_velocity(d, dof: int, velocity):
    """Velocity behind three rotations that share one parent velocity; writes their cdof_dot."""
    for k in range(dof, dof + 3):
        d.cdof_dot[k] = cross_motion(velocity, d.cdof[k])
    return (
        velocity
        + d.cdof[dof] * d.qvel[dof]
        + d.cdof[dof + 1] * d.qvel[dof + 1]
        + d.cdof[dof + 2] * d.qvel[dof + 2]
    )
