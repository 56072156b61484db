"""qDeriv: partial derivative of smooth forces by velocity, for implicit integrators.

    implicit:      (M - h qDeriv) a = qfrc_smooth + qfrc_constraint
    implicitfast:  the same without the bias force's part, symmetric

Source: MuJoCo: Computation, "Numerical integration"; docs/integrators.md.
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import NO_ACTUATION
from cortenforge.step.derivative.actuator_dvel import add_actuator_dvel
from cortenforge.step.derivative.passive_dvel import add_passive_dvel
from cortenforge.step.derivative.rne_dvel import subtract_bias_dvel


@kernel(lanes=True, unit=True)
def smooth_force_dvel(m, d, biased: int):
    """qDeriv of actuator and passive forces, and if `biased` of bias forces.

    Mirrors mjd_smooth_vel.
    """
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    if m.nactuator > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        add_actuator_dvel(m, d)
    add_passive_dvel(m, d, biased)
    if biased != 0:
        subtract_bias_dvel(m, d)
