"""Forces on bodies become forces on joints."""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.spatial import pairing, wrench_about


@kernel(lanes=True)
def push(m, d, qfrc, b: int, point, force, torque, felt):
    """Add the joint forces of a force and torque on a body at a point.  Mirrors mj_applyFT.

    In worlds where it is not felt nothing changes, not even the sign of a zero.
    """
    wrench = wrench_about(force, torque, point - d.subtree_com[m.body_rootid[b]])
    i = last_dof(m, b)
    while i >= 0:
        qfrc[i] = select(felt, qfrc[i] + pairing(d.cdof[i], wrench), qfrc[i])
        i = m.dof_parentid[i]


@kernel(lanes=True)
def last_dof(m, b: int):
    """The last of the dofs that move a body, from which dof_parentid leads to all others; or -1."""
    moving = m.body_weldid[b]
    last = -1
    if m.body_dofnum[moving] > 0:
        last = m.body_dofadr[moving] + m.body_dofnum[moving] - 1
    return last
