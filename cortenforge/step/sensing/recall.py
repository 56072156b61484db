"""Readings as they are shown: with noise, if there is any, and as late as the sensor is."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.history import sampled_at
from cortenforge.step.sensing.kinds import SAMPLED
from cortenforge.step.sensing.noise import add_noise


@kernel(lanes=True)
def show(m, d, stage: int):
    """What becomes of readings once all sensors of a stage are read.  Mirrors mj_sensorPos."""
    if m.nnoise > 0 and m.sensing != 0:
        add_noise(m, d, stage)
    if m.sensing & SAMPLED != 0:
        recall(m, d, stage)


@kernel(unit=True)
def recall(m, d, stage: int):
    """Readings of that long ago, or the last one if none is due.  Mirrors mj_readSensor."""
    for i in range(m.nsensor):
        count = m.sensor_history[i, 0]
        if count > 0 and m.sensor_needstage[i] == stage:
            at = m.sensor_historyadr[i]
            place = m.sensor_adr[i]
            width = m.sensor_dim[i]
            for k in range(width):
                d.fresh[at + k] = d.sensordata[place + k]
            delay = m.sensor_delay[i]
            period = m.sensor_interval[i, 0]
            waits = period > 0.0 and d.history[at] + period > d.time
            if delay > 0.0 or waits:
                order = m.sensor_history[i, 1]
                for k in range(width):
                    when = d.time - delay
                    value = sampled_at(d.history, at, count, width, k, when, order)
                    d.sensordata[place + k] = value
