"""Contact and limit sensors by stage.

In units of their own, so that a device whose model has neither skips their loops.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sensing.contacts import contact_sensors
from cortenforge.step.sensing.limits import limit_sensors
from cortenforge.step.sensing.sensor_types import (
    CONTACT_SENSORS,
    LIMIT_SENSORS,
    STAGE_ACC,
    STAGE_POS,
    STAGE_VEL,
)


@kernel
def constraint_sensors(m, d, stage: int):
    """Contact and limit sensors of a stage."""
    if m.sensing & CONTACT_SENSORS != 0:
        contact_sensors(m, d, stage)
    if m.sensing & LIMIT_SENSORS != 0:
        limit_sensors(m, d, stage)


@kernel(unit=True)
def sense_constraint_positions(m, d):
    """Contact and limit sensors of the position stage."""
    constraint_sensors(m, d, STAGE_POS)


@kernel(unit=True)
def sense_constraint_velocities(m, d):
    """Contact and limit sensors of the velocity stage."""
    constraint_sensors(m, d, STAGE_VEL)


@kernel(unit=True)
def sense_constraint_forces(m, d):
    """Contact and limit sensors of the acceleration stage."""
    constraint_sensors(m, d, STAGE_ACC)
