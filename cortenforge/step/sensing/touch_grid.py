"""Touch grid: MuJoCo's plugin `mujoco.sensor.touch_grid`.

A site looks along its negative z axis. Contacts of its body are binned by direction (azimuth,
elevation) into cells; each cell sums force and torque along z, x and y, as many as there are
channels. sensor_grid is columns, rows, horizontal and vertical field of view in degrees, gamma, and
the number of channels. Edge k of n cells, with x = 2 k / n - 1:

    angle = fov (gamma x^5 + (1 - gamma) x)

Source: MuJoCo's plugin directory, sensor/touch_grid.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import into_frame
from cortenforge.step.body_forces.contact_force import contact_linear_force, contact_torque
from cortenforge.step.sensing.readings import apply_cutoff
from cortenforge.step.sensing.sensor_types import TOUCH_GRID

DEGREE = math.pi / 180.0


@kernel(unit=True)
def touch_grid_sensors(m, d):
    """Touch grid sensors.  Mirrors TouchGrid::Compute."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == TOUCH_GRID:
            first = m.sensor_adr[i]
            for k in range(first, first + m.sensor_dim[i]):
                d.sensordata[k] = 0.0
            for c in range(d.ncon):
                add_contact_to_grid(m, d, i, c)
            for k in range(first, first + m.sensor_dim[i]):
                d.sensordata[k] = apply_cutoff(m, i, d.sensordata[k])


@kernel
def add_contact_to_grid(m, d, i: int, c: int):
    """Add a contact to its cell, if it is on the sensor's body and in the field of view."""
    site = m.sensor_objid[i]
    weld = m.body_weldid[m.site_bodyid[site]]
    one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    if m.body_weldid[one] == weld or m.body_weldid[other] == weld:
        axes = d.site_xmat[site]
        p = into_frame(axes, d.contact_pos[c] - d.site_xpos[site])
        columns, rows = math.floor(m.sensor_grid[i, 0]), math.floor(m.sensor_grid[i, 1])
        sideways = math.atan2(p.x, -p.z)
        up = math.atan2(p.y, math.sqrt(p.x * p.x + p.z * p.z))
        column = touch_grid_cell(
            sideways, columns, m.sensor_grid[i, 2] * DEGREE, m.sensor_grid[i, 4]
        )
        row = touch_grid_cell(up, rows, m.sensor_grid[i, 3] * DEGREE, m.sensor_grid[i, 4])
        if column >= 0 and row >= 0:
            # contact forces act on the second geom
            side = -1.0 if m.body_weldid[one] == weld else 1.0
            frame = d.contact_frame[c]
            push = into_frame(axes, into_frame(frame, contact_linear_force(m, d, c))) * side
            twist = into_frame(axes, into_frame(frame, contact_torque(m, d, c))) * side
            at = m.sensor_adr[i] + row * columns + column
            channels = math.floor(m.sensor_grid[i, 5])
            add_touch_grid_channels(d, at, columns * rows, min(channels, 3), push)
            add_touch_grid_channels(d, at + 3 * columns * rows, columns * rows, channels - 3, twist)


@kernel
def touch_grid_cell(angle, count: int, view, gamma):
    """Index of the cell that contains an angle; -1 if none does."""
    found = -1
    if angle > touch_grid_edge(0, count, view, gamma):
        for k in range(1, count + 1):
            if found < 0 and angle <= touch_grid_edge(k, count, view, gamma):
                found = k - 1
    return found


@kernel
def touch_grid_edge(k: int, count: int, view, gamma):
    """Angle of the edge in front of cell k."""
    x = 2.0 * k / count - 1.0
    return view * (gamma * x * x * x * x * x + (1.0 - gamma) * x)


@kernel
def add_touch_grid_channels(d, at: int, stride: int, count: int, v):
    """Add components of a vector to a cell's channels, in the order z, x, y."""
    if count > 0:
        d.sensordata[at] += v.z
    if count > 1:
        d.sensordata[at + stride] += v.x
    if count > 2:
        d.sensordata[at + 2 * stride] += v.y
