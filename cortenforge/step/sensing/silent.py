"""Sensors of contacts and limits in worlds that have neither."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sensing.kinds import CONTACT, FIRST_LIMIT, LAST_LIMIT, TACTILE, TOUCH


@kernel(lanes=True, unit=True)
def silent_sensors(m, d):
    """What do sensors of contacts and limits read where there are none?  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        if is_silent(kind):
            for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.sensordata[k] = 0.0


@kernel(lanes=True)
def is_silent(kind: int):
    """Whether a type of sensors reads contacts or limits."""
    of_limit = kind >= FIRST_LIMIT and kind <= LAST_LIMIT
    of_contact = kind == TOUCH or kind >= CONTACT
    return of_limit or (of_contact and (kind <= CONTACT or kind == TACTILE))
