"""Sensors of the acceleration stage: accelerometer, force, torque, actuator forces.

    accelerometer = site_xmat' a,   a: linear acceleration of the site, minus gravity
    force, torque = site_xmat' (cfrc_int of the site's body), the torque about the site

Source: MuJoCo: XML reference, sensor; docs/mjcf.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import cross, into_frame
from cortenforge.step.constants import ON_TENDON
from cortenforge.step.interaction import interaction_forces
from cortenforge.step.sensing.grid import grid_sensors
from cortenforge.step.sensing.kinds import (
    ACC,
    ACCELERATIONS,
    ACCELEROMETER,
    ACTUATORFRC,
    CONTACTS,
    DRIVES,
    FORCE,
    FRAMEANGACC,
    FRAMELINACC,
    GRIDS,
    JOINTACTFRC,
    LIMITS,
    TENDONACTFRC,
    TORQUE,
    TOUCHES,
    USER_ACCELERATIONS,
)
from cortenforge.step.sensing.objects import SITE, acceleration_of
from cortenforge.step.sensing.recall import show
from cortenforge.step.sensing.report import report, report_outputs, report_vector
from cortenforge.step.sensing.stages import constraint_forces
from cortenforge.step.sensing.touch import touch_sensors
from cortenforge.step.sensing.users import user_sensors


@kernel(lanes=True)
def sense_accelerations(m, d):
    """Sensors that need accelerations or forces.  Mirrors mj_sensorAcc."""
    if m.sensing & TOUCHES != 0:
        touch_sensors(m, d)
    if m.sensing & GRIDS != 0:
        grid_sensors(m, d)
    if m.sensing & (CONTACTS | LIMITS) != 0:
        constraint_forces(m, d)
    if m.sensing & DRIVES != 0:
        drive_sensors(m, d)
    if m.sensing & ACCELERATIONS != 0:
        interaction_forces(m, d)
        acceleration_sensors(m, d)
    if m.sensing & USER_ACCELERATIONS != 0:
        user_sensors(m, d, ACC)
    show(m, d, ACC)


@kernel(lanes=True, unit=True)
def acceleration_sensors(m, d):
    """Accelerometers, force and torque sensors, frame accelerations.  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == ACCELEROMETER:
            change = linear(acceleration_of(m, d, SITE, number))
            report_vector(m, d, i, into_frame(d.site_xmat[number], change))
        elif kind == FORCE:
            force = linear(d.cfrc_int[m.site_bodyid[number]])
            report_vector(m, d, i, into_frame(d.site_xmat[number], force))
        elif kind == TORQUE:
            report_vector(m, d, i, into_frame(d.site_xmat[number], torque_at(m, d, number)))
        elif kind == FRAMELINACC:
            change = linear(acceleration_of(m, d, m.sensor_objtype[i], number))
            report_vector(m, d, i, change)
        elif kind == FRAMEANGACC:
            change = angular(acceleration_of(m, d, m.sensor_objtype[i], number))
            report_vector(m, d, i, change)


@kernel(lanes=True)
def torque_at(m, d, site: int):
    """Torque between a site's body and its parent, about the site, in world axes."""
    body = m.site_bodyid[site]
    wrench = d.cfrc_int[body]
    offset = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]]
    return angular(wrench) - cross(offset, linear(wrench))


@kernel(lanes=True, unit=True)
def drive_sensors(m, d):
    """Forces of actuators, and those that joints and tendons get of them.  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        number = m.sensor_objid[i]
        if kind == ACTUATORFRC:
            report_outputs(m, d, i, number, d.actuator_force)
        elif kind == JOINTACTFRC:
            report(m, d, i, d.qfrc_actuator[m.jnt_dofadr[number]])
        elif kind == TENDONACTFRC:
            report(m, d, i, pull_on(m, d, number))


@kernel(lanes=True)
def pull_on(m, d, tendon: int):
    """Sum of the forces of all actuators of a tendon, without gears."""
    total = zero_like(d.time)
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == ON_TENDON and m.actuator_trnid[a, 0] == tendon:
            total += d.actuator_force[m.actuator_outadr[a]]
    return total
