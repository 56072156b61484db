"""User sensors: readings that a callback writes.

Source: MuJoCo: XML reference, sensor/user; docs/callbacks.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.callbacks import SENSOR, call_sensor, is_finite_real
from cortenforge.step.sensing.readings import apply_cutoff
from cortenforge.step.sensing.sensor_types import USER
from cortenforge.step.status import fail
from cortenforge.step.statuses import BAD_READING


@kernel(lanes=True, unit=True)
def user_sensors(m, d, stage: int):
    """User sensors of a stage: zero, or what the callback writes, with cutoff.

    Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc.
    """
    for i in range(m.nsensor):
        if m.sensor_type[i] == USER and m.sensor_needstage[i] == stage:
            for at in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.sensordata[at] = 0.0
    if m.called & SENSOR != 0:
        call_sensor(m, d, stage)
        for i in range(m.nsensor):
            if m.sensor_type[i] == USER and m.sensor_needstage[i] == stage:
                for at in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                    fail(d, not is_finite_real(d.sensordata[at]), BAD_READING, i, d.sensordata[at])
                    d.sensordata[at] = apply_cutoff(m, i, d.sensordata[at])
