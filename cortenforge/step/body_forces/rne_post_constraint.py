"""Body accelerations and interaction forces with parents (recursive Newton-Euler).

    cacc_b     = cacc_parent + sum cdof_dot_i qvel_i + sum cdof_i qacc_i,   cacc_0 = -gravity
    cfrc_int_b = I_b cacc_b + cvel_b x* (I_b cvel_b) - cfrc_ext_b + sum over children of cfrc_int

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, spatial, vec3
from cortenforge.math.spatial import angular, cross_force, inertia_times_motion, linear
from cortenforge.step.apply_force import wrench_on_body
from cortenforge.step.body_forces.constraint_wrenches import (
    add_contact_wrenches,
    add_equality_wrenches,
)
from cortenforge.step.body_forces.external_wrench import add_external_wrench
from cortenforge.step.body_forces.tendon_wrenches import add_tendon_wrenches
from cortenforge.step.constraint.kinds import HAS_CONTACTS, HAS_EQUALITIES
from cortenforge.step.velocity.rne import set_world_acceleration


@kernel(lanes=True, unit=True)
def interaction_forces(m, d):
    """cacc, cfrc_ext and cfrc_int: body accelerations, external and joint forces.

    Mirrors mj_rnePostConstraint.
    """
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    d.cfrc_ext[0] = still
    d.cfrc_int[0] = still
    set_world_acceleration(m, d.cacc)
    for b in range(1, m.nbody):
        d.cfrc_ext[b] = applied_wrench(m, d, b)
    if m.constraining & HAS_CONTACTS != 0:
        add_contact_wrenches(m, d)
    if m.constraining & HAS_EQUALITIES != 0:
        add_equality_wrenches(m, d)
    if m.ntendon > 0:
        add_tendon_wrenches(m, d)
    if m.nsoft > 0:
        add_deformable_wrenches(m, d)

    # outward: acceleration of each body, then the force that its joint has to transmit
    for b in range(1, m.nbody):
        acceleration = d.cacc[m.body_parentid[b]]
        first = m.body_dofadr[b]
        for i in range(first, first + m.body_dofnum[b]):
            acceleration = acceleration + d.cdof_dot[i] * d.qvel[i]
        for i in range(first, first + m.body_dofnum[b]):
            acceleration = acceleration + d.cdof[i] * d.qacc[i]
        d.cacc[b] = acceleration
        velocity = d.cvel[b]
        momentum = inertia_times_motion(d.cinert[b], velocity)
        needed = inertia_times_motion(d.cinert[b], acceleration) + cross_force(velocity, momentum)
        d.cfrc_int[b] = needed - d.cfrc_ext[b]

    # inward: a joint transmits the forces of the whole subtree
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        d.cfrc_int[parent] = d.cfrc_int[parent] + d.cfrc_int[b]


@kernel(lanes=True)
def add_deformable_wrenches(m, d):
    """Add forces of deformables to cfrc_ext."""
    for b in range(1, m.nbody):
        wrench = d.soft_wrench[b]
        add_external_wrench(m, d, b, d.xipos[b], linear(wrench), angular(wrench), True)


@kernel(lanes=True)
def applied_wrench(m, d, b: int):
    """xfrc_applied of a body as a spatial force about its tree's com."""
    force = vec3(d.xfrc_applied[b, 0], d.xfrc_applied[b, 1], d.xfrc_applied[b, 2])
    torque = vec3(d.xfrc_applied[b, 3], d.xfrc_applied[b, 4], d.xfrc_applied[b, 5])
    return wrench_on_body(m, d, b, d.xipos[b], force, torque)
