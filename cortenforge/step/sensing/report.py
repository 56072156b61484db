"""Readings, written where each sensor has its numbers, within what it can show."""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.step.sensing.kinds import POSITIVE, REAL


@kernel(lanes=True)
def cut_off(m, i: int, x):
    """A reading as far as the sensor goes; directions and rotations pass.  Mirrors mj_sensorPos.

    Positive readings are cut off at the top alone, so that -1, which says "nothing", survives.
    """
    most = m.sensor_cutoff[i]
    if m.sensor_datatype[i] == REAL:
        return select(most > 0.0, select(x < -most, -most, select(x > most, most, x)), x)
    if m.sensor_datatype[i] == POSITIVE:
        return select(most > 0.0, select(x > most, most, x), x)
    return x


@kernel(lanes=True)
def report(m, d, i: int, x):
    """Write the reading of a sensor that has one number."""
    d.sensordata[m.sensor_adr[i]] = cut_off(m, i, x)


@kernel(lanes=True)
def report_vector(m, d, i: int, v):
    """Write the reading of a sensor that has three."""
    at = m.sensor_adr[i]
    d.sensordata[at] = cut_off(m, i, v.x)
    d.sensordata[at + 1] = cut_off(m, i, v.y)
    d.sensordata[at + 2] = cut_off(m, i, v.z)


@kernel(lanes=True)
def report_rotation(m, d, i: int, q):
    """Write a quaternion."""
    at = m.sensor_adr[i]
    d.sensordata[at] = q.w
    d.sensordata[at + 1] = q.x
    d.sensordata[at + 2] = q.y
    d.sensordata[at + 3] = q.z


@kernel(lanes=True)
def report_outputs(m, d, i: int, a: int, values):
    """Write what is known of each force output of an actuator."""
    at = m.sensor_adr[i]
    out = m.actuator_outadr[a]
    for k in range(m.actuator_outnum[a]):
        d.sensordata[at + k] = cut_off(m, i, values[out + k])
