"""Bias force (Coriolis, centrifugal, gravity) by the recursive Newton-Euler algorithm (RNE).

With zero joint acceleration, spatial vectors about the com of the tree, parent p of body b:

    a_world = -gravity
    a_b = a_p + sum over b's dofs of cdof_dot qvel            (outward pass, rne_cacc)
    f_b = I_b a_b + v_b x* (I_b v_b)                          (I: cinert, v: cvel)
    f_p += f_b                                                (inward pass, rne_cfrc)
    qfrc_bias[i] = cdof[i] . f_(body of i)

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 5.
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, spatial
from cortenforge.math.spatial import cross_force, inertia_times_motion, spatial_dot
from cortenforge.step.constants import NO_GRAVITY
from cortenforge.step.sleeping.body_runs import RUN_BODIES, RUN_DOFS, run_end, run_start


@kernel(lanes=True)
def rne(m, d, run: int):
    """qfrc_bias of a run: RNE without joint acceleration.  Mirrors mj_rne."""
    inertial_forces(m, d, run, 0, d.qfrc_bias)


@kernel(lanes=True)
def inertial_forces(m, d, run: int, accelerated: int, qfrc):
    """qfrc of a run: force that its motion needs, with qacc if `accelerated`.  Mirrors mj_rne."""
    if run == 0:
        set_world_acceleration(m, d.rne_cacc)
    first, end = run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)

    # outward pass: acceleration of each body, then its inertial force
    for b in range(first, end):
        acceleration = d.rne_cacc[m.body_parentid[b]]
        start = m.body_dofadr[b]
        for i in range(start, start + m.body_dofnum[b]):
            acceleration = acceleration + d.cdof_dot[i] * d.qvel[i]
        if accelerated != 0:
            for i in range(start, start + m.body_dofnum[b]):
                acceleration = acceleration + d.cdof[i] * d.qacc[i]
        d.rne_cacc[b] = acceleration
        velocity = d.cvel[b]
        momentum = inertia_times_motion(d.cinert[b], velocity)
        d.rne_cfrc[b] = inertia_times_motion(d.cinert[b], acceleration) + cross_force(
            velocity, momentum
        )

    # inward pass: accumulate forces at parents
    for b in range(end - 1, first - 1, -1):
        parent = m.body_parentid[b]
        if parent >= first:
            d.rne_cfrc[parent] = d.rne_cfrc[parent] + d.rne_cfrc[b]

    for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
        qfrc[i] = spatial_dot(d.cdof[i], d.rne_cfrc[m.dof_bodyid[i]])


@kernel(lanes=True)
def set_world_acceleration(m, cacc):
    """Acceleration of the world that stands for gravity: -gravity, upwards; cacc: of bodies."""
    cacc[0] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if m.opt_disableflags & NO_GRAVITY == 0:
        g = m.opt_gravity
        cacc[0] = spatial(0.0, 0.0, 0.0, -g.x, -g.y, -g.z)
