"""MuJoCo's `discrete`: constraints are solved in the metric of the step, so that the acceleration
they give is the change of velocity over it, (v+ - v) / h, and there is nothing left to solve."""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.ldl import CLAMPED
from cortenforge.step.integrate.advance import advance
from cortenforge.step.integrate.metric import has_terms
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def discrete(m, d):
    """One step, with the acceleration that forward dynamics has found."""
    some = has_terms(m, d)
    for i in range(m.nv):
        fail(d, not d.qHDiagInv[i] < CLAMPED, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
        d.step_qacc[i] = d.qacc[i]
        d.qHDiagInv[i] = select(some, d.qHDiagInv[i], 0.0)
    for k in range(m.nC):
        d.qH[k] = select(some, d.qH[k], 0.0)
    advance(m, d)
