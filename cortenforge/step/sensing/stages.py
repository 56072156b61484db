"""Sensors of contacts and limits, stage by stage: units of their own, so that a device that has
neither is spared their loops."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sensing.contacts import contact_sensors
from cortenforge.step.sensing.kinds import ACC, CONTACTS, LIMITS, POS, VEL
from cortenforge.step.sensing.limits import limit_sensors


@kernel
def constraint_sensors(m, d, stage: int):
    """What contacts and limits show at a stage."""
    if m.sensing & CONTACTS != 0:
        contact_sensors(m, d, stage)
    if m.sensing & LIMITS != 0:
        limit_sensors(m, d, stage)


@kernel(unit=True)
def constraint_positions(m, d):
    """What contacts and limits show of positions."""
    constraint_sensors(m, d, POS)


@kernel(unit=True)
def constraint_velocities(m, d):
    """What contacts and limits show of velocities."""
    constraint_sensors(m, d, VEL)


@kernel(unit=True)
def constraint_forces(m, d):
    """What contacts and limits show of forces."""
    constraint_sensors(m, d, ACC)
