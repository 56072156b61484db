"""Velocities of force outputs: actuator_velocity = moment qvel.

Source: MuJoCo: Computation, "Transmission".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.step.constants import NO_ACTUATION


@kernel(lanes=True, unit=True)
def actuator_velocity(m, d):
    """Velocity of each force output: its moment arms times qvel.  Mirrors mj_fwdVelocity."""
    for out in range(m.nout):
        speed = zero_like(d.time)
        if m.opt_disableflags & NO_ACTUATION == 0:
            start = m.moment_rowadr[out]
            for at in range(start, start + m.moment_rownnz[out]):
                speed += d.actuator_moment[at] * d.qvel[m.moment_colind[at]]
        d.actuator_velocity[out] = speed
