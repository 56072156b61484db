"""Sensors of the position stage: joints, tendons, frames, camera projection, energy.

    frame sensors with a reference frame r:  pos = R_r' (p - p_r),  quat = q_r^-1 q
    magnetometer = site_xmat' magnetic
    camera projection (pixels) = size / 2 -+ focal (x, y) / z     in camera axes

Source: MuJoCo: XML reference, sensor.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL, into_frame
from cortenforge.step.energy import kinetic_energy, potential_energy
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.position.objects import object_axes, object_position, object_quat
from cortenforge.step.sensing.constraint_sensors import sense_constraint_positions
from cortenforge.step.sensing.delay import finish_readings
from cortenforge.step.sensing.geom_distance import distance_sensors
from cortenforge.step.sensing.inside_site import inside_site_sensors
from cortenforge.step.sensing.rangefinder import rangefinder_sensors
from cortenforge.step.sensing.readings import (
    apply_cutoff,
    write_output_readings,
    write_quat_reading,
    write_reading,
    write_vector_reading,
)
from cortenforge.step.sensing.sensor_types import (
    ACTUATORPOS,
    BALLQUAT,
    CAMPROJECTION,
    CLOCK,
    CONTACT_SENSORS,
    E_KINETIC,
    E_POTENTIAL,
    FRAMEPOS,
    FRAMEQUAT,
    FRAMEXAXIS,
    FRAMEYAXIS,
    FRAMEZAXIS,
    GEOM_DISTANCE_SENSORS,
    INSIDE_SENSORS,
    JOINTPOS,
    KINETIC_SENSORS,
    LIMIT_SENSORS,
    MAGNETOMETER,
    POSITION_SENSORS,
    POTENTIAL_SENSORS,
    PROJECTION_SENSORS,
    RANGE_SENSORS,
    STAGE_POS,
    SUBTREECOM,
    TENDONPOS,
    USER_POSITION_SENSORS,
)
from cortenforge.step.sensing.user_sensors import user_sensors

#: in radians
HALF_A_DEGREE = math.pi / 360.0


@kernel(lanes=True)
def sense_positions(m, d):
    """Sensors that need positions.  Mirrors mj_sensorPos."""
    sense_poses(m, d)
    if m.sensing & POTENTIAL_SENSORS != 0:
        potential_energy(m, d)
    if m.sensing & KINETIC_SENSORS != 0:
        # of this state; MuJoCo, with energy enabled, reports the previous state's
        kinetic_energy(m, d)
    finish_position_sensors(m, d)


@kernel(lanes=True)
def sense_poses(m, d):
    """Sensors that need positions, all but energies and those of users.  Mirrors mj_sensorPos."""
    if m.sensing & POSITION_SENSORS != 0:
        position_sensors(m, d)
    if m.sensing & PROJECTION_SENSORS != 0:
        projection_sensors(m, d)
    if m.sensing & RANGE_SENSORS != 0:
        rangefinder_sensors(m, d)
    if m.sensing & GEOM_DISTANCE_SENSORS != 0:
        distance_sensors(m, d)
    if m.sensing & INSIDE_SENSORS != 0:
        inside_site_sensors(m, d)
    if m.sensing & (CONTACT_SENSORS | LIMIT_SENSORS) != 0:
        sense_constraint_positions(m, d)


@kernel(lanes=True)
def finish_position_sensors(m, d):
    """Sensors of energies, which are computed already, those of users, noise and delays."""
    if m.sensing & POTENTIAL_SENSORS != 0:
        energy_sensors(m, d, E_POTENTIAL, 0)
    if m.sensing & KINETIC_SENSORS != 0:
        energy_sensors(m, d, E_KINETIC, 1)
    if m.sensing & USER_POSITION_SENSORS != 0:
        user_sensors(m, d, STAGE_POS)
    finish_readings(m, d, STAGE_POS)


@kernel(lanes=True, unit=True)
def position_sensors(m, d):
    """Joints, tendons, actuators, frames, subtree com, magnetometer, clock.

    Mirrors mj_sensorPos.
    """
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == JOINTPOS:
            write_reading(m, d, i, d.qpos[m.jnt_qposadr[number]])
        elif kind == TENDONPOS:
            write_reading(m, d, i, d.ten_length[number])
        elif kind == ACTUATORPOS:
            write_output_readings(m, d, i, number, d.actuator_length)
        elif kind == BALLQUAT:
            write_quat_reading(m, d, i, quat_at(d.qpos, m.jnt_qposadr[number]))
        elif kind == MAGNETOMETER:
            write_vector_reading(m, d, i, into_frame(d.site_xmat[number], m.opt_magnetic))
        elif kind == SUBTREECOM:
            write_vector_reading(m, d, i, d.subtree_com[number])
        elif kind == CLOCK:
            write_reading(m, d, i, d.time)
        elif kind == FRAMEPOS:
            write_vector_reading(m, d, i, frame_position(m, d, i))
        elif kind == FRAMEQUAT:
            write_quat_reading(m, d, i, frame_quat(m, d, i))
        elif kind == FRAMEXAXIS:
            write_vector_reading(m, d, i, frame_axis(m, d, i, 0))
        elif kind == FRAMEYAXIS:
            write_vector_reading(m, d, i, frame_axis(m, d, i, 1))
        elif kind == FRAMEZAXIS:
            write_vector_reading(m, d, i, frame_axis(m, d, i, 2))


@kernel(lanes=True)
def frame_position(m, d, i: int):
    """Position of an object, in the world or in a reference frame."""
    place = object_position(d, m.sensor_objtype[i], m.sensor_objid[i])
    if m.sensor_refid[i] >= 0:
        away = place - object_position(d, m.sensor_reftype[i], m.sensor_refid[i])
        place = into_frame(object_axes(d, m.sensor_reftype[i], m.sensor_refid[i]), away)
    return place


@kernel(lanes=True)
def frame_axis(m, d, i: int, which: int):
    """Axis 0, 1 or 2 of an object, in the world or in a reference frame."""
    axes = object_axes(d, m.sensor_objtype[i], m.sensor_objid[i])
    axis = vec3(axes.xx, axes.yx, axes.zx)
    if which == 1:
        axis = vec3(axes.xy, axes.yy, axes.zy)
    elif which == 2:
        axis = vec3(axes.xz, axes.yz, axes.zz)
    if m.sensor_refid[i] >= 0:
        axis = into_frame(object_axes(d, m.sensor_reftype[i], m.sensor_refid[i]), axis)
    return axis


@kernel(lanes=True)
def frame_quat(m, d, i: int):
    """Quaternion of an object, in the world or in a reference frame."""
    rotation = object_quat(m, d, m.sensor_objtype[i], m.sensor_objid[i])
    if m.sensor_refid[i] >= 0:
        other = object_quat(m, d, m.sensor_reftype[i], m.sensor_refid[i])
        rotation = conjugate(other) * rotation
    return rotation


@kernel(lanes=True, unit=True)
def projection_sensors(m, d):
    """Pixel coordinates of sites in camera images, from the upper left corner.

    Mirrors mj_sensorPos.
    """
    for i in range(m.nsensor):
        if m.sensor_type[i] == CAMPROJECTION:
            camera = m.sensor_refid[i]
            width = m.cam_resolution[camera, 0] * 1.0
            height = m.cam_resolution[camera, 1] * 1.0
            # without focal lengths: square pixels, and fovy
            x_focal = m.cam_focal[camera, 0]
            y_focal = m.cam_focal[camera, 1]
            sine, cosine = sin_cos(m.cam_fovy[camera] * HALF_A_DEGREE)
            viewed = 0.5 * cosine / sine * height
            x_focal = select(x_focal == 0.0, viewed, x_focal)
            y_focal = select(y_focal == 0.0, viewed, y_focal)
            away = d.site_xpos[m.sensor_objid[i]] - d.cam_xpos[camera]
            seen = into_frame(d.cam_xmat[camera], away)
            depth = select(abs(seen.z) < MINVAL, select(seen.z < 0.0, -MINVAL, MINVAL), seen.z)
            at = m.sensor_adr[i]
            d.sensordata[at] = apply_cutoff(m, i, 0.5 * width - x_focal * (seen.x / depth))
            d.sensordata[at + 1] = apply_cutoff(m, i, 0.5 * height + y_focal * (seen.y / depth))


@kernel(lanes=True)
def energy_sensors(m, d, kind: int, which: int):
    """Potential or kinetic energy, which is computed already.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == kind:
            write_reading(m, d, i, d.energy[which])
