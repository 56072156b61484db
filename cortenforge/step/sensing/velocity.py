"""Sensors of the velocity stage: velocimeter, gyro, frame velocities, momenta.

    velocimeter = site_xmat' v,   gyro = site_xmat' w
    frame velocity seen from a moving frame r:  R_r' (v - v_r - w_r x (p - p_r)),   R_r' (w - w_r)

Source: MuJoCo: XML reference, sensor.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear, spatial_of
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.momentum import subtree_momentum
from cortenforge.step.sensing.kinds import (
    ACTUATORVEL,
    BALLANGVEL,
    CONTACTS,
    FRAMEANGVEL,
    FRAMELINVEL,
    GYRO,
    JOINTVEL,
    LIMITS,
    MOMENTA,
    SUBTREEANGMOM,
    SUBTREELINVEL,
    TACTILES,
    TENDONVEL,
    USER_VELOCITIES,
    VEL,
    VELOCIMETER,
    VELOCITIES,
)
from cortenforge.step.sensing.objects import SITE, axes_of, place_of, velocity_of
from cortenforge.step.sensing.recall import show
from cortenforge.step.sensing.report import report, report_outputs, report_vector
from cortenforge.step.sensing.stages import constraint_velocities
from cortenforge.step.sensing.tactile import tactile_sensors
from cortenforge.step.sensing.users import user_sensors


@kernel(lanes=True)
def sense_velocities(m, d):
    """Sensors that need velocities.  Mirrors mj_sensorVel."""
    if m.sensing & VELOCITIES != 0:
        velocity_sensors(m, d)
    if m.sensing & MOMENTA != 0:
        subtree_momentum(m, d)
        momentum_sensors(m, d)
    if m.sensing & (CONTACTS | LIMITS) != 0:
        constraint_velocities(m, d)
    if m.sensing & TACTILES != 0:
        tactile_sensors(m, d)
    if m.sensing & USER_VELOCITIES != 0:
        user_sensors(m, d, VEL)
    show(m, d, VEL)


@kernel(lanes=True, unit=True)
def velocity_sensors(m, d):
    """Joints, tendons, actuators, velocimeters, gyros, frame velocities.  Mirrors mj_sensorVel."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == JOINTVEL:
            report(m, d, i, d.qvel[m.jnt_dofadr[number]])
        elif kind == TENDONVEL:
            report(m, d, i, d.ten_velocity[number])
        elif kind == ACTUATORVEL:
            report_outputs(m, d, i, number, d.actuator_velocity)
        elif kind == BALLANGVEL:
            dof = m.jnt_dofadr[number]
            report_vector(m, d, i, vec3(d.qvel[dof], d.qvel[dof + 1], d.qvel[dof + 2]))
        elif kind == VELOCIMETER:
            moving = linear(velocity_of(m, d, SITE, number))
            report_vector(m, d, i, into_frame(d.site_xmat[number], moving))
        elif kind == GYRO:
            turning = angular(velocity_of(m, d, SITE, number))
            report_vector(m, d, i, into_frame(d.site_xmat[number], turning))
        elif kind == FRAMELINVEL:
            report_vector(m, d, i, linear(frame_velocity(m, d, i)))
        elif kind == FRAMEANGVEL:
            report_vector(m, d, i, angular(frame_velocity(m, d, i)))


@kernel(lanes=True)
def frame_velocity(m, d, i: int):
    """Spatial velocity of an object, in the world or as seen from a moving reference frame."""
    kind = m.sensor_objtype[i]
    number = m.sensor_objid[i]
    velocity = velocity_of(m, d, kind, number)
    if m.sensor_refid[i] >= 0:
        ref = m.sensor_reftype[i]
        other = m.sensor_refid[i]
        carried = velocity_of(m, d, ref, other)
        away = place_of(d, kind, number) - place_of(d, ref, other)
        relative = velocity - carried
        # velocity that a rotating frame adds to a point at rest
        moving = linear(relative) - cross(angular(carried), away)
        axes = axes_of(d, ref, other)
        velocity = spatial_of(into_frame(axes, angular(relative)), into_frame(axes, moving))
    return velocity


@kernel(lanes=True)
def momentum_sensors(m, d):
    """Linear velocity and angular momentum of subtrees, computed already.  Mirrors mj_sensorVel."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == SUBTREELINVEL:
            report_vector(m, d, i, d.subtree_linvel[m.sensor_objid[i]])
        elif m.sensor_type[i] == SUBTREEANGMOM:
            report_vector(m, d, i, d.subtree_angmom[m.sensor_objid[i]])
