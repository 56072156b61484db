"""Linear velocity and angular momentum of each subtree, about its centre of mass.

p = sum m_b v_b,   L = sum over bodies of I_b w_b + (c_b - com) x m_b (v_b - v_com)

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2; MuJoCo: XML reference,
sensor/subtreeangmom.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, cross, into_frame, scaled_by
from cortenforge.step.position.objects import motion_at_point


@kernel(lanes=True, unit=True)
def subtree_momentum(m, d):
    """subtree_linvel and subtree_angmom.  Mirrors mj_subtreeVel."""
    body_velocities(m, d)
    subtree_velocities(m, d)
    subtree_angular_momenta(m, d)


@kernel(lanes=True)
def body_velocities(m, d):
    """Velocity of each body at its centre of mass, and angular momentum about it."""
    for b in range(m.nbody):
        v = d.cvel[b]
        d.body_xvel[b] = motion_at_point(m, d, b, d.xipos[b], v)
        spin = scaled_by(into_frame(d.ximat[b], angular(v)), m.body_inertia[b])
        d.subtree_angmom[b] = d.ximat[b] @ spin


@kernel(lanes=True)
def subtree_velocities(m, d):
    """Velocity of each subtree's centre: momenta of its bodies over their mass."""
    for b in range(m.nbody):
        d.subtree_linvel[b] = linear(d.body_xvel[b]) * m.body_mass[b]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        d.subtree_linvel[parent] = d.subtree_linvel[parent] + d.subtree_linvel[b]
    for b in range(m.nbody):
        mass = m.body_subtreemass[b]
        d.subtree_linvel[b] = d.subtree_linvel[b] * (1.0 / max(MINVAL, mass))


@kernel(lanes=True)
def subtree_angular_momenta(m, d):
    """subtree_angmom, from leaves to root, each about its own subtree's com."""
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        relative = linear(d.body_xvel[b]) - d.subtree_linvel[b]
        arm = d.xipos[b] - d.subtree_com[b]
        own = d.subtree_angmom[b] + cross(arm, relative * m.body_mass[b])
        d.subtree_angmom[b] = own
        relative = d.subtree_linvel[b] - d.subtree_linvel[parent]
        arm = d.subtree_com[b] - d.subtree_com[parent]
        d.subtree_angmom[parent] = (
            d.subtree_angmom[parent] + own + cross(arm, relative * m.body_subtreemass[b])
        )
