"""The integrator `discrete`: the solver's acceleration is the step's change of velocity.

    v+ = v + h qacc,   q+ = q (+) h v+,   with qacc solved in the metric M + hD + h^2 K

Source: MuJoCo: Computation, "Numerical integration", "Integrators".
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.ldl import CLAMPED_INVERSE
from cortenforge.step.integrate.advance import advance_state
from cortenforge.step.metric.metric import has_metric_terms
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def discrete(m, d):
    """One step with the acceleration of forward dynamics; fails if Mhat is not positive."""
    some = has_metric_terms(m, d)
    for i in range(m.nv):
        fail(d, not d.qHDiagInv[i] < CLAMPED_INVERSE, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
        d.step_qacc[i] = d.qacc[i]
        d.qHDiagInv[i] = select(some, d.qHDiagInv[i], 0.0)
    for k in range(m.nC):
        d.qH[k] = select(some, d.qH[k], 0.0)
    advance_state(m, d)
