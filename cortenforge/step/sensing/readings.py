"""Readings: addresses in sensordata, cutoff by data type.

real:      clamp to +- cutoff,      positive: at most cutoff,      axis, quaternion: none

Source: MuJoCo: XML reference, sensor, attribute "cutoff".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, vec3
from cortenforge.step.sensing.sensor_types import DATATYPE_POSITIVE, DATATYPE_REAL


@kernel(lanes=True)
def apply_cutoff(m, i: int, x):
    """A number of a reading, clamped by cutoff and data type.  Mirrors apply_cutoff.

    Positive readings are clamped from above only, so that -1 of a rangefinder survives.
    """
    cutoff = m.sensor_cutoff[i]
    if m.sensor_datatype[i] == DATATYPE_REAL:
        return select(cutoff > 0.0, select(x < -cutoff, -cutoff, select(x > cutoff, cutoff, x)), x)
    if m.sensor_datatype[i] == DATATYPE_POSITIVE:
        return select(cutoff > 0.0, select(x > cutoff, cutoff, x), x)
    return x


@kernel(lanes=True)
def write_reading(m, d, i: int, x):
    """Write a scalar reading."""
    d.sensordata[m.sensor_adr[i]] = apply_cutoff(m, i, x)


@kernel(lanes=True)
def write_vector_reading(m, d, i: int, v):
    """Write a reading of three numbers."""
    append_vector_with_cutoff(m, d, i, m.sensor_adr[i], v)


@kernel(lanes=True)
def append_vector_with_cutoff(m, d, i: int, at: int, v):
    """Write a vector into sensordata with the cutoff; returns the address behind it."""
    return append_vector(
        d, at, vec3(apply_cutoff(m, i, v.x), apply_cutoff(m, i, v.y), apply_cutoff(m, i, v.z))
    )


@kernel(lanes=True)
def append_vector(d, at: int, v):
    """Write a vector into sensordata; returns the address behind it."""
    d.sensordata[at] = v.x
    d.sensordata[at + 1] = v.y
    d.sensordata[at + 2] = v.z
    return at + 3


@kernel(lanes=True)
def write_quat_reading(m, d, i: int, q):
    """Write a quaternion reading."""
    at = m.sensor_adr[i]
    d.sensordata[at] = q.w
    d.sensordata[at + 1] = q.x
    d.sensordata[at + 2] = q.y
    d.sensordata[at + 3] = q.z


@kernel(lanes=True)
def write_output_readings(m, d, i: int, a: int, values):
    """Write one number for each force output of an actuator."""
    at = m.sensor_adr[i]
    out = m.actuator_outadr[a]
    for k in range(m.actuator_outnum[a]):
        d.sensordata[at + k] = apply_cutoff(m, i, values[out + k])
