"""Sensors of the velocity stage: velocimeter, gyro, frame velocities, momenta.

    velocimeter = site_xmat' v,   gyro = site_xmat' w
    frame velocity seen from a moving frame r:  R_r' (v - v_r - w_r x (p - p_r)),   R_r' (w - w_r)

Source: MuJoCo: XML reference, sensor.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear, spatial_of
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.body_forces.momentum import subtree_momentum
from cortenforge.step.position.objects import SITE, object_axes, object_position, velocity_of_object
from cortenforge.step.sensing.constraint_sensors import sense_constraint_velocities
from cortenforge.step.sensing.delay import finish_readings
from cortenforge.step.sensing.readings import (
    write_output_readings,
    write_reading,
    write_vector_reading,
)
from cortenforge.step.sensing.sensor_types import (
    ACTUATORVEL,
    BALLANGVEL,
    CONTACT_SENSORS,
    FRAMEANGVEL,
    FRAMELINVEL,
    GYRO,
    JOINTVEL,
    LIMIT_SENSORS,
    MOMENTUM_SENSORS,
    STAGE_VEL,
    SUBTREEANGMOM,
    SUBTREELINVEL,
    TACTILE_SENSORS,
    TENDONVEL,
    USER_VELOCITY_SENSORS,
    VELOCIMETER,
    VELOCITY_SENSORS,
)
from cortenforge.step.sensing.tactile import tactile_sensors
from cortenforge.step.sensing.user_sensors import user_sensors


@kernel(lanes=True)
def sense_velocities(m, d):
    """Sensors that need velocities.  Mirrors mj_sensorVel."""
    if m.sensing & MOMENTUM_SENSORS != 0:
        subtree_momentum(m, d)
    read_velocity_sensors(m, d)


@kernel(lanes=True)
def read_velocity_sensors(m, d):
    """Sensors that need velocities; momenta of subtrees are computed already."""
    if m.sensing & VELOCITY_SENSORS != 0:
        velocity_sensors(m, d)
    if m.sensing & MOMENTUM_SENSORS != 0:
        momentum_sensors(m, d)
    if m.sensing & (CONTACT_SENSORS | LIMIT_SENSORS) != 0:
        sense_constraint_velocities(m, d)
    if m.sensing & TACTILE_SENSORS != 0:
        tactile_sensors(m, d)
    if m.sensing & USER_VELOCITY_SENSORS != 0:
        user_sensors(m, d, STAGE_VEL)
    finish_readings(m, d, STAGE_VEL)


@kernel(lanes=True, unit=True)
def velocity_sensors(m, d):
    """Joints, tendons, actuators, velocimeters, gyros, frame velocities.  Mirrors mj_sensorVel."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == JOINTVEL:
            write_reading(m, d, i, d.qvel[m.jnt_dofadr[number]])
        elif kind == TENDONVEL:
            write_reading(m, d, i, d.ten_velocity[number])
        elif kind == ACTUATORVEL:
            write_output_readings(m, d, i, number, d.actuator_velocity)
        elif kind == BALLANGVEL:
            dof = m.jnt_dofadr[number]
            write_vector_reading(m, d, i, vec3(d.qvel[dof], d.qvel[dof + 1], d.qvel[dof + 2]))
        elif kind == VELOCIMETER:
            moving = linear(velocity_of_object(m, d, SITE, number))
            write_vector_reading(m, d, i, into_frame(d.site_xmat[number], moving))
        elif kind == GYRO:
            turning = angular(velocity_of_object(m, d, SITE, number))
            write_vector_reading(m, d, i, into_frame(d.site_xmat[number], turning))
        elif kind == FRAMELINVEL:
            write_vector_reading(m, d, i, linear(frame_velocity(m, d, i)))
        elif kind == FRAMEANGVEL:
            write_vector_reading(m, d, i, angular(frame_velocity(m, d, i)))


@kernel(lanes=True)
def frame_velocity(m, d, i: int):
    """Spatial velocity of an object, in the world or as seen from a moving reference frame."""
    kind = m.sensor_objtype[i]
    number = m.sensor_objid[i]
    velocity = velocity_of_object(m, d, kind, number)
    if m.sensor_refid[i] >= 0:
        ref = m.sensor_reftype[i]
        other = m.sensor_refid[i]
        carried = velocity_of_object(m, d, ref, other)
        away = object_position(d, kind, number) - object_position(d, ref, other)
        relative = velocity - carried
        # velocity that a rotating frame adds to a point at rest
        moving = linear(relative) - cross(angular(carried), away)
        axes = object_axes(d, ref, other)
        velocity = spatial_of(into_frame(axes, angular(relative)), into_frame(axes, moving))
    return velocity


@kernel(lanes=True)
def momentum_sensors(m, d):
    """Linear velocity and angular momentum of subtrees, computed already.  Mirrors mj_sensorVel."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == SUBTREELINVEL:
            write_vector_reading(m, d, i, d.subtree_linvel[m.sensor_objid[i]])
        elif m.sensor_type[i] == SUBTREEANGMOM:
            write_vector_reading(m, d, i, d.subtree_angmom[m.sensor_objid[i]])
