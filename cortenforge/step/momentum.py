"""Linear velocity and angular momentum of each subtree."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, linear, spatial_of
from cortenforge.math.vector import MINVAL, cross, into_frame, scaled_by


@kernel(lanes=True, unit=True)
def subtree_momentum(m, d):
    """Velocity and angular momentum about each subtree's centre.  Mirrors mj_subtreeVel."""
    for b in range(m.nbody):
        v = d.cvel[b]
        offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
        moving = linear(v) + cross(angular(v), offset)
        d.body_xvel[b] = spatial_of(angular(v), moving)
        d.subtree_linvel[b] = moving * m.body_mass[b]
        spin = scaled_by(into_frame(d.ximat[b], angular(v)), m.body_inertia[b])
        d.subtree_angmom[b] = d.ximat[b] @ spin

    # momentum of each subtree, then its velocity
    for b in range(m.nbody - 1, -1, -1):
        if b > 0:
            parent = m.body_parentid[b]
            d.subtree_linvel[parent] = d.subtree_linvel[parent] + d.subtree_linvel[b]
        d.subtree_linvel[b] = d.subtree_linvel[b] * (1.0 / max(MINVAL, m.body_subtreemass[b]))

    # angular momentum: of the body about its subtree's centre, of the subtree about its parent's
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
