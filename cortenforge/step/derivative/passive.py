"""How passive forces change with velocities."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.constants import NO_DAMPER, NO_SPRING
from cortenforge.step.derivative.fluid import fluid_velocity
from cortenforge.step.derivative.pattern import add_product
from cortenforge.step.reflected import damping_slope, tendon_slope


@kernel(lanes=True)
def passive_velocity(m, d):
    """Add the derivative of dampers and of the medium to qDeriv.  Mirrors mjd_passive_vel."""
    off = m.opt_disableflags
    if off & NO_SPRING == 0 or off & NO_DAMPER == 0:
        if any_lane(m.opt_density > 0.0 or m.opt_viscosity > 0.0):
            fluid_velocity(m, d)
        if off & NO_DAMPER == 0:
            for i in range(m.nv):
                d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= damping_slope(m, d, i)
            for i in range(m.ntendon):
                slope = -tendon_slope(m, d, i)
                start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
                add_product(m, d.qDeriv, d.ten_J, m.ten_J_colind, start, count, slope)
