"""The last step of each sensor stage: noise, delay and sampling interval.

Source: MuJoCo: Modeling, "Delays"; docs/sensors.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.history import read_history
from cortenforge.step.sensing.noise import add_sensor_noise
from cortenforge.step.sensing.sensor_types import SAMPLED_SENSORS


@kernel(lanes=True)
def finish_readings(m, d, stage: int):
    """Apply noise and delays to the readings of a stage.  Mirrors mj_sensorPos."""
    if m.nnoise > 0 and m.sensing != 0:
        add_sensor_noise(m, d, stage)
    if m.sensing & SAMPLED_SENSORS != 0:
        delay_readings(m, d, stage)


@kernel(unit=True)
def delay_readings(m, d, stage: int):
    """Replace readings by those of `delay` seconds ago, or by the last sample.

    Mirrors mj_readSensor.
    """
    for i in range(m.nsensor):
        count = m.sensor_history[i, 0]
        if count > 0 and m.sensor_needstage[i] == stage:
            at = m.sensor_historyadr[i]
            reading = m.sensor_adr[i]
            width = m.sensor_dim[i]
            for k in range(width):
                d.fresh[at + k] = d.sensordata[reading + k]
            delay = m.sensor_delay[i]
            period = m.sensor_interval[i, 0]
            between_samples = period > 0.0 and d.history[at] + period > d.time
            if delay > 0.0 or between_samples:
                order = m.sensor_history[i, 1]
                for k in range(width):
                    time = d.time - delay
                    value = read_history(d.history, at, count, width, k, time, order)
                    d.sensordata[reading + k] = value
