"""Forces on bodies to forces on joints: qfrc += J' f, along the chain of dofs.

qfrc_i += cdof_i . (torque + (point - com) x force, force)     for all dofs i above the body

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2 (forces are dual to motions).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.spatial import spatial_dot, wrench_about


@kernel(lanes=True)
def apply_force(m, d, qfrc, b: int, point, force, torque, active):
    """qfrc += J' (force, torque) at a point of body b.  Mirrors mj_applyFT.

    All in world axes. Lanes where `active` is false do not change, not even the sign of a zero.
    """
    wrench = wrench_on_body(m, d, b, point, force, torque)
    i = last_dof_of_body(m, b)
    while i >= 0:
        qfrc[i] = select(active, qfrc[i] + spatial_dot(d.cdof[i], wrench), qfrc[i])
        i = m.dof_parentid[i]


@kernel(lanes=True)
def wrench_on_body(m, d, b: int, point, force, torque):
    """Force and torque at a point of a body as a spatial force about its tree's com."""
    return wrench_about(force, torque, point - d.subtree_com[m.body_rootid[b]])


@kernel(lanes=True)
def last_dof_of_body(m, b: int):
    """Last dof that moves a body, or -1; dof_parentid leads from it to all others."""
    moving = m.body_weldid[b]
    last = -1
    if m.body_dofnum[moving] > 0:
        last = m.body_dofadr[moving] + m.body_dofnum[moving] - 1
    return last
