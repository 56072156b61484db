"""Limit sensors of joints and tendons, and the force of each limit.

    position sensor   efc_pos - efc_margin      velocity sensor   efc_vel
    force sensor      efc_force                 of the limit's row while it is active, else 0

Source: MuJoCo: XML reference, sensor/jointlimitpos and those that follow it.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import LIMIT_JOINT, LIMIT_TENDON
from cortenforge.step.constraint.kinds import HAS_LIMITS
from cortenforge.step.constraint.limit_rows import tendon_limit_force
from cortenforge.step.sensing.readings import write_reading
from cortenforge.step.sensing.sensor_types import (
    FIRST_LIMIT_SENSOR,
    LAST_LIMIT_SENSOR,
    STAGE_ACC,
    STAGE_POS,
    TENDONLIMITPOS,
)


@kernel(unit=True)
def limit_sensors(m, d, stage: int):
    """Distance beyond a limit, its rate, or the limit's force, by stage; 0 while it is inactive.

    Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc.
    """
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        if (
            kind >= FIRST_LIMIT_SENSOR
            and kind <= LAST_LIMIT_SENSOR
            and m.sensor_needstage[i] == stage
        ):
            row = limit_row(m, d, kind, m.sensor_objid[i])
            value = 0.0
            if row >= 0:
                if stage == STAGE_POS:
                    value = d.efc_pos[row] - d.efc_margin[row]
                elif stage == STAGE_ACC:
                    value = d.efc_force[row]
                else:
                    value = d.efc_vel[row]
            write_reading(m, d, i, value)


@kernel
def limit_row(m, d, kind: int, number: int):
    """First constraint row of the limits of a joint or tendon; -1 if none is active."""
    # types of tendons come behind those of joints
    wanted = LIMIT_TENDON if kind >= TENDONLIMITPOS else LIMIT_JOINT
    for row in range(d.ne + d.nf, d.ne + d.nf + d.nl):
        if d.efc_type[row] == wanted and d.efc_id[row] == number:
            return row
    return -1


@kernel(lanes=True)
def limit_forces(m, d):
    """jnt_limit_frc, ten_limit_frc and ten_force; of two active limits, the first row counts."""
    for j in range(m.njnt):
        d.jnt_limit_frc[j] = 0.0
    for i in range(m.ntendon):
        d.ten_limit_frc[i] = 0.0
        d.ten_force[i] = d.ten_passive[i]
    if m.constraining & HAS_LIMITS != 0:
        collect_limit_forces(m, d)


@kernel(unit=True)
def collect_limit_forces(m, d):
    """Write the forces of limit rows, last row first, so that an object's first row remains."""
    for back in range(d.nl):
        row = d.ne + d.nf + d.nl - 1 - back
        if d.efc_type[row] == LIMIT_JOINT:
            d.jnt_limit_frc[d.efc_id[row]] = d.efc_force[row]
        else:
            d.ten_limit_frc[d.efc_id[row]] = d.efc_force[row]
            d.ten_force[d.efc_id[row]] += tendon_limit_force(m, d, row)
