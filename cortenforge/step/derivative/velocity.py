"""qDeriv: the derivative of smooth forces with respect to velocities."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import NO_ACTUATION
from cortenforge.step.derivative.actuators import actuator_velocity_slopes
from cortenforge.step.derivative.bias import bias_velocity
from cortenforge.step.derivative.passive import passive_velocity


@kernel(lanes=True, unit=True)
def smooth_velocity(m, d, biased: int):
    """Of actuators and passive forces, and of bias forces if wanted.  Mirrors mjd_smooth_vel."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    if m.nactuator > 0 and m.opt_disableflags & NO_ACTUATION == 0:
        actuator_velocity_slopes(m, d)
    passive_velocity(m, d, biased)
    if biased != 0:
        bias_velocity(m, d)
