"""Coriolis, centrifugal and gravity forces."""

from __future__ import annotations

from cortenforge.kernel import kernel, spatial
from cortenforge.math.spatial import cross_force, momentum_of, pairing
from cortenforge.step.constants import NO_GRAVITY


@kernel(lanes=True)
def bias(m, d):
    """Recursive Newton-Euler without joint acceleration.  Mirrors mj_rne(flg_acc=0)."""
    still = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    d.rne_cacc[0] = still
    if m.opt_disableflags & NO_GRAVITY == 0:
        # gravity is an upward acceleration of the world
        g = m.opt_gravity
        d.rne_cacc[0] = spatial(0.0, 0.0, 0.0, -g.x, -g.y, -g.z)

    # outward: acceleration of each body, then the force that it takes
    for b in range(1, m.nbody):
        acceleration = d.rne_cacc[m.body_parentid[b]]
        first = m.body_dofadr[b]
        for i in range(first, first + m.body_dofnum[b]):
            acceleration = acceleration + d.cdof_dot[i] * d.qvel[i]
        d.rne_cacc[b] = acceleration
        velocity = d.cvel[b]
        momentum = momentum_of(d.cinert[b], velocity)
        d.rne_cfrc[b] = momentum_of(d.cinert[b], acceleration) + cross_force(velocity, momentum)

    # inward: a body passes its force to its parent
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            d.rne_cfrc[parent] = d.rne_cfrc[parent] + d.rne_cfrc[b]

    for i in range(m.nv):
        d.qfrc_bias[i] = pairing(d.cdof[i], d.rne_cfrc[m.dof_bodyid[i]])
