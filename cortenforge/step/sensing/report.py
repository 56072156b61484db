"""Readings: addresses in sensordata, cutoff by data type.

real:      clamp to +- cutoff,      positive: at most cutoff,      axis, quaternion: none
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.step.sensing.kinds import POSITIVE, REAL


@kernel(lanes=True)
def cut_off(m, i: int, x):
    """A number of a reading, clamped by cutoff and data type.  Mirrors apply_cutoff.

    Positive readings are clamped from above only, so that -1 of a rangefinder survives.
    """
    cutoff = m.sensor_cutoff[i]
    if m.sensor_datatype[i] == REAL:
        return select(cutoff > 0.0, select(x < -cutoff, -cutoff, select(x > cutoff, cutoff, x)), x)
    if m.sensor_datatype[i] == POSITIVE:
        return select(cutoff > 0.0, select(x > cutoff, cutoff, x), x)
    return x


@kernel(lanes=True)
def report(m, d, i: int, x):
    """Write a scalar reading."""
    d.sensordata[m.sensor_adr[i]] = cut_off(m, i, x)


@kernel(lanes=True)
def report_vector(m, d, i: int, v):
    """Write a reading of three numbers."""
    at = m.sensor_adr[i]
    d.sensordata[at] = cut_off(m, i, v.x)
    d.sensordata[at + 1] = cut_off(m, i, v.y)
    d.sensordata[at + 2] = cut_off(m, i, v.z)


@kernel(lanes=True)
def report_rotation(m, d, i: int, q):
    """Write a quaternion reading."""
    at = m.sensor_adr[i]
    d.sensordata[at] = q.w
    d.sensordata[at + 1] = q.x
    d.sensordata[at + 2] = q.y
    d.sensordata[at + 3] = q.z


@kernel(lanes=True)
def report_outputs(m, d, i: int, a: int, values):
    """Write one number for each force output of an actuator."""
    at = m.sensor_adr[i]
    out = m.actuator_outadr[a]
    for k in range(m.actuator_outnum[a]):
        d.sensordata[at + k] = cut_off(m, i, values[out + k])
