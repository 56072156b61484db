"""Free bodies on which nothing moves: their gyroscopic forces are integrated implicitly."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import FREE


@kernel(lanes=True)
def is_alone(m, b: int):
    """Whether a body is free, and nothing that moves hangs on it.  Mirrors mj_isFreeBody."""
    free = False
    if m.body_jntnum[b] == 1:
        tree = m.dof_treeid[m.body_dofadr[b]]
        free = m.jnt_type[m.body_jntadr[b]] == FREE and m.tree_dofnum[tree] == 6
    return free
