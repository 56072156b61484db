"""Free bodies without moving descendants: their gyroscopic forces are integrated implicitly.

    J dw/dt + w x J w = torque,   (M - h D + h dbias/dv) a = f   of six dofs by themselves

Source: MuJoCo: Computation, "Numerical integration", "Gyroscopic derivatives for free bodies".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import FREE


@kernel(lanes=True)
def is_free_body(m, b: int):
    """Whether a body has a free joint and its tree no other dofs.  Mirrors mj_isFreeBody."""
    free = False
    if m.body_jntnum[b] == 1:
        tree = m.dof_treeid[m.body_dofadr[b]]
        free = m.jnt_type[m.body_jntadr[b]] == FREE and m.tree_dofnum[tree] == 6
    return free
