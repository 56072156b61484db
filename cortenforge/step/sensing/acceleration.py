"""Sensors of the acceleration stage: accelerometer, force, torque, actuator forces.

    accelerometer = site_xmat' a,   a: linear acceleration of the site, minus gravity
    force, torque = site_xmat' (cfrc_int of the site's body), the torque about the site

Source: MuJoCo: XML reference, sensor; docs/mjcf.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces
from cortenforge.step.constants import TRN_TENDON
from cortenforge.step.position.objects import SITE, acceleration_of_object
from cortenforge.step.sensing.constraint_sensors import sense_constraint_forces
from cortenforge.step.sensing.delay import finish_readings
from cortenforge.step.sensing.readings import (
    write_output_readings,
    write_reading,
    write_vector_reading,
)
from cortenforge.step.sensing.sensor_types import (
    ACCELERATION_SENSORS,
    ACCELEROMETER,
    ACTUATION_SENSORS,
    ACTUATORFRC,
    CONTACT_SENSORS,
    FORCE,
    FRAMEANGACC,
    FRAMELINACC,
    GRID_SENSORS,
    JOINTACTFRC,
    LIMIT_SENSORS,
    STAGE_ACC,
    TENDONACTFRC,
    TORQUE,
    TOUCH_SENSORS,
    USER_ACCELERATION_SENSORS,
)
from cortenforge.step.sensing.touch import touch_sensors
from cortenforge.step.sensing.touch_grid import touch_grid_sensors
from cortenforge.step.sensing.user_sensors import user_sensors


@kernel(lanes=True)
def sense_accelerations(m, d):
    """Sensors that need accelerations or forces.  Mirrors mj_sensorAcc."""
    if m.sensing & ACCELERATION_SENSORS != 0:
        interaction_forces(m, d)
    read_acceleration_sensors(m, d)


@kernel(lanes=True)
def read_acceleration_sensors(m, d):
    """Sensors that need accelerations or forces; those between bodies are computed already."""
    if m.sensing & TOUCH_SENSORS != 0:
        touch_sensors(m, d)
    if m.sensing & GRID_SENSORS != 0:
        touch_grid_sensors(m, d)
    if m.sensing & (CONTACT_SENSORS | LIMIT_SENSORS) != 0:
        sense_constraint_forces(m, d)
    if m.sensing & ACTUATION_SENSORS != 0:
        actuation_sensors(m, d)
    if m.sensing & ACCELERATION_SENSORS != 0:
        acceleration_sensors(m, d)
    if m.sensing & USER_ACCELERATION_SENSORS != 0:
        user_sensors(m, d, STAGE_ACC)
    finish_readings(m, d, STAGE_ACC)


@kernel(lanes=True, unit=True)
def acceleration_sensors(m, d):
    """Accelerometers, force and torque sensors, frame accelerations.  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == ACCELEROMETER:
            change = linear(acceleration_of_object(m, d, SITE, number))
            write_vector_reading(m, d, i, into_frame(d.site_xmat[number], change))
        elif kind == FORCE:
            force = linear(d.cfrc_int[m.site_bodyid[number]])
            write_vector_reading(m, d, i, into_frame(d.site_xmat[number], force))
        elif kind == TORQUE:
            write_vector_reading(
                m, d, i, into_frame(d.site_xmat[number], interaction_torque(m, d, number))
            )
        elif kind == FRAMELINACC:
            change = linear(acceleration_of_object(m, d, m.sensor_objtype[i], number))
            write_vector_reading(m, d, i, change)
        elif kind == FRAMEANGACC:
            change = angular(acceleration_of_object(m, d, m.sensor_objtype[i], number))
            write_vector_reading(m, d, i, change)


@kernel(lanes=True)
def interaction_torque(m, d, site: int):
    """Torque between a site's body and its parent, about the site, in world axes."""
    body = m.site_bodyid[site]
    wrench = d.cfrc_int[body]
    offset = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]]
    return angular(wrench) - cross(offset, linear(wrench))


@kernel(lanes=True, unit=True)
def actuation_sensors(m, d):
    """Forces of actuators, and those that joints and tendons get of them.  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == ACTUATORFRC:
            write_output_readings(m, d, i, number, d.actuator_force)
        elif kind == JOINTACTFRC:
            write_reading(m, d, i, d.qfrc_actuator[m.jnt_dofadr[number]])
        elif kind == TENDONACTFRC:
            write_reading(m, d, i, tendon_actuator_force(m, d, number))


@kernel(lanes=True)
def tendon_actuator_force(m, d, tendon: int):
    """Sum of the forces of all actuators of a tendon, without gears."""
    total = zero_like(d.time)
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_TENDON and m.actuator_trnid[a, 0] == tendon:
            total += d.actuator_force[m.actuator_outadr[a]]
    return total
