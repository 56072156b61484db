"""Flags of what is computed on request: energies, momenta of subtrees, forces between bodies.

As MuJoCo's flg_energypos and the like. Stages that change what it depends on clear a flag; sensors
of a stage that runs by itself (`step.stages`) compute what is not flagged. A whole evaluation
computes it in any case, so here are the flags that one leaves behind.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import RK4, WITH_ENERGY
from cortenforge.step.sensing.sensor_types import (
    ACCELERATION_SENSORS,
    MOMENTUM_SENSORS,
    POTENTIAL_SENSORS,
)


@kernel
def flag_positions_and_velocities(m, d):
    """Flags after the stages of positions and velocities, with their sensors."""
    d.flg_energyvel = 1 if m.opt_enableflags & WITH_ENERGY != 0 else 0
    d.flg_energypos = 1 if m.sensing & POTENTIAL_SENSORS != 0 else d.flg_energyvel
    d.flg_subtreevel = 1 if m.sensing & MOMENTUM_SENSORS != 0 else 0


@kernel
def flag_accelerations(m, d):
    """Flags after the stage of accelerations, with its sensors."""
    d.flg_rnepost = 1 if m.sensing & ACCELERATION_SENSORS != 0 else 0


@kernel
def flag_all(m, d):
    """Flags after a whole evaluation."""
    flag_positions_and_velocities(m, d)
    flag_accelerations(m, d)


@kernel
def flag_step(m, d):
    """Flags after a step: later stages of Runge-Kutta evaluate no sensors."""
    flag_all(m, d)
    if m.opt_integrator == RK4:
        d.flg_energypos = d.flg_energyvel
        d.flg_subtreevel = 0
